/** What waits for a person, decided one after the other at a terminal. */
import { RefusedError } from '../../client.ts';
import type { Decide } from '../../contracts/approval.ts';
import type { DecisionKind } from '../../contracts/reasons.ts';
import type { PendingApproval } from '../../store/approvals.ts';
import { readEvidence } from '../../store/evidence.ts';
import { approvalLines } from '../approval-lines.ts';
import { type Attached, storeOf } from '../attached.ts';
import type { Output } from '../output.ts';
import { count, cut, duration } from '../text/format.ts';
import { safe } from '../text/safe.ts';
import { visibleJson } from '../text/visible.ts';
import { currentUser } from '../user.ts';
import type { Prompts } from './prompts.ts';

/** Until nothing waits any more, or the person leaves. */
export async function openInbox(stack: Attached, output: Output, prompts: Prompts): Promise<void> {
  // a decision that was taken is written down a moment later
  const decided = new Set<string>();
  for (;;) {
    const pending = (await storeOf(stack).approvals.pending()).filter((approval) => !decided.has(keyOf(approval)));
    if (pending.length === 0) return output.print(safe`Nothing waits for a person.`);
    const chosen = await prompts.choose(`${count(pending.length, 'approval')} waiting. Which one?`, [
      ...pending.map((approval) => ({ name: titleOf(approval), value: approval, description: approval.summary })),
      { name: 'Leave', value: null },
    ]);
    if (chosen === null) return;
    if (await decideOne(stack, output, prompts, chosen)) decided.add(keyOf(chosen));
  }
}

const keyOf = ({ taskId, id }: PendingApproval): string => `${taskId} ${id}`;

function titleOf({ id, taskId, kind, tool, risk, expiresAt }: PendingApproval): string {
  return `${tool ?? kind.replace('_', ' ')} (${risk}) · ${taskId} · ${id} · ${duration(Math.max(0, expiresAt - Date.now()))} left`;
}

/** @returns whether it was decided */
async function decideOne(stack: Attached, output: Output, prompts: Prompts, approval: PendingApproval): Promise<boolean> {
  await showWhole(stack, output, approval);
  const decision = await prompts.choose<DecisionKind | null>('Your decision', [...choicesFor(approval), { name: 'Back', value: null }]);
  if (decision === null) return false;
  const payload = await complete(prompts, approval, decision);
  if (payload === null) return false;
  try {
    const result = await stack.loopwright.task(approval.taskId).decide(payload);
    const needs = result.needs > 0 ? `; ${result.needs} more must approve` : '';
    output.print(safe`${output.paint.green('✓')} ${approval.id} of ${approval.taskId} ${result.status} by ${result.decision.by}${needs}`);
    return true;
  } catch (error) {
    // somebody else was quicker, or may decide and this person may not: the list is read again
    if (!(error instanceof RefusedError)) throw error;
    output.print(safe`${output.paint.red('✗')} ${error.message}`);
    return false;
  } finally {
    output.print();
  }
}

/** The approval itself, and what an approver goes by: why the model wants it, what tools said before, what evaluators found. */
async function showWhole(stack: Attached, { paint, print }: Output, approval: PendingApproval): Promise<void> {
  print();
  approvalLines(paint, approval, { whole: true }).forEach((line) => print(line));
  const { turn, toolCalls, verdicts } = await readEvidence(storeOf(stack).database, approval);
  const row = (label: string, text: string): void => print(safe`  ${paint.dim(label.padEnd(9))} ${text}`);
  if (turn?.reason) row('reason', `${turn.reason}${turn.confidence === null ? '' : ` (confidence ${turn.confidence})`}`);
  for (const call of toolCalls) row('before', `${call.tool} ${cut(call.arguments ?? '', 120)} → ${call.status}`);
  for (const verdict of verdicts.filter(({ passed }) => !passed)) row('verdict', `${verdict.evaluator}: ${cut(verdict.evidence, 200)}`);
  print();
}

function choicesFor({ kind }: PendingApproval): { name: string; value: DecisionKind }[] {
  const approve = { name: 'Approve exactly this', value: 'approve' as const };
  const reject = { name: 'Reject, with a reason', value: 'reject' as const };
  const edit = { name: 'Edit, then let that run', value: 'edit' as const };
  const respond = { name: 'Answer in your own words', value: 'respond' as const };
  switch (kind) {
    case 'question':
      return [respond, reject];
    case 'tool_call':
      return [approve, reject, edit];
    case 'output':
      return [approve, reject, respond];
    case 'handoff':
      return [respond, approve, reject];
    case 'rule':
      return [approve, reject];
  }
}

/** Asks for what the decision needs; null: the person thought again. */
async function complete(prompts: Prompts, approval: PendingApproval, decision: DecisionKind): Promise<Decide | null> {
  const common = { approvalId: approval.id, decision, by: currentUser(), ...(approval.hash === null ? {} : { hash: approval.hash }) };
  if (decision === 'respond') return { ...common, value: await prompts.ask('Your answer', 'Type the answer.') };
  if (decision === 'edit') {
    const text = await prompts.edit('The whole new arguments', visibleJson(JSON.parse(approval.payload), 2), (edited) => problemOf(edited));
    return { ...common, value: JSON.parse(text) as unknown, reason: await prompts.ask('Why (the model is told)') };
  }
  if (decision === 'reject') return { ...common, reason: await prompts.ask('Why not (the model is told)', 'Say why: the model is told.') };
  if (approval.risk === 'dangerous' && !(await prompts.confirm(`${approval.tool ?? 'This'} is dangerous. Let exactly what is shown run?`))) return null;
  return { ...common, reason: await prompts.ask('Why (may be empty)') };
}

function problemOf(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? null : 'It must be a JSON object.';
  } catch (error) {
    return `It is not JSON: ${(error as Error).message}`;
  }
}
