/** Requests to addresses that a model, a user or a page named: to the public internet and nowhere else. */
import { Agent, request as send, type Dispatcher } from 'undici';
import { guardedConnector, type AddressPolicy } from './http-fetch/address-guard.ts';
import { FetchRefused } from './http-fetch/fetch-refused.ts';
import { readBody } from './http-fetch/read-body.ts';

export interface FetchPolicy extends AddressPolicy {
  /** Default both. */
  schemes?: readonly ('http:' | 'https:')[];
  /** Default 80 and 443. */
  ports?: readonly number[] | 'any';
  /** Followed at most; default 5. */
  maxRedirects?: number;
  /** Of an answer; default 2 MiB. */
  maxBytes?: number;
  /** The whole of it, redirects included, ms; default 10,000. */
  timeoutMs?: number;
}

export interface FetchRequest {
  /** Default GET. */
  method?: Dispatcher.HttpMethod;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** Headers that hold a secret, besides `authorization`, `cookie` and their like: they never go to another origin. */
  secretHeaders?: readonly string[];
  signal?: AbortSignal;
}

export interface FetchResponse {
  status: number;
  /** After redirects. */
  url: string;
  headers: Record<string, string>;
  body: Buffer;
  /** The body as UTF-8. */
  text: string;
}

/** `close` ends its open connections. */
export type GuardedFetch = ((url: string, request?: FetchRequest) => Promise<FetchResponse>) & { close(): Promise<void> };

const SECRET_HEADERS = ['authorization', 'proxy-authorization', 'cookie', 'cookie2', 'www-authenticate'];
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const DEFAULT_TIMEOUT_MS = 10_000;

/**
 * A fetch that checks every hop and every connection.
 * @throws {FetchRefused} when a rule forbids it; the network's own error when it fails; the signal's reason when it fires.
 */
export function createGuardedFetch(policy: FetchPolicy = {}): GuardedFetch {
  const { maxRedirects = 5, maxBytes = 2 * 1024 * 1024, timeoutMs = DEFAULT_TIMEOUT_MS } = policy;
  const dispatcher = new Agent({ connect: guardedConnector(policy, timeoutMs), headersTimeout: timeoutMs, bodyTimeout: timeoutMs });

  const fetchOnce = async (hop: Hop, signal: AbortSignal): Promise<FetchResponse> => {
    const { statusCode, headers, body } = await send(hop.url, { dispatcher, method: hop.method, headers: hop.headers, body: hop.body, signal });
    const flat = flatten(headers);
    const bytes = await readBody(body, flat, maxBytes);
    return { status: statusCode, url: hop.url.href, headers: flat, body: bytes, text: bytes.toString('utf8') };
  };

  const guardedFetch = async (url: string, request: FetchRequest = {}): Promise<FetchResponse> => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout;
    const secrets = new Set([...SECRET_HEADERS, ...(request.secretHeaders ?? []).map((name) => name.toLowerCase())]);
    let hop: Hop = { url: checkedUrl(url, policy), method: request.method ?? 'GET', headers: lowerCased(request.headers ?? {}), body: request.body };
    for (let redirects = 0; ; redirects += 1) {
      const response = await fetchOnce(hop, signal);
      const location = REDIRECTS.has(response.status) ? response.headers['location'] : undefined;
      if (location === undefined) return response;
      if (redirects === maxRedirects) throw new FetchRefused('blocked_redirect', `${url} redirects more than ${maxRedirects} times`);
      hop = nextHop(hop, response.status, checkedUrl(location, policy, hop.url), secrets);
    }
  };
  return Object.assign(guardedFetch, { close: () => dispatcher.destroy() });
}

interface Hop {
  url: URL;
  method: Dispatcher.HttpMethod;
  headers: Record<string, string>;
  body: string | Uint8Array | undefined;
}

function checkedUrl(text: string, { schemes = ['http:', 'https:'], ports = [80, 443] }: FetchPolicy, base?: URL): URL {
  if (!URL.canParse(text, base?.href))
    throw new FetchRefused('blocked_url', `${JSON.stringify(text.slice(0, 200))} is not a URL. Give an absolute one such as https://example.com/page`);
  const url = new URL(text, base?.href);
  if (!schemes.includes(url.protocol as 'http:')) throw new FetchRefused('blocked_url', `${url.protocol} is not allowed here. Use ${schemes.join(' or ')}`);
  if (url.username !== '' || url.password !== '') throw new FetchRefused('blocked_url', 'a user name or password in a URL is not allowed. Leave it out');
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  if (ports !== 'any' && !ports.includes(port)) throw new FetchRefused('blocked_url', `port ${port} is not allowed here. Use ${ports.join(' or ')}`);
  return url;
}

/** What is asked of the place that an answer points to: never a secret or a body of another origin, never without encryption what had it. */
function nextHop(hop: Hop, status: number, url: URL, secrets: ReadonlySet<string>): Hop {
  const elsewhere = url.origin !== hop.url.origin;
  if (hop.url.protocol === 'https:' && url.protocol !== 'https:')
    throw new FetchRefused('blocked_redirect', `${hop.url.origin} redirects to ${url.origin}, which is not encrypted`);
  const asGet = status === 303 ? hop.method !== 'HEAD' : status < 303 && hop.method === 'POST';
  const body = asGet ? undefined : hop.body;
  if (elsewhere && body !== undefined) throw new FetchRefused('blocked_redirect', `${hop.url.origin} redirects what was sent to ${url.origin}. Send it there if it is meant`);
  const kept = Object.entries(hop.headers).filter(([name]) => !(elsewhere && secrets.has(name)) && !(body === undefined && name.startsWith('content-')));
  return { url, method: asGet ? 'GET' : hop.method, headers: Object.fromEntries(kept), body };
}

function lowerCased(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]])));
}
