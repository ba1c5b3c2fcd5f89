/** A gateway over a whole loop, and callers of it, for tests over real HTTP. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GatewayConfig } from '../../src/config.ts';
import { loadConfig } from '../../src/config.ts';
import { startGateway, type RunningGateway } from '../../src/gateway/start-gateway.ts';
import { createLog } from '../../src/telemetry/log.ts';
import type { TestDatabase } from '../support/database.ts';
import { startLoop, type Loop, type LoopOptions } from '../support/loop.ts';

export interface TestGateway {
  loop: Loop;
  url: string;
  gateway: RunningGateway;
  database: TestDatabase;
  /** A caller with an API key of its own. */
  as(subject: string, roles: string[], tenant?: string): Promise<Caller>;
  stop(): Promise<void>;
}

export interface Answer<Body = any> {
  status: number;
  headers: Headers;
  body: Body;
}

export interface Caller {
  key: string;
  get<Body = any>(path: string, headers?: Record<string, string>): Promise<Answer<Body>>;
  post<Body = any>(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer<Body>>;
  send<Body = any>(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer<Body>>;
}

export async function startTestGateway(options: LoopOptions, more: { settings?: Partial<GatewayConfig>; consoleFolder?: string } = {}): Promise<TestGateway> {
  // the gateway registers its key before tasks begin
  const loop = await startLoop({ stream: true, ...options });
  const keys = await mkdtemp(join(tmpdir(), 'loopwright-keys-'));
  const gateway = await startGateway({
    settings: { ...loadConfig({}).gateway, port: 0, ...more.settings },
    keys,
    store: loop.database.store,
    embedder: loop.services.embedder,
    databaseUrl: loop.database.url,
    temporal: loop.temporal,
    taskQueue: loop.taskQueue,
    agents: options.agents,
    consoleFolder: more.consoleFolder ?? null,
    log: createLog({ level: 'silent' }),
  });
  const url = `http://127.0.0.1:${gateway.port}`;
  return {
    loop,
    url,
    gateway,
    database: loop.database,
    async as(subject, roles, tenant = 'default') {
      const { key } = await loop.database.store.apiKeys.create({ tenant, subject, roles, expiresAt: null }, { by: 'test', via: 'local' });
      return caller(url, key);
    },
    async stop() {
      await gateway.close();
      await loop.stop();
      await rm(keys, { recursive: true, force: true });
    },
  };
}

export function caller(url: string, key: string): Caller {
  const send = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: /[/+]json(;|$)/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : text };
  };
  return {
    key,
    send: send as Caller['send'],
    get: ((path: string, headers?: Record<string, string>) => send('GET', path, undefined, headers)) as Caller['get'],
    post: ((path: string, body: unknown = {}, headers?: Record<string, string>) => send('POST', path, body, headers)) as Caller['post'],
  };
}

export interface SentEvent {
  id: string | null;
  event: string;
  data: any;
}

/** Reads a stream of server-sent events until it ends, `take` are there, or `stop` aborts. */
export async function readEvents(
  url: string,
  path: string,
  key: string,
  { lastEventId, take = Infinity, stop, onEvent }: { lastEventId?: string; take?: number; stop?: AbortSignal; onEvent?: (event: SentEvent) => void } = {},
): Promise<SentEvent[]> {
  const cut = new AbortController();
  const signal = stop ? AbortSignal.any([cut.signal, stop]) : cut.signal;
  const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${key}`, ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }) }, signal });
  if (!response.ok || !response.body) throw new Error(`${response.status} ${await response.text()}`);
  const events: SentEvent[] = [];
  let text = '';
  try {
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
        const event = parseEvent(text.slice(0, end));
        text = text.slice(end + 2);
        if (!event) continue;
        events.push(event);
        onEvent?.(event);
        if (events.length >= take) {
          cut.abort();
          return events;
        }
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return events;
}

function parseEvent(block: string): SentEvent | null {
  const fields = new Map(
    block
      .split('\n')
      .filter((line) => !line.startsWith(':') && line !== '')
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trimStart()]),
  );
  if (fields.size === 0) return null;
  return { id: fields.get('id') ?? null, event: fields.get('event') ?? 'message', data: JSON.parse(fields.get('data') ?? 'null') };
}
