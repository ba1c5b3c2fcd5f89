import type { Approval, DecisionRecord } from '../contracts/approval.ts';
import type { ApprovalKind, DecisionKind, RefusalCode } from '../contracts/reasons.ts';
import { DECISIONS } from '../contracts/reasons.ts';
import { canonicalText, isObject, own, unknownKeys } from './json-value.ts';
import type { Parsed } from './message-payloads.ts';
import { readText, refuse, unknownText } from './message-payloads.ts';

/** A `decide` that was read. */
export interface CheckedDecide {
  approvalId: string;
  decision: DecisionKind;
  hash: string | null;
  by: string;
  reason: string;
  /** `edit`: an object. `respond`: a string. Else null. */
  value: unknown;
}

export type DecideCheck =
  | { ok: true; decide: CheckedDecide; approval: Approval; /** The same person had decided the same before. */ repeated: boolean }
  | { ok: false; code: RefusalCode; text: string };

const FIELDS = ['approvalId', 'decision', 'hash', 'by', 'reason', 'value'];
/** UTF-16 units, as in `decideSchema`. */
const MAX_NAME = 200;
const MAX_REASON = 4_000;
const MAX_RESPONSE = 8_000;
/** Of an edit's JSON: it is part of the state that people poll. */
const MAX_EDIT = 64_000;

const ALLOWED: Record<ApprovalKind, readonly DecisionKind[]> = {
  tool_call: ['approve', 'reject', 'edit'],
  output: ['approve', 'reject', 'edit', 'respond'],
  handoff: ['approve', 'reject', 'respond'],
  question: ['respond', 'reject'],
  rule: ['approve', 'reject', 'edit'],
};

/**
 * Whether a decision counts. Never throws, whatever the payload; what is refused changes nothing and says why.
 * @param now workflow time, Unix ms
 * @param options.ready false until the snapshot is loaded
 */
export function validateDecide(payload: unknown, approvals: Approval[], now: number, options: { ready: boolean }): DecideCheck {
  if (!options.ready) return refuse('not_ready', 'The task is still starting: try again in a moment.');
  const parsed = parseDecide(payload);
  if (!parsed.ok) return parsed;
  const decide = parsed.value;
  const approval = approvals.find(({ id }) => id === decide.approvalId);
  if (!approval) return refuse('unknown_approval', `There is no approval ${JSON.stringify(decide.approvalId)}. ${pendingText(approvals)}`);
  const rightHash = decide.hash === approval.hash;
  if (approval.status !== 'pending') {
    return rightHash && isRepeat(decide, approval) ? { ok: true, decide, approval, repeated: true } : decidedBefore(approval);
  }
  if (now >= approval.expiresAt) return refuse('expired', `Approval ${approval.id} expired at ${approval.expiresAt} (Unix ms).`);
  if (!rightHash) return refuse('wrong_hash', hashText(decide, approval));
  if (!ALLOWED[approval.kind].includes(decide.decision)) {
    return refuse('not_allowed', `"${decide.decision}" can't answer ${approval.id}, which is of kind ${approval.kind}. Allowed: ${ALLOWED[approval.kind].join(', ')}.`);
  }
  if (isScore(decide.value) && approval.kind !== 'output') return refuse('malformed', `Only an output has a score; ${approval.id} is of kind ${approval.kind}. Leave "value" out.`);
  return { ok: true, decide, approval, repeated: false };
}

/** A person's score of an output, 0..100. */
function isScore(value: unknown): boolean {
  if (!isObject(value) || unknownKeys(value, ['score']).length > 0) return false;
  const score = own(value, 'score');
  return typeof score === 'number' && score >= 0 && score <= 100;
}

