/** Requests to the gateway, with the session's cookie. */
import { signedOut } from './state/session.ts';

/** What the gateway answered instead of what was asked for (`application/problem+json`). */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** HTTP status; 0: no answer came. */
  readonly status: number;
  /** The gateway's word for it, such as `expired`; `unreachable` when no answer came, `http` when it had no word. */
  readonly code: string;
  /** The field of the request that is wrong. */
  readonly field: string | null;
  /** Everything else that the answer said. */
  readonly problem: Record<string, unknown>;

  constructor(status: number, problem: Record<string, unknown>) {
    super(String(problem['detail'] ?? problem['title'] ?? `HTTP ${status}`));
    this.status = status;
    this.problem = problem;
    this.code = typeof problem['code'] === 'string' ? problem['code'] : status === 0 ? 'unreachable' : 'http';
    this.field = typeof problem['field'] === 'string' ? problem['field'] : null;
  }
}

interface RequestOptions {
  signal?: AbortSignal;
  /** For requests that must count once, however often they are sent. */
  idempotencyKey?: string;
  /** The answer 401 is the caller's to handle, and does not end the session. */
  keepSession?: boolean;
  /** The answer is text, whatever it says it is: JSON in it must not be read. */
  asText?: boolean;
}

/** @throws {ApiError} @throws AbortError when `signal` fires */
async function request<T>(method: string, path: string, body?: unknown, options: RequestOptions = {}): Promise<T> {
  const headers: Record<string, string> = { Accept: 'application/json' };
  // Every unsafe method says so, with a body or without: a form of another site can't.
  if (method !== 'GET') headers['Content-Type'] = 'application/json';
  if (options.idempotencyKey) headers['Idempotency-Key'] = options.idempotencyKey;
  const response = await send(path, {
    method,
    headers,
    credentials: 'same-origin',
    body: method === 'GET' ? undefined : JSON.stringify(body ?? {}),
    signal: options.signal,
  });
  if (!response.ok) {
    if (response.status === 401 && !options.keepSession) signedOut();
    throw new ApiError(response.status, await problemOf(response));
  }
  if (response.status === 204) return undefined as T;
  const type = response.headers.get('content-type') ?? '';
  return (type.includes('json') && !options.asText ? await response.json() : await response.text()) as T;
}

export const get = <T>(path: string, options?: RequestOptions): Promise<T> => request<T>('GET', path, undefined, options);
export const post = <T>(path: string, body?: unknown, options?: RequestOptions): Promise<T> => request<T>('POST', path, body, options);
export const patch = <T>(path: string, body: unknown, options?: RequestOptions): Promise<T> => request<T>('PATCH', path, body, options);

/** `/v1/tasks/${id}` with every part escaped. */
export function path(literals: TemplateStringsArray, ...parts: (string | number)[]): string {
  return literals.map((literal, index) => literal + (index < parts.length ? encodeURIComponent(parts[index]!) : '')).join('');
}

/** `path?a=1`, leaving out what is null or empty. */
export function withQuery(address: string, values: Record<string, string | number | null | undefined>): string {
  const given = Object.entries(values).filter(([, value]) => value !== null && value !== undefined && value !== '');
  return given.length === 0 ? address : `${address}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}

/** A key for one action of a person. `crypto.randomUUID` is missing where the page came over plain HTTP from another machine. */
export function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function send(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ApiError(0, { detail: (error as Error).message });
  }
}

async function problemOf(response: Response): Promise<Record<string, unknown>> {
  try {
    const problem: unknown = await response.json();
    return typeof problem === 'object' && problem !== null ? (problem as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
