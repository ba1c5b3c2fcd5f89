/** What people were asked, and what they said. */
import type { DecisionRecord } from '../../contracts/approval.ts';
import type { StoredApproval } from '../../store/approvals.ts';
import { cut, time } from '../text/format.ts';
import { type Safe, safe } from '../text/safe.ts';
import type { Entry } from './entry.ts';
import { FULL, line, more, type TrajectoryOptions } from './line.ts';

export function approvalEntries(approval: StoredApproval, options: TrajectoryOptions): Entry[] {
  const opened: Entry = { key: `approval ${approval.id}`, at: approval.createdAt, rank: 3, lines: askedLines(approval, options) };
  const { decision, id, status } = approval;
  const votes = approval.votes
    .filter((vote) => vote.at !== decision?.at || vote.by !== decision.by)
    .map((vote) => ({
      key: `approval ${id} vote ${vote.by}`,
      at: vote.at,
      rank: 3.4,
      lines: decidedLines(approval, vote, options.paint.green('approved (one more must)'), options),
    }));
  if (status === 'pending') return [opened, ...votes];
  if (!decision) return [opened, ...votes]; // withdrawn: the log says when
  const mark = status === 'approved' || status === 'responded' ? options.paint.green(status) : options.paint.yellow(status);
  return [opened, ...votes, { key: `approval ${id} ${status}`, at: decision.at, rank: 3.5, lines: decidedLines(approval, decision, mark, options) }];
}

function askedLines(approval: StoredApproval, options: TrajectoryOptions): Safe[] {
  const { paint, full } = options;
  const what = safe`${paint.magenta(approval.kind === 'question' ? 'is asked' : 'must decide')} ${approval.id}${approval.tool ? safe` ${paint.cyan(approval.tool)} (${approval.risk})` : ''}`;
  const asked = [line(options, 'person', what), more(approval.summary)];
  if (approval.kind !== 'question') asked.push(more(safe`exactly: ${cut(approval.payload, full ? FULL : 300)}`));
  if (full) asked.push(more(paint.dim(safe`hash ${approval.hash ?? 'none'} · until ${time(approval.expiresAt)}, then ${approval.onTimeout}`)));
  return asked;
}

function decidedLines(approval: StoredApproval, decision: DecisionRecord, status: Safe, options: TrajectoryOptions): Safe[] {
  const { paint, full } = options;
  const how = full ? ` (${decision.via}, ${decision.token ? `signed with ${decision.token.keyId}` : 'not signed'}, ${time(decision.at)})` : '';
  const body = [line(options, 'decided', safe`${approval.id} ${status} by ${paint.bold(decision.by)}${decision.reason ? safe`: ${cut(decision.reason, FULL)}` : ''}${how}`)];
  if (decision.value !== null) body.push(more(safe`${approval.kind === 'question' ? 'answer' : 'value'}: ${cut(decision.value, full ? FULL : 300)}`));
  return body;
}
