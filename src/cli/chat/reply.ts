/** What an agent says to one message: drafts as they are written, what waits for people, then the answer. */
import type { AnyAgent } from '../../agents/define-agent.ts';
import type { Watched, Watcher } from '../../live/watch.ts';
import type { ChatMessageRow } from '../../store/chat-sessions.ts';
import type { StoredEvent } from '../../contracts/task-event.ts';
import { type Attached, storeOf } from '../attached.ts';
import type { LiveArea } from '../live/live-area.ts';
import { lines, type Paint, type Safe, safe } from '../text/safe.ts';
import { howToDecide } from '../trajectory/watch-task.ts';

export interface ReplyOptions {
  stack: Attached;
  watcher: Watcher;
  agent: AnyAgent;
  sessionId: string;
  taskId: string;
  paint: Paint;
  area: LiveArea;
  /** Number of the session's last message that was shown. */
  after: number;
  /** Number of the task's last event before the message was sent; 0 for a task that it began. */
  since: number;
}

/** Lines of a draft that are shown at once. */
const DRAFT_LINES = 8;
const MAX_MESSAGES = 100;

/** Ends when the agent has answered or asked. @returns what it said */
export async function awaitReply(options: ReplyOptions): Promise<ChatMessageRow[]> {
  const { watcher, taskId, agent, area, paint } = options;
  const abort = new AbortController();
  const drafts = new Map<string, string>();
  area.show([paint.dim('…')]);
  try {
    for await (const watched of watcher.watchTask(taskId, { after: options.since, signal: abort.signal, preview: agent.preview })) {
      showDraft(watched, drafts, area, paint);
      if (watched.type !== 'event') continue;
      drafts.clear();
      const said = await repliesAfter(options);
      if (said.length > 0) return said;
      area.show([paint.dim(doing(watched.event))]);
      for (const line of await whoMustDecide(options, watched.event)) area.say(line);
    }
    // the answer is written with the task's end
    return await repliesAfter(options);
  } finally {
    abort.abort();
    area.end();
  }
}

async function repliesAfter({ stack, sessionId, after }: ReplyOptions): Promise<ChatMessageRow[]> {
  const messages = await storeOf(stack).chatSessions.listAfter(sessionId, after, MAX_MESSAGES);
  return messages.filter(({ role }) => role === 'assistant');
}

/** What a model writes now, marked as what it is; a text that broke off goes away. */
export function showDraft(watched: Watched, drafts: Map<string, string>, area: LiveArea, paint: Paint): void {
  if (watched.type === 'delta') drafts.set(watched.callKey, (drafts.get(watched.callKey) ?? '').slice(0, watched.offset) + watched.text);
  else if (watched.type === 'delta_reset') drafts.delete(watched.callKey);
  else if (watched.type === 'delta_end' && !watched.complete) drafts.delete(watched.callKey);
  else return;
  const text = [...drafts.values()].at(-1) ?? '';
  area.show([
    paint.dim('draft, not checked yet:'),
    ...lines(text, '  ')
      .slice(-DRAFT_LINES)
      .map((line) => paint.dim(line)),
  ]);
}

function doing({ type, detail }: StoredEvent): string {
  if (type === 'tool_call_started') return `… ${String(detail['tool'])}`;
  if (type === 'approval_opened') return '… waits for a person';
  return `… ${type.replaceAll('_', ' ')}`;
}

async function whoMustDecide({ stack, taskId, paint }: ReplyOptions, { type, detail }: StoredEvent): Promise<Safe[]> {
  if (type !== 'approval_opened') return [];
  const approval = await storeOf(stack).approvals.get(taskId, String(detail['approvalId']));
  if (!approval || approval.kind === 'question' || approval.status !== 'pending') return [];
  return [safe`${paint.yellow('A person must decide')} ${approval.summary}`, ...howToDecide(paint, approval, stack.consoleUrl)];
}
