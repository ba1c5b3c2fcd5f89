import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { complete, completionBody, completionChunks } from './completion.ts';
import { FaultQueue } from './faults.ts';
import type { Fault } from './faults.ts';
import { SCRIPTED_JUDGE, SCRIPTED_WRITER } from '../routes.ts';
import { bodyProblem, readRequest } from './read-request.ts';
import type { ScriptedAgent, ScriptedRequest } from './script.ts';

const SCRIPTED_MODELS = [SCRIPTED_WRITER, SCRIPTED_JUDGE];
/** Bytes of a request body that are read. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;

/** One call as it came in, with the status it got (null while it has none). */
export interface LoggedRequest {
  /** Unix ms */ at: number;
  agent: string;
  stage: string;
  key: string;
  model: string;
  body: unknown;
  status: number | null;
  /** Unix ms when the response or its socket was closed, by either side. */ closedAt: number | null;
}

export interface ScriptedServer {
  /** Base URL for an OpenAI client, with `/v1`. */
  url: string;
  requests: LoggedRequest[];
  faults: FaultQueue;
  /** Requests that carried this Idempotency-Key. */
  countByKey: (key: string) => number;
  /** Stops at once, hanging calls included. */
  close: () => Promise<void>;
}

export interface ScriptedServerOptions {
  agents: Record<string, ScriptedAgent>;
  /** Default 0: a free port. */
  port?: number;
  /** Wait between the chunks of a stream, ms; default 0. */
  chunkDelayMs?: number;
}

/** An OpenAI-compatible Chat Completions server on loopback whose answers are the agents' scripts. */
export async function startScriptedServer(options: ScriptedServerOptions): Promise<ScriptedServer> {
  const requests: LoggedRequest[] = [];
  const faults = new FaultQueue();
  const stop = new AbortController();
  const server = createServer((request, response) => {
    handle(request, response, { options, requests, faults, signal: stop.signal }).catch((error: unknown) => {
      if (!response.headersSent) sendError(response, 500, 'server_error', error instanceof Error ? error.message : String(error));
      else response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    faults,
    countByKey: (key) => requests.filter((entry) => entry.key === key).length,
    close: () => {
      stop.abort();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      return closed;
    },
  };
}

interface Scope {
  options: ScriptedServerOptions;
  requests: LoggedRequest[];
  faults: FaultQueue;
  signal: AbortSignal;
}

async function handle(incoming: IncomingMessage, response: ServerResponse, scope: Scope): Promise<void> {
  const path = (incoming.url ?? '/').split('?')[0];
  if (incoming.method === 'GET' && path === '/health') return sendJson(response, 200, { status: 'ok' });
  if (incoming.method === 'GET' && path === '/v1/models')
    return sendJson(response, 200, { object: 'list', data: SCRIPTED_MODELS.map((id) => ({ id, object: 'model', created: 0, owned_by: 'loopwright' })) });
  if (incoming.method !== 'POST' || path !== '/v1/chat/completions') return sendError(response, 404, 'not_found', `no ${incoming.method} ${path} here`);
  const text = await readBody(incoming);
  if (text === null) return sendError(response, 413, 'invalid_request_error', 'the body is too large');
  const body = parseBody(text);
  const [agent, stage, key] = ['x-loopwright-agent', 'x-loopwright-stage', 'idempotency-key'].map((name) => header(incoming, name)) as [string, string, string];
  const entry: LoggedRequest = { at: Date.now(), agent, stage, key, model: String((body as { model?: unknown } | undefined)?.model ?? ''), body, status: null, closedAt: null };
  scope.requests.push(entry);
  response.once('close', () => {
    entry.closedAt = Date.now();
    if (response.headersSent) entry.status = response.statusCode;
  });
  const problem = bodyProblem(body);
  if (problem !== null) return sendError(response, 400, 'invalid_request_error', problem);
  await respond(readRequest(body, { agent, stage, key }), body as { stream?: boolean; stream_options?: { include_usage?: boolean } }, response, scope);
}

async function respond(request: ScriptedRequest, body: { stream?: boolean; stream_options?: { include_usage?: boolean } }, response: ServerResponse, scope: Scope): Promise<void> {
  const fault = scope.faults.take(request);
  if (fault?.delayMs) await wait(fault.delayMs, undefined, { signal: scope.signal });
  if (fault?.hang === 'headers') return;
  if (fault?.status !== undefined) return sendFault(response, fault, fault.status);
  const agent = Object.hasOwn(scope.options.agents, request.agent) ? scope.options.agents[request.agent] : undefined;
  if (!agent)
    return sendError(response, 404, 'agent_not_found', `no script for agent "${request.agent}" (X-Loopwright-Agent); there are ${Object.keys(scope.options.agents).join(', ')}`);
  let reply;
  try {
    reply = agent.respond(request);
  } catch (error) {
    return sendError(response, 400, 'script_error', error instanceof Error ? error.message : String(error));
  }
  if (reply.delayMs) await wait(reply.delayMs, undefined, { signal: scope.signal });
  if (reply.raw !== undefined) return sendJson(response, 200, reply.raw);
  const completion = complete(request, reply);
  if (body.stream) return sendStream(response, completionChunks(request.model, completion, body.stream_options?.include_usage ?? false), fault, scope);
  sendPlain(response, JSON.stringify(completionBody(request.model, completion)), fault);
}

function sendPlain(response: ServerResponse, text: string, fault: Fault | null): void {
  if (fault?.hang !== 'body' && fault?.cutAfterChunks === undefined) return void response.writeHead(200, { 'content-type': 'application/json' }).end(text);
  const bytes = Buffer.from(text);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length });
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => {
    if (fault.hang !== 'body') response.destroy();
  });
}

async function sendStream(response: ServerResponse, chunks: Record<string, unknown>[], fault: Fault | null, scope: Scope): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  const chunkDelayMs = fault?.chunkDelayMs ?? scope.options.chunkDelayMs;
  const last = fault?.cutAfterChunks ?? fault?.endAfterChunks ?? (fault?.hang === 'body' ? Math.floor(chunks.length / 2) : chunks.length);
  for (const chunk of chunks.slice(0, last)) {
    if (response.destroyed) return;
    await new Promise<void>((resolve) => {
      response.write(`data: ${JSON.stringify(chunk)}\n\n`, () => resolve());
    });
    if (chunkDelayMs) await wait(chunkDelayMs, undefined, { signal: scope.signal });
  }
  if (fault?.hang === 'body') return;
  if (fault?.cutAfterChunks !== undefined) response.destroy();
  else if (fault?.endAfterChunks !== undefined) response.end();
  else response.end('data: [DONE]\n\n');
}

function sendFault(response: ServerResponse, fault: Fault, status: number): void {
  const body = fault.body ?? { error: { message: `fault on demand: ${status}`, type: status === 429 ? 'rate_limit_error' : 'server_error', code: null, param: null } };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, { 'content-type': typeof body === 'string' ? 'text/plain' : 'application/json', ...fault.headers }).end(text);
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function sendError(response: ServerResponse, status: number, code: string, message: string): void {
  sendJson(response, status, { error: { message, type: code, code, param: null } });
}

function header(incoming: IncomingMessage, name: string): string {
  const value = incoming.headers[name];
  return typeof value === 'string' ? value : '';
}

async function readBody(incoming: IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of incoming as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > MAX_BODY_BYTES) return null;
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