function parseDecide(payload: unknown): Parsed<CheckedDecide> {
  if (!isObject(payload)) return refuse('malformed', 'A decision is {"approvalId": "…", "decision": "approve", "hash": "…", "by": "…"}.');
  const unknown = unknownKeys(payload, FIELDS);
  if (unknown.length > 0) return refuse('malformed', unknownText('decide', unknown, FIELDS.join(', ')));
  const approvalId = readText(payload, 'approvalId', MAX_NAME);
  if (!approvalId.ok) return approvalId;
  const decision = DECISIONS.find((kind) => kind === own(payload, 'decision'));
  if (!decision) return refuse('malformed', `"decision" must be one of ${DECISIONS.join(', ')}.`);
  const by = readText(payload, 'by', MAX_NAME);
  if (!by.ok) return by;
  const reason = readText(payload, 'reason', MAX_REASON, '');
  if (!reason.ok) return reason;
  const hash = own(payload, 'hash') ?? null;
  if (hash !== null && typeof hash !== 'string') return refuse('malformed', '"hash" must be a string.');
  const value = own(payload, 'value') ?? null;
  const refusal = checkValue(decision, value);
  return refusal ?? { ok: true, value: { approvalId: approvalId.value, decision, hash, by: by.value.trim(), reason: reason.value, value } };
}

function checkValue(decision: DecisionKind, value: unknown): Parsed<never> | null {
  switch (decision) {
    case 'approve':
    case 'reject':
      // Silently leaving out a change that somebody meant to make would approve something else.
      return value === null || isScore(value)
        ? null
        : refuse('malformed', `"value" does not go with "${decision}", except {"score": 0..100} for an output; use "edit" to change what is approved.`);
    case 'edit':
      if (!isObject(value)) return refuse('malformed', '"value" must be an object: the whole new arguments or output.');
      return canonicalText(value, MAX_EDIT) === null ? refuse('too_large', `"value" must be JSON of at most ${MAX_EDIT} characters, nested at most 64 deep.`) : null;
    case 'respond':
      if (typeof value !== 'string' || value.trim() === '') return refuse('malformed', '"value" must be the answer: a string that is not empty.');
      return value.length > MAX_RESPONSE ? refuse('too_large', `The answer has ${value.length} characters; at most ${MAX_RESPONSE} are allowed.`) : null;
  }
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

function valueText(value: unknown): string | null {
  return value === null || typeof value === 'string' ? value : canonicalText(value, MAX_EDIT);
}

function isRepeat(decide: CheckedDecide, { decision, status }: Approval): boolean {
  if (!decision || decision.via === 'timeout' || status === 'withdrawn') return false;
  return decision.decision === decide.decision && decision.by === decide.by && (decision.value ?? null) === valueText(decide.value);
}

function decidedBefore({ id, status, decision }: Approval): Extract<DecideCheck, { ok: false }> {
  if (status === 'withdrawn') return refuse('expired', `Approval ${id} was withdrawn: the task no longer needs it.`);
  if (status === 'expired' || decision?.via === 'timeout') return refuse('expired', `Approval ${id} expired: nobody had answered in time.`);
  const first = decision ? `"${decision.decision}" by ${decision.by}` : status;
  return refuse('already_decided', `Approval ${id} was decided already: ${first}. That stands.`);
}

/** The record of a decision that counts. */
export function recordOf(decide: CheckedDecide, now: number, via: 'update' | 'signal'): DecisionRecord {
  return { decision: decide.decision, by: decide.by, at: now, reason: decide.reason, via, value: valueText(decide.value), roles: [], token: null };
}

/** What an approval becomes by a decision. */
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
 * dangerous, which nobody's silence allows. All else makes it `expired`; the caller acts by `onTimeout`.
 */
export function applyTimeout(approval: Approval, now: number): Approval {
  if (approval.status !== 'pending') return approval;
  const approves = approval.onTimeout === 'approve' && approval.risk !== 'dangerous';
  const reason = approval.onTimeout === 'approve' && !approves ? TIMEOUT_TEXT.reject : TIMEOUT_TEXT[approval.onTimeout];
  const decision: DecisionRecord = { decision: approves ? 'approve' : 'reject', by: 'timeout', at: now, reason, via: 'timeout', value: null, roles: [], token: null };
  return { ...approval, status: approves ? 'approved' : 'expired', decision };
}
