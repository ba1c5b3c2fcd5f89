import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { z } from 'zod';
import { LoopwrightError, RefusedError } from '../../client/errors.ts';
import { ChatError } from '../../live/chat-error.ts';
import { RuleMoveRefused } from '../../store/rules.ts';
import type { Problem } from '../../contracts/api/problem.ts';
import type { RefusalCode } from '../../contracts/reasons.ts';

/** Statuses of errors. */
type ErrorStatus = 400 | 401 | 403 | 404 | 405 | 409 | 410 | 413 | 415 | 422 | 429 | 500 | 503;

const TITLES: Record<ErrorStatus, string> = {
  400: 'The request could not be read',
  401: 'Sign in first',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Not possible with this method',
  409: 'In conflict with what is there',
  410: 'Too late',
  413: 'Too large',
  415: 'Not JSON',
  422: 'A field is wrong',
  429: 'Too many requests',
  500: 'An error in the server',
  503: 'Not available now',
};

/** An answer that is an error; thrown from anywhere in a request. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly problem: Problem;
  constructor(status: ErrorStatus, code: string, detail: string, more: Pick<Problem, 'field' | 'errors' | 'retryAfter'> = {}, options: { cause?: unknown } = {}) {
    super(detail, options);
    this.problem = { type: 'about:blank', title: TITLES[status], status, detail, code, ...more };
  }
}

export function notFound(what: string): ProblemError {
  return new ProblemError(404, 'not_found', `There is no ${what}.`);
}

/** A field `agent` that names none. */
export function unknownAgent(name: string, agents: Readonly<Record<string, unknown>>): ProblemError {
  return new ProblemError(422, 'unknown_agent', `There is no agent ${JSON.stringify(name)}. There are: ${Object.keys(agents).join(', ')}.`, { field: 'agent' });
}

/** How a decision, message, tune, cancel or restore that changed nothing is told over HTTP. */
const REFUSAL_STATUS: Record<RefusalCode, ErrorStatus> = {
  not_ready: 503,
  malformed: 422,
  unknown_approval: 404,
  already_decided: 409,
  expired: 410,
  wrong_hash: 409,
  not_allowed: 422,
  out_of_range: 422,
  too_large: 413,
  task_closed: 409,
  too_many: 429,
  unsigned: 403,
  unknown_key: 403,
  bad_signature: 403,
  token_expired: 403,
  token_used: 409,
  revoked_key: 403,
  not_an_approver: 403,
  requester: 403,
  already_voted: 403,
  audit_unavailable: 503,
  unknown_attempt: 404,
};

const CLIENT_STATUS: Record<LoopwrightError['code'], ErrorStatus> = {
  invalid_input: 422,
  input_too_large: 413,
  task_not_found: 404,
  task_id_taken: 409,
  no_answer: 503,
  task_ended: 409,
  no_state: 503,
  no_store: 503,
  experiment_not_found: 404,
  experiment_ended: 409,
};

const CHAT_STATUS: Record<ChatError['code'], ErrorStatus> = { unknown_agent: 422, no_chat: 422, unknown_session: 404, invalid_message: 422, busy: 503 };

/** A rule that was not moved or edited. */
const RULE_STATUS: Record<RuleMoveRefused['code'], ErrorStatus> = {
  unknown_rule: 404,
  not_possible: 409,
  not_a_reviewer: 403,
  not_an_admin: 403,
  author: 403,
  no_reason: 422,
  no_experiment: 422,
  other_experiment: 422,
  not_promoted: 409,
  experiment_used: 409,
  out_of_range: 422,
  expired_chunk: 409,
  poisoned: 422,
  too_long: 422,
  same_words: 409,
};

/** Seconds. */
const TRY_AGAIN = 2;

/** What went wrong, as a problem; null for what nobody foresaw. */
export function asProblem(error: unknown): ProblemError | null {
  if (error instanceof ProblemError) return error;
  if (error instanceof RefusedError) return fromCode(REFUSAL_STATUS[error.code], error);
  if (error instanceof LoopwrightError) return fromCode(CLIENT_STATUS[error.code], error);
  if (error instanceof ChatError) return fromCode(CHAT_STATUS[error.code], error);
  if (error instanceof RuleMoveRefused)
    return new ProblemError(RULE_STATUS[error.code], error.code, error.message, error.field === null ? {} : { field: error.field }, { cause: error });
  if (error instanceof HTTPException)
    return new ProblemError(statusOf(error.status), error.status === 400 ? 'malformed' : 'http', error.message || 'The request could not be read.');
  return null;
}

function fromCode(status: ErrorStatus, error: RefusedError | LoopwrightError | ChatError): ProblemError {
  const named = /^(?:"([\w.]+)"|([\w.]+): )/.exec(error.message);
  return new ProblemError(
    status,
    error.code,
    error.message,
    { ...(status === 422 && named ? { field: named[1] ?? named[2]! } : {}), ...(status === 503 ? { retryAfter: TRY_AGAIN } : {}) },
    { cause: error },
  );
}

function statusOf(status: number): ErrorStatus {
  return status in TITLES ? (status as ErrorStatus) : status < 500 ? 400 : 500;
}

/** What a schema refused, field by field. */
export function invalidRequest(error: z.ZodError, target: string): ProblemError {
  const errors = error.issues.flatMap((issue) => {
    const path = issue.path.map(String).join('.');
    if (issue.code !== 'unrecognized_keys') return [{ field: path || target, message: issue.message }];
    return issue.keys.map((key) => ({ field: path ? `${path}.${key}` : key, message: 'there is no such field' }));
  });
  const [first] = errors;
  return new ProblemError(422, 'invalid_input', errors.map(({ field, message }) => `${field}: ${message}`).join('; '), { field: first?.field ?? target, errors });
}

export function respond(context: Context, { problem }: ProblemError): Response {
  const headers: Record<string, string> = { 'content-type': 'application/problem+json', 'cache-control': 'no-store' };
  if (problem.retryAfter !== undefined) headers['retry-after'] = String(problem.retryAfter);
  if (problem.status === 401) headers['www-authenticate'] = 'Bearer realm="loopwright"';
  return context.body(JSON.stringify(problem), problem.status as 400, headers);
}
