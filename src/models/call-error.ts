import { APIConnectionTimeoutError } from 'openai';
import type { Observed } from './bounded-fetch.ts';
import { MAX_RESPONSE_BYTES } from './bounded-fetch.ts';
import { ModelCallError } from './model.ts';
import { retryAfterMs } from './retry-after.ts';

/** A reply that was broken off, by the stream's end or by the provider's own word. */
export class Interruption extends Error {}
/** A 200 that holds an error, or no completion at all. */
export class ErrorReply extends Error {
  readonly body: unknown;
  constructor(body: unknown) {
    super('the reply is no completion');
    this.body = body;
  }
}

const RETRYABLE_STATUSES = new Set([408, 409, 425, 429]);
/** Codes of a 429 or 403 that waiting does not cure. */
const FINAL_CODES = new Set(['insufficient_quota', 'billing_hard_limit_reached', 'billing_not_active', 'account_deactivated']);
const PREVIEW_CHARS = 300;

interface CallFacts {
  observed: Observed;
  /** "writer (gpt-4o)" */
  label: string;
  apiKey: string;
  timeoutMs: number;
  receivedChars: number;
  aborted: boolean;
  timedOut: boolean;
}

/** Any failure of a call as the one error of the port. Its message holds no secret and has no cause that could. */
export function toCallError(error: unknown, facts: CallFacts): ModelCallError {
  if (error instanceof ModelCallError) return error;
  const { observed, label, receivedChars } = facts;
  const status = observed.status;
  if (observed.tooLarge !== null) {
    return new ModelCallError(`${label}: the response is too large (${observed.tooLarge} bytes, limit ${MAX_RESPONSE_BYTES})`, {
      kind: 'http',
      status,
      retryable: false,
      receivedChars,
    });
  }
  if (facts.aborted) return new ModelCallError(`${label}: the call was cancelled`, { kind: 'aborted', status, retryable: false, receivedChars });
  if (status !== null && status >= 400) return statusError(status, parse(observed.errorText), facts);
  if (facts.timedOut) {
    const where = status === null ? 'no response' : `${receivedChars} characters, no end`;
    return new ModelCallError(`${label}: timed out after ${facts.timeoutMs} ms (${where})`, { kind: 'timeout', status, retryable: true, receivedChars });
  }
  if (error instanceof ErrorReply) return errorReply(error.body, facts);
  const providerError = (error as { error?: unknown } | null)?.error;
  if (status !== null && providerError !== undefined) return errorReply({ error: providerError }, facts);
  if (status !== null)
    return new ModelCallError(`${label}: the reply was interrupted after ${receivedChars} characters (${preview(reason(error), facts.apiKey)})`, {
      kind: 'interrupted',
      status,
      retryable: true,
      receivedChars,
    });
  if (error instanceof APIConnectionTimeoutError) return new ModelCallError(`${label}: timed out while connecting`, { kind: 'timeout', retryable: true });
  return new ModelCallError(`${label}: no connection (${preview(reason(error), facts.apiKey)})`, { kind: 'network', retryable: true });
}

function statusError(status: number, body: unknown, facts: CallFacts): ModelCallError {
  const code = codeOf(body);
  const retryable = (RETRYABLE_STATUSES.has(status) || status >= 500) && !FINAL_CODES.has(code ?? '') && !FINAL_CODES.has(typeOf(body) ?? '');
  return new ModelCallError(`${facts.label}: HTTP ${status}${code ? ` ${preview(code, facts.apiKey)}` : ''}: ${preview(body, facts.apiKey)}`, {
    kind: 'http',
    status,
    retryable,
    code,
    retryAfterMs: retryable && facts.observed.headers ? retryAfterMs(facts.observed.headers, body, Date.now()) : null,
    receivedChars: facts.receivedChars,
  });
}

/** An error inside a 200: its own code is the status where it is one (OpenRouter), else what it says decides. */
function errorReply(body: unknown, facts: CallFacts): ModelCallError {
  const error = (body as { error?: { code?: unknown; status?: unknown } | null } | null)?.error;
  const status = [error?.code, error?.status].map(Number).find((value) => value >= 400 && value < 600);
  if (status !== undefined) return statusError(status, body, facts);
  const words = `${codeOf(body) ?? ''} ${typeOf(body) ?? ''}`;
  if (/rate_limit/.test(words)) return statusError(429, body, facts);
  const final = FINAL_CODES.has(codeOf(body) ?? '') || /invalid_request|authentication|permission/.test(words);
  // In the middle of a stream: the provider broke down, not the request.
  if (error && !final)
    return new ModelCallError(`${facts.label}: the provider reported an error after HTTP 200: ${preview(body, facts.apiKey)}`, {
      kind: 'interrupted',
      status: 200,
      retryable: true,
      code: codeOf(body),
      receivedChars: facts.receivedChars,
    });
  return new ModelCallError(`${facts.label}: HTTP 200 without a completion (is the base URL right?): ${preview(body, facts.apiKey)}`, {
    kind: 'http',
    status: 200,
    retryable: false,
    code: codeOf(body),
    receivedChars: facts.receivedChars,
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** The `error` object of a body; some providers wrap it in a list. */
function errorOf(body: unknown): Record<string, unknown> {
  const first: unknown = Array.isArray(body) ? body[0] : body;
  const error: unknown = (first as { error?: unknown } | null)?.error ?? first;
  return typeof error === 'object' && error !== null ? (error as Record<string, unknown>) : {};
}

function codeOf(body: unknown): string | null {
  const { code } = errorOf(body);
  return typeof code === 'string' && code !== '' ? code : null;
}

function typeOf(body: unknown): string | null {
  const { type } = errorOf(body);
  return typeof type === 'string' ? type : null;
}

/** What a body says, on one line, cut, without anything that looks like a key. */
function preview(body: unknown, apiKey: string): string {
  const { message } = errorOf(body);
  const text = typeof message === 'string' ? message : typeof body === 'string' ? body : JSON.stringify(body ?? '');
  const line = withoutSecrets(text, apiKey)
    .replaceAll(/<[^>]{1,200}>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return line.length > PREVIEW_CHARS ? `${line.slice(0, PREVIEW_CHARS).toWellFormed()}…` : line || 'no text';
}

function withoutSecrets(text: string, apiKey: string): string {
  const known = apiKey.length >= 4 ? text.replaceAll(apiKey, '[key]') : text;
  return known
    .replaceAll(/\b(?:sk|rk|pk|key|gsk|xai)-[\w*.-]{4,}/g, '[key]')
    .replaceAll(/\bAIza[\w-]{8,}/g, '[key]')
    .replaceAll(/\bBearer\s+[^\s"',]+/gi, 'Bearer [key]')
    .replaceAll(/(authorization|api[_-]?key)(["']?\s*[:=]\s*["']?)(?!Bearer)[^\s"',}]+/gi, '$1$2[key]');
}

function reason(error: unknown): string {
  const cause = (error as { cause?: { message?: string; code?: string; cause?: { code?: string; message?: string } } } | null)?.cause;
  const code = cause?.code ?? cause?.cause?.code;
  return [error instanceof Error ? error.message : String(error), code ?? cause?.cause?.message ?? cause?.message].filter(Boolean).join(': ');
}
