import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Approval, DecisionRecord } from '../contracts/approval.ts';
import type { DecisionKind } from '../contracts/reasons.ts';
import { type CheckedDecide, valueText } from './decide-payload.ts';
import { rolesAt } from './decider.ts';
import { cutText } from './text.ts';

/** The record of a decision that counts, with its whole value. */
export function recordOf({ decision, by, reason, value, token }: CheckedDecide, now: number, via: 'update' | 'signal'): DecisionRecord {
  return {
    decision,
    by,
    at: now,
    reason,
    via,
    value: valueText(value),
    roles: token?.roles ?? [],
    token: token && { keyId: token.keyId, tokenId: token.tokenId, expiresAt: token.expiresAt, signature: token.signature },
  };
}

/** Characters of a value that the state holds; a longer one is in the store, under its hash. */
const MAX_HELD = 8_000;
const SHOWN = 500;

/** The record as the state holds it: a long value is named by its hash, and begins as it begins. */
export function held(record: DecisionRecord): DecisionRecord {
  const { value } = record;
  return value === null || value.length <= MAX_HELD ? record : { ...record, value: cutText(value, SHOWN), valueHash: hashOf(value) };
}

/** Whether the record holds this value. */
export function hasValue(record: DecisionRecord, value: unknown): boolean {
  const text = valueText(value);
  return record.valueHash === undefined ? (record.value ?? null) === text : text !== null && record.valueHash === hashOf(text);
}

/** sha256 of the text's UTF-8, hex: the name of a blob. */
function hashOf(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}

/** What an approval becomes by a decision: the first of two approvals is a vote, and it stays pending; one rejection decides. */
export function withDecision(approval: Approval, record: DecisionRecord): Approval {
  const isVote = record.decision === 'approve' && approval.votes.length + 1 < approval.approvers.quorum;
  return isVote ? { ...approval, votes: [...approval.votes, record] } : { ...approval, status: statusAfter(record.decision), decision: record };
}

/** How many more people must approve; 0 when it is decided. */
export function stillNeeds({ status, approvers, votes }: Approval): number {
  return status === 'pending' ? Math.max(1, approvers.quorum - votes.length) : 0;
}

/** What an approval becomes by a decision that decides it. */
export function statusAfter(decision: DecisionKind): Approval['status'] {
  switch (decision) {
    case 'approve':
      return 'approved';
    case 'reject':
      return 'rejected';
    case 'edit':
      return 'edited';
    case 'respond':
      return 'responded';
  }
}

const TIMEOUT_TEXT: Record<Approval['onTimeout'], string> = {
  approve: 'Nobody answered in time; it is approved by default.',
  reject: 'Nobody answered in time; it is rejected by default.',
  handoff: 'Nobody answered in time; the task is handed off.',
  continue: 'Nobody answered in time; the task goes on without an answer.',
};

/**
 * The approval once its time is over; one that is decided stays as it is. `approve` makes it `approved`, except for what is
 * dangerous or takes two people, which nobody's silence allows. All else makes it `expired`; the caller acts by `onTimeout`.
 */
export function applyTimeout(approval: Approval, now: number): Approval {
  if (approval.status !== 'pending') return approval;
  const approves = approval.onTimeout === 'approve' && approval.risk !== 'dangerous' && approval.approvers.quorum === 1;
  const reason = approval.onTimeout === 'approve' && !approves ? TIMEOUT_TEXT.reject : TIMEOUT_TEXT[approval.onTimeout];
  const decision: DecisionRecord = { decision: approves ? 'approve' : 'reject', by: 'timeout', at: now, reason, via: 'timeout', value: null, roles: [], token: null };
  return { ...approval, status: approves ? 'approved' : 'expired', decision };
}

/** When something happens to a waiting approval by itself, Unix ms: a reminder, an escalation, its expiry. */
export function nextDue({ remindAt, escalation, expiresAt }: Approval): number {
  return Math.min(remindAt ?? expiresAt, escalation?.at ?? expiresAt, expiresAt);
}

export type Prompt = 'reminded' | 'escalated';

/** A waiting approval after its reminder or escalation has come due, and which; null when none has. */
export function promptDue(approval: Approval, now: number): { approval: Approval; prompts: Prompt[] } | null {
  const reminded = approval.remindAt !== null && now >= approval.remindAt;
  const escalated = approval.escalation !== null && now >= approval.escalation.at;
  if (approval.status !== 'pending' || (!reminded && !escalated)) return null;
  return {
    prompts: [...(reminded ? (['reminded'] as const) : []), ...(escalated ? (['escalated'] as const) : [])],
    approval: {
      ...approval,
      remindAt: reminded ? null : approval.remindAt,
      escalation: escalated ? null : approval.escalation,
      approvers: { ...approval.approvers, roles: rolesAt(approval, now) },
    },
  };
}
