import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createModelClient } from '../../../src/models/openai-client.ts';
import type { ModelConnection } from '../../../src/models/connections.ts';
import type { ModelClient, ModelRequest } from '../../../src/models/model.ts';
import { ModelCallError } from '../../../src/models/model.ts';

export interface RawServer {
  url: string;
  requests: { headers: IncomingMessage['headers']; body: any }[];
  openSockets: () => number;
  close: () => Promise<void>;
}

/** A server whose answers are written byte by byte by the test. */
export async function startRawServer(respond: (response: ServerResponse, count: number) => void): Promise<RawServer> {
  const requests: RawServer['requests'] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (part: Buffer) => {
      text += part.toString('utf8');
    });
    request.on('end', () => {
      requests.push({ headers: request.headers, body: JSON.parse(text) });
      respond(response, requests.length);
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    openSockets: () => sockets.size,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function json(response: ServerResponse, body: unknown, status = 200, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** A completion with one choice. */
export function completion(message: object, finishReason: string | null = 'stop', more: object = {}): object {
  return {
    id: 'r1',
    object: 'chat.completion',
    created: 1,
    model: 'm-1',
    choices: [{ index: 0, finish_reason: finishReason, message: { role: 'assistant', ...message } }],
    usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
    ...more,
  };
}

/** Chunks as an event stream; a string is sent as it is. */
export function sse(response: ServerResponse, chunks: (object | string)[], end: 'done' | 'close' | 'cut' | 'hang' = 'done'): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const chunk of chunks) response.write(`data: ${typeof chunk === 'string' ? chunk : JSON.stringify(chunk)}\n\n`);
  if (end === 'done') response.end('data: [DONE]\n\n');
  if (end === 'close') response.end();
  // After the bytes have left: a destroyed socket drops what is still in its buffer.
  if (end === 'cut') response.write(': \n\n', () => setImmediate(() => response.destroy()));
}

export function delta(change: object, finishReason: string | null = null): object {
  return { id: 'r1', object: 'chat.completion.chunk', created: 1, model: 'm-1', choices: [{ index: 0, delta: change, finish_reason: finishReason }] };
}

export const API_KEY = 'sk-test-1234567890abcdef';

export function clientFor(url: string, more: Partial<ModelConnection> = {}): ModelClient {
  return createModelClient({ routes: { writer: { baseURL: url, apiKey: () => API_KEY, strict: true, stream: false, ...more } } });
}

export function request(more: Partial<ModelRequest> = {}): ModelRequest {
  return {
    route: { route: 'writer', model: 'm-1', inputMicrosPerMillion: 0, outputMicrosPerMillion: 0, contextWindow: 1_000 },
    messages: [{ role: 'user', content: 'hello' }],
    tools: [],
    toolChoice: 'auto',
    responseFormat: null,
    parameters: { temperature: 0.2, maxTokens: 100, seed: null },
    timeoutMs: 5_000,
    key: 'key-1',
    agent: 'support',
    stage: 'decide',
    ...more,
  };
}

/** The error of a call that must fail. */
export async function failure(call: Promise<unknown>): Promise<ModelCallError> {
  const outcome = await call.then(
    (value) => ({ value }),
    (error: unknown) => error,
  );
  if (outcome instanceof ModelCallError) return outcome;
  throw new Error('the call was to fail with a ModelCallError', { cause: outcome });
}

export const options = (): { signal: AbortSignal } => ({ signal: new AbortController().signal });
