import type { Approval, DecisionRecord } from '../contracts/approval.ts';
import type { ApprovalKind, DecisionKind, RefusalCode } from '../contracts/reasons.ts';
import { hasValue } from './approval-change.ts';
import { type CheckedDecide, isScore, parseDecide } from './decide-payload.ts';
import { authenticate, type DecideContext, identify, whyNotDecide } from './decider.ts';
import { refuse } from './message-payloads.ts';

export type DecideCheck =
  | { ok: true; decide: CheckedDecide; approval: Approval; /** What the same person had decided the same before; null: this decides. */ repeats: DecisionRecord | null }
  | { ok: false; code: RefusalCode; text: string };

/** Which decisions fit an approval. */
export const ALLOWED_DECISIONS: Record<ApprovalKind, readonly DecisionKind[]> = {
  tool_call: ['approve', 'reject', 'edit'],
  output: ['approve', 'reject', 'edit', 'respond'],
  handoff: ['approve', 'reject', 'respond'],
  question: ['respond', 'reject'],
  rule: ['approve', 'reject', 'edit'],
};

/**
 * Whether a decision counts: it is for an approval that waits, proven to be by somebody who may decide it, about exactly what was asked.
 * Pure, and never throws, whatever the payload; what is refused changes nothing and says what to do.
 * @param context null until the snapshot is loaded
 */
export function validateDecide(payload: unknown, approvals: Approval[], context: DecideContext | null): DecideCheck {
  if (!context) return refuse('not_ready', 'The task is still starting: try again in a moment.');
  const parsed = parseDecide(payload);
  if (!parsed.ok) return parsed;
  const decide = parsed.value;
  const approval = approvals.find(({ id }) => id === decide.approvalId);
  if (!approval) return refuse('unknown_approval', `There is no approval ${JSON.stringify(decide.approvalId)}. ${pendingText(approvals)}`);
  const repeats = decide.hash === approval.hash ? earlierOf(decide, approval) : null;
  if (repeats && isAuthentic(decide, approval, repeats, context)) return { ok: true, decide, approval, repeats };
  if (approval.status !== 'pending') return decidedBefore(approval);
  if (context.now >= approval.expiresAt) return refuse('expired', `Approval ${approval.id} expired at ${approval.expiresAt} (Unix ms).`);
  return refusalOf(decide, approval, context) ?? { ok: true, decide, approval, repeats: null };
}

/** In this order: who it is, about what, whether it fits, whether they may. */
function refusalOf(decide: CheckedDecide, approval: Approval, context: DecideContext): Extract<DecideCheck, { ok: false }> | null {
  const identified = identify(decide, approval, context);
  if (!identified.ok) return identified;
  if (decide.hash !== approval.hash) return refuse('wrong_hash', hashText(decide, approval));
  const allowed = ALLOWED_DECISIONS[approval.kind];
  if (!allowed.includes(decide.decision))
    return refuse('not_allowed', `"${decide.decision}" can't answer ${approval.id}, which is of kind ${approval.kind}. Allowed: ${allowed.join(', ')}.`);
  if (isScore(decide.value) && decide.decision !== 'edit' && approval.kind !== 'output')
    return refuse('malformed', `Only an output has a score; ${approval.id} is of kind ${approval.kind}. Leave "value" out.`);
  return whyNotDecide(approval, { by: decide.by, roles: identified.roles }, decide.decision, context);
}

/** What the same person decided before, as the decision or as a vote, when this says the same. */
function earlierOf(decide: CheckedDecide, { decision, votes, status }: Approval): DecisionRecord | null {
  if (status === 'withdrawn') return null;
  const earlier = [...(decision ? [decision] : []), ...votes].find((record) => record.via !== 'timeout' && record.by === decide.by && record.decision === decide.decision);
  return earlier && hasValue(earlier, decide.value) ? earlier : null;
}

/** A repeat changes nothing, so its token may be used or over; but nobody else gets an answer in another's name. */
function isAuthentic(decide: CheckedDecide, approval: Approval, earlier: DecisionRecord, context: DecideContext): boolean {
  return !decide.token && !earlier.token ? true : authenticate(decide, approval, context).ok;
}

function pendingText(approvals: Approval[]): string {
  const pending = approvals
    .filter(({ status }) => status === 'pending')
    .slice(0, 20)
    .map(({ id }) => id);
  return pending.length > 0 ? `Waiting: ${pending.join(', ')}.` : 'None is waiting.';
}

function hashText(decide: CheckedDecide, approval: Approval): string {
  if (approval.hash === null) return `Approval ${approval.id} has no hash: leave "hash" out.`;
  return decide.hash === null
    ? `Approval ${approval.id} needs "hash": "${approval.hash}", to say that exactly this was seen.`
    : `The hash is not that of approval ${approval.id}: what you saw is not what waits. Look again and use "${approval.hash}".`;
}

function decidedBefore({ id, status, decision }: Approval): Extract<DecideCheck, { ok: false }> {
  if (status === 'withdrawn') return refuse('expired', `Approval ${id} was withdrawn: the task no longer needs it.`);
  if (status === 'expired' || decision?.via === 'timeout') return refuse('expired', `Approval ${id} expired: nobody had answered in time.`);
  const first = decision ? `"${decision.decision}" by ${decision.by}` : status;
  return refuse('already_decided', `Approval ${id} was decided already: ${first}. That stands.`);
}
