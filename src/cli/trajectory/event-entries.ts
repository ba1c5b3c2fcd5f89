/** What only the task's log tells: messages, reviews, restored attempts, feedback. */
import type { StoredTaskEvent } from '../../store/task-events.ts';
import { cut } from '../text/format.ts';
import { type Safe, safe } from '../text/safe.ts';
import type { Entry } from './entry.ts';
import { BRIEF, FULL, line, type TrajectoryOptions } from './line.ts';

export function eventEntries(events: readonly StoredTaskEvent[], options: TrajectoryOptions): Entry[] {
  return events.flatMap((event) => {
    const text = textOf(event, options);
    return text === null ? [] : [{ key: `event ${event.number}`, at: event.at.getTime(), rank: RANKS[event.type] ?? 0, lines: [line(options, LABELS[event.type]!, text)] }];
  });
}

const LABELS: Record<string, string> = {
  message_received: 'message',
  draft_reviewed: 'review',
  restored: 'restored',
  feedback_given: 'feedback',
  approval_reminded: 'person',
  approval_escalated: 'person',
  approval_withdrawn: 'person',
};
/** A review comes after the turn that wrote the draft. */
const RANKS: Record<string, number> = { draft_reviewed: 2.5 };

function textOf({ type, detail }: StoredTaskEvent, { paint, full }: TrajectoryOptions): Safe | null {
  const said = (name: string): string => cut(String(detail[name] ?? ''), full ? FULL : BRIEF * 2);
  switch (type) {
    case 'message_received':
      return safe`${paint.magenta('a person says')} ${said('text')}`;
    case 'draft_reviewed':
      return detail['changed'] === true ? safe`the writer read its draft and ${paint.yellow('changed it')}` : safe`the writer read its draft and left it as it was`;
    case 'restored':
      return safe`attempt ${said('attempt')} is the current one again, by ${paint.bold(said('by'))}${detail['reason'] ? safe`: ${said('reason')}` : ''}`;
    case 'feedback_given':
      return safe`${said('kind')}${detail['value'] === null || detail['value'] === undefined ? '' : ` ${said('value')}`} by ${paint.bold(said('by'))}${detail['text'] ? safe`: ${said('text')}` : ''}`;
    case 'approval_reminded':
      return safe`${said('approvalId')} still waits: a reminder went out`;
    case 'approval_escalated':
      return safe`${said('approvalId')} may now be decided by ${Array.isArray(detail['roles']) ? detail['roles'].join(', ') : said('roles')} too`;
    case 'approval_withdrawn':
      return safe`${said('approvalId')} is withdrawn: nobody need decide it any more`;
    default:
      return null;
  }
}
