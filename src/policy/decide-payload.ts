import type { DecisionToken } from '../contracts/approval.ts';
import type { DecisionKind } from '../contracts/reasons.ts';
import { DECISIONS } from '../contracts/reasons.ts';
import { canonicalText, isObject, own, unknownKeys } from './json-value.ts';
import type { Parsed } from './message-payloads.ts';
import { readText, refuse, unknownText } from './message-payloads.ts';

/** A `decide` that was read. Nothing is known yet of who sent it. */
export interface CheckedDecide {
  approvalId: string;
  decision: DecisionKind;
  hash: string | null;
  by: string;
  reason: string;
  /** `edit`: an object. `respond`: a string. A score: `{score}`. Else null. */
  value: unknown;
  token: DecisionToken | null;
}

const FIELDS = ['approvalId', 'decision', 'hash', 'by', 'reason', 'value', 'token'];
const TOKEN_FIELDS = ['keyId', 'tokenId', 'roles', 'expiresAt', 'signature'];
/** UTF-16 units, as in `decideSchema`. */
const MAX_NAME = 200;
const MAX_REASON = 4_000;
const MAX_RESPONSE = 8_000;
/** Of an edit's JSON. */
const MAX_EDIT = 64_000;
const MAX_ROLES = 50;

/** Reads the payload of `decide`. Never throws. */
export function parseDecide(payload: unknown): Parsed<CheckedDecide> {
  if (!isObject(payload)) return refuse('malformed', 'A decision is {"approvalId": "…", "decision": "approve", "hash": "…", "by": "…", "token": {…}}.');
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
  if (refusal) return refusal;
  const token = parseToken(own(payload, 'token') ?? null);
  if (!token.ok) return token;
  return { ok: true, value: { approvalId: approvalId.value, decision, hash, by: by.value.trim(), reason: reason.value, value, token: token.value } };
}

function parseToken(token: unknown): Parsed<DecisionToken | null> {
  if (token === null) return { ok: true, value: null };
  if (!isObject(token)) return refuse('malformed', `"token" must be an object with ${TOKEN_FIELDS.join(', ')}.`);
  const unknown = unknownKeys(token, TOKEN_FIELDS);
  if (unknown.length > 0) return refuse('malformed', unknownText('token', unknown, TOKEN_FIELDS.join(', ')));
  const keyId = readText(token, 'keyId', MAX_NAME);
  if (!keyId.ok) return keyId;
  const tokenId = readText(token, 'tokenId', MAX_NAME);
  if (!tokenId.ok) return tokenId;
  const roles = own(token, 'roles');
  if (!isRoles(roles)) return refuse('malformed', `"roles" must be a list of at most ${MAX_ROLES} names.`);
  const expiresAt = own(token, 'expiresAt');
  if (!Number.isSafeInteger(expiresAt)) return refuse('malformed', '"expiresAt" must be a time in Unix ms.');
  const signature = own(token, 'signature');
  if (typeof signature !== 'string' || !/^[0-9a-f]{128}$/.test(signature)) return refuse('malformed', '"signature" must be 128 hexadecimal digits.');
  return { ok: true, value: { keyId: keyId.value, tokenId: tokenId.value, roles, expiresAt: expiresAt as number, signature } };
}

function isRoles(roles: unknown): roles is string[] {
  return Array.isArray(roles) && roles.length <= MAX_ROLES && roles.every((role) => typeof role === 'string' && role !== '' && role.length <= MAX_NAME);
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

/** A person's score of an output, 0..100. */
export function isScore(value: unknown): boolean {
  if (!isObject(value) || unknownKeys(value, ['score']).length > 0) return false;
  const score = own(value, 'score');
  return typeof score === 'number' && score >= 0 && score <= 100;
}

/** The value as a decision record holds it: an answer as it is, all else as canonical JSON. */
export function valueText(value: unknown): string | null {
  return value === null || typeof value === 'string' ? value : canonicalText(value, MAX_EDIT);
}
