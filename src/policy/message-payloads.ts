import type { CancelPayload, MessagePayload, RestorePayload } from '../contracts/messages.ts';
import type { RefusalCode } from '../contracts/reasons.ts';
import { isObject, own, unknownKeys } from './json-value.ts';

/** A payload that was read, or why it was not. */
export type Parsed<Value> = { ok: true; value: Value } | { ok: false; code: RefusalCode; text: string };

/** UTF-16 units; the same as in the schemas of `contracts/messages.ts`, which workflow code can't import. */
const MAX_TEXT = 8_000;
const MAX_CANCEL_REASON = 1_000;
const MAX_NAME = 200;

export function refuse(code: RefusalCode, text: string): { ok: false; code: RefusalCode; text: string } {
  return { ok: false, code, text };
}

/** A text property: required unless there is a `fallback`, not blank, at most `max` UTF-16 units. */
export function readText(payload: Record<string, unknown>, key: string, max: number, fallback?: string): Parsed<string> {
  const value = own(payload, key) ?? fallback;
  if (typeof value !== 'string') return refuse('malformed', `"${key}" must be a string.`);
  if (value.length > max) return refuse('too_large', `"${key}" has ${value.length} characters; at most ${max} are allowed.`);
  if (value.trim() === '' && value !== fallback) return refuse('malformed', `"${key}" must not be empty.`);
  return { ok: true, value };
}

/** Reads the payload of `message`: `{text, by?, id?}`, or the text alone as the Temporal UI sends it. Never throws. */
export function parseMessage(payload: unknown): Parsed<MessagePayload> {
  const fields = typeof payload === 'string' ? { text: payload } : payload;
  if (!isObject(fields)) return refuse('malformed', 'A message is a string or {"text": "…", "by": "…"}.');
  const unknown = unknownKeys(fields, ['text', 'by', 'id']);
  if (unknown.length > 0) return refuse('malformed', unknownText('message', unknown, 'text, by, id'));
  const text = readText(fields, 'text', MAX_TEXT);
  if (!text.ok) return text;
  const by = readText(fields, 'by', MAX_NAME, 'user');
  if (!by.ok) return by;
  if (own(fields, 'id') === undefined) return { ok: true, value: { text: text.value, by: by.value } };
  const id = readText(fields, 'id', MAX_NAME);
  return id.ok ? { ok: true, value: { text: text.value, by: by.value, id: id.value } } : id;
}

/** Reads the payload of `cancel`: `{reason, by?}`, or the reason alone as the Temporal UI sends it. Never throws. */
export function parseCancel(payload: unknown): Parsed<CancelPayload> {
  const fields = typeof payload === 'string' ? { reason: payload } : payload;
  if (!isObject(fields)) return refuse('malformed', 'A cancellation is a reason as a string or {"reason": "…", "by": "…"}.');
  const unknown = unknownKeys(fields, ['reason', 'by']);
  if (unknown.length > 0) return refuse('malformed', unknownText('cancel', unknown, 'reason, by'));
  const reason = readText(fields, 'reason', MAX_CANCEL_REASON);
  if (!reason.ok) return reason;
  const by = readText(fields, 'by', MAX_NAME, 'unknown');
  return by.ok ? { ok: true, value: { reason: reason.value, by: by.value } } : by;
}

/** Reads the payload of `restore`: `{attempt, by, reason?}`. Never throws. */
export function parseRestore(payload: unknown): Parsed<RestorePayload> {
  if (!isObject(payload)) return refuse('malformed', 'A restore is {"attempt": 1, "by": "…", "reason": "…"}.');
  const unknown = unknownKeys(payload, ['attempt', 'by', 'reason']);
  if (unknown.length > 0) return refuse('malformed', unknownText('restore', unknown, 'attempt, by, reason'));
  const attempt = own(payload, 'attempt');
  if (typeof attempt !== 'number' || !Number.isSafeInteger(attempt) || attempt < 1) return refuse('malformed', '"attempt" must be the number of an attempt, from 1.');
  const by = readText(payload, 'by', MAX_NAME);
  if (!by.ok) return by;
  const reason = readText(payload, 'reason', MAX_CANCEL_REASON, '');
  return reason.ok ? { ok: true, value: { attempt, by: by.value, reason: reason.value } } : reason;
}

/** Names unknown properties without repeating a payload of any length. */
export function unknownText(message: string, unknown: string[], known: string): string {
  const names = unknown.slice(0, 5).map((name) => JSON.stringify(name.slice(0, 40)));
  return `"${message}" has no field ${names.join(', ')}${unknown.length > 5 ? ', …' : ''}. Fields: ${known}.`;
}
