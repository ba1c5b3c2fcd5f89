import { ApplicationFailure, condition } from '@temporalio/workflow';
import type { Approval, DecideResult, DecisionRecord } from '../contracts/approval.ts';
import { DECIDE } from '../contracts/names.ts';
import { validateDecide, type DecideCheck } from '../policy/approval.ts';
import { held, recordOf, stillNeeds, withDecision } from '../policy/approval-change.ts';
import { type DecideContext, withUsedToken } from '../policy/decider.ts';
import type { MessageKind } from './message-kind.ts';
import { auditDecision } from './stages.ts';
import { refreshDetails, type Task } from './task.ts';

type Accepted = Extract<DecideCheck, { ok: true }>;

/** A person's decision: checked purely, written down, then applied. Of two at the same time the second waits and is judged after the first. */
export const decide: MessageKind<Accepted, DecideResult> = {
  name: DECIDE,
  description: 'Decide an approval: {approvalId, decision: approve|reject|edit|respond, hash, by, reason, value?, token}',
  check: (task, payload) => {
    const checked = validateDecide(payload, task.live.approvals, contextOf(task));
    if (checked.ok && !checked.repeats && task.closing) return { ok: false, code: 'task_closed', text: 'The task is closed; nothing was changed.' };
    return checked.ok ? { ok: true, value: checked } : checked;
  },
  apply: async (task, first, via, again) => {
    let accepted = first;
    const { id } = accepted.approval;
    while (task.deciding.has(id)) {
      await condition(() => !task.deciding.has(id));
      accepted = again();
    }
    if (accepted.repeats) return resultOf(accepted.approval, accepted.repeats, true);
    task.deciding.add(id);
    try {
      return await take(task, accepted, via);
    } finally {
      task.deciding.delete(id);
    }
  },
};

function contextOf(task: Task): DecideContext | null {
  const { snapshot } = task.loop;
  return snapshot && { taskId: task.id, startedBy: snapshot.startedBy, decisions: snapshot.decisions, usedTokens: task.live.usedTokens, now: Date.now() };
}

/** Nothing has changed until the decision is in the audit. @throws ApplicationFailure `revoked_key`, `audit_unavailable` */
async function take(task: Task, { decide: payload, approval }: Accepted, via: 'update' | 'signal'): Promise<DecideResult> {
  const { live } = task;
  const whole = recordOf(payload, Date.now(), via);
  const record = held(whole);
  const { revoked } = await written(task, approval, withDecision(approval, record), whole);
  if (revoked) throw ApplicationFailure.nonRetryable(`Key ${whole.token?.keyId ?? ''} was revoked: sign with another one.`, 'revoked_key');
  const decided = withDecision(live.approvals.find((each) => each.id === approval.id) ?? approval, record);
  live.approvals = live.approvals.map((each) => (each.id === decided.id ? decided : each));
  if (record.token) live.usedTokens = withUsedToken(live.usedTokens, record.token, Date.now());
  if (!live.unwritten.includes(decided.id)) live.unwritten.push(decided.id);
  live.askedPerson = true;
  refreshDetails(task);
  return resultOf(decided, record, false);
}

function resultOf(approval: Approval, decision: DecisionRecord, repeated: boolean): DecideResult {
  return { approvalId: approval.id, status: approval.status, decision, needs: stillNeeds(approval), repeated };
}

async function written(task: Task, before: Approval, after: Approval, record: DecisionRecord): Promise<{ revoked: boolean }> {
  const tenant = task.loop.snapshot?.tenant ?? task.start.tenant;
  try {
    return await auditDecision({ taskId: task.id, tenant, before, after, record });
  } catch {
    throw ApplicationFailure.nonRetryable(
      `The decision on ${before.id} could not be written down, so it does not count and nothing was changed. Try again in a moment.`,
      'audit_unavailable',
    );
  }
}
