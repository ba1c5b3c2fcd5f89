import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { ModelConnection } from '../../../src/models/connections.ts';
import { API_KEY, clientFor, completion, delta, failure, json, options, request, sse, startRawServer } from './raw-server.ts';
import type { RawServer } from './raw-server.ts';

let server: RawServer;
afterEach(() => server?.close());

async function failing(respond: Parameters<typeof startRawServer>[0], stream = false, timeoutMs = 5_000) {
  server = await startRawServer(respond);
  return failure(clientFor(server.url, { stream }).complete(request({ timeoutMs }), options()));
}

const rateLimit = (message = 'slow down', more: object = {}) => ({ error: { message, type: 'rate_limit_error', code: null, ...more } });

describe('API-01 rate-limit hints reach the error', () => {
  test('Retry-After in seconds', async () => {
    expect(await failing((response) => json(response, rateLimit(), 429, { 'retry-after': '7' }))).toMatchObject({
      kind: 'http',
      status: 429,
      retryable: true,
      retryAfterMs: 7_000,
    });
  });
  test('retryDelay in the body', async () => {
    expect((await failing((response) => json(response, { error: { ...rateLimit().error, details: [{ retryDelay: '7s' }] } }, 429))).retryAfterMs).toBe(7_000);
  });
  test('Retry-After as a date', async () => {
    const error = await failing((response) => json(response, rateLimit(), 429, { 'retry-after': new Date(Date.now() + 7_000).toUTCString() }));
    expect(error.retryAfterMs).toBeGreaterThanOrEqual(5_900);
    expect(error.retryAfterMs).toBeLessThanOrEqual(7_000);
  });
  test('words in the message, of a stream too', async () => {
    expect((await failing((response) => json(response, rateLimit('Please try again in 7.5s.'), 429), true)).retryAfterMs).toBe(7_500);
  });
});

describe('statuses', () => {
  test.each([408, 409, 429, 500, 502, 503, 529])('API-03 %i is retryable, and there is one HTTP request', async (status) => {
    const error = await failing((response) => json(response, rateLimit('try later'), status));
    expect(error).toMatchObject({ kind: 'http', status, retryable: true });
    expect(error.message).toContain(String(status));
    expect(server.requests).toHaveLength(1);
  });
  test.each([400, 401, 402, 403, 404, 413, 422])('%i is not', async (status) => {
    expect(await failing((response) => json(response, { error: { message: 'no', code: 'context_length_exceeded' } }, status))).toMatchObject({
      kind: 'http',
      status,
      retryable: false,
      retryAfterMs: null,
      code: 'context_length_exceeded',
    });
    expect(server.requests).toHaveLength(1);
  });
  test.each([{ code: 'insufficient_quota' }, { type: 'insufficient_quota' }])('a quota that is used up does not come back by waiting: %j', async (more) => {
    expect(await failing((response) => json(response, rateLimit('quota', more), 429, { 'retry-after': '7' }))).toMatchObject({ status: 429, retryable: false, retryAfterMs: null });
  });
  test('the message has a bounded preview and no secret', async () => {
    const error = await failing((response) =>
      json(response, { error: { message: `Incorrect API key provided: ${API_KEY}. Authorization: Bearer abc.def-123 ${'x'.repeat(5_000)}` } }, 401),
    );
    expect(error.message).toContain('Incorrect API key provided');
    expect(error.message.length).toBeLessThan(500);
    expect(JSON.stringify([error.message, error.stack, error.cause ?? null])).not.toMatch(new RegExp(`${API_KEY}|abc\\.def`));
  });
  test('an HTML page is shown as its text', async () => {
    expect((await failing((response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<html><body><h1>Bad Gateway</h1></body></html>'))).message).toMatch(
      /502: Bad Gateway$/,
    );
  });
});

describe('a 200 that is no completion', () => {
  test('a web page, from a wrong base URL', async () => {
    expect(await failing((response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Welcome</p>'))).toMatchObject({
      kind: 'http',
      status: 200,
      retryable: false,
      message: expect.stringContaining('base URL'),
    });
  });
  test('an error with its own status', async () => {
    expect(await failing((response) => json(response, { error: { code: 429, message: 'upstream busy' } }))).toMatchObject({ kind: 'http', status: 429, retryable: true });
  });
  test.each([false, true])('half of a JSON body (stream: %s)', async (stream) => {
    expect(await failing((response) => json(response, JSON.stringify(completion({ content: 'x' })).slice(0, 40)), stream)).toMatchObject({ kind: 'interrupted', retryable: true });
  });
  test.each([
    ['its length', true],
    ['its bytes', false],
  ])('over 8 MB it fails once, by %s', async (_, stated) => {
    const body = JSON.stringify(completion({ content: 'x'.repeat(9 * 1024 * 1024) }));
    const error = await failing((response) =>
      stated
        ? json(response, body, 200, { 'content-length': String(body.length) })
        : (response.writeHead(200, { 'content-type': 'application/json' }), response.write(body), response.end()),
    );
    expect(error).toMatchObject({ retryable: false, message: expect.stringMatching(/too large \(\d{7,} bytes/) });
    expect(server.requests).toHaveLength(1);
  });
  test('of a stream the answer counts, not what frames it', async () => {
    const piece = delta({ content: 'x'.repeat(20), padding: 'y'.repeat(2_000) });
    server = await startRawServer((response) => sse(response, [...Array.from({ length: 5_000 }, () => piece), delta({}, 'stop')]));
    const reply = await clientFor(server.url, { stream: true }).complete(request({ timeoutMs: 15_000 }), options());
    expect(reply).toMatchObject({ kind: 'message', content: 'x'.repeat(100_000) });
    await server.close();
    const tooLong = delta({ content: 'x'.repeat(1024 * 1024) });
    const error = await failing((response) => sse(response, [...Array.from({ length: 9 }, () => tooLong), delta({}, 'stop')]), true, 15_000);
    expect(error).toMatchObject({ retryable: false, message: expect.stringMatching(/too large/) });
    expect(server.requests).toHaveLength(1);
  });
});

describe('API-11 a stream that breaks off is interrupted, and no half text is kept', () => {
  const parts = [delta({ content: 'The ref' }), delta({ content: 'und is ' }), delta({ content: 'not' })];
  test.each(['cut', 'close', 'done'] as const)('%s without a finish reason', async (end) => {
    expect(await failing((response) => sse(response, parts, end), true)).toMatchObject({ kind: 'interrupted', retryable: true, receivedChars: 17 });
  });
  test('an error inside the stream', async () => {
    expect(await failing((response) => sse(response, [...parts, { error: { message: 'overloaded', type: 'overloaded_error' } }]), true)).toMatchObject({
      kind: 'interrupted',
      retryable: true,
      message: expect.stringContaining('overloaded'),
    });
  });
  test('a chunk that is no JSON', async () =>
    expect(await failing((response) => sse(response, [...parts, '{"cho']), true)).toMatchObject({ kind: 'interrupted', retryable: true }));
  test('the provider says that it broke off', async () =>
    expect(await failing((response) => sse(response, [...parts, delta({}, 'error')]), true)).toMatchObject({ kind: 'interrupted', retryable: true }));
});

describe('API-16 a call ends at its deadline whatever the server does', () => {
  const half = JSON.stringify(completion({ content: 'x'.repeat(100) })).slice(0, 90);
  const stalls = {
    'no headers': () => {},
    'half a body': (response: Parameters<Parameters<typeof startRawServer>[0]>[0]) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write(half);
    },
    'half an event stream': (response: Parameters<Parameters<typeof startRawServer>[0]>[0]) => sse(response, [delta({ content: 'abc' })], 'hang'),
    'half an error': (response: Parameters<Parameters<typeof startRawServer>[0]>[0]) => {
      response.writeHead(503, { 'content-type': 'application/json' });
      response.write('{"error"');
    },
  };
  test.each(Object.entries(stalls).flatMap(([name, respond]) => [false, true].map((stream) => ({ name, respond, stream }))))(
    '$name (stream: $stream)',
    async ({ name, respond, stream }) => {
      server = await startRawServer((response, count) =>
        count === 1 ? respond(response) : stream ? sse(response, [delta({ content: 'ok' }), delta({}, 'stop')]) : json(response, completion({ content: 'ok' })),
      );
      const client = clientFor(server.url, { stream });
      const started = performance.now();
      const error = await failure(client.complete(request({ timeoutMs: 400 }), options()));
      const took = performance.now() - started;
      expect(error).toMatchObject({ kind: name === 'half an error' ? 'http' : 'timeout', retryable: true });
      expect(took).toBeGreaterThan(350);
      expect(took).toBeLessThan(2_000);
      await vi.waitFor(() => expect(server.openSockets()).toBe(0), 2_000);
      expect(await client.complete(request(), options())).toMatchObject({ kind: 'message', content: 'ok' });
      expect(server.requests).toHaveLength(2);
    },
  );
});

describe('cancelling', () => {
  test.each([false, true])('ends the call at once and closes the socket (stream: %s)', async (stream) => {
    const controller = new AbortController();
    server = await startRawServer((response) => {
      sse(response, [delta({ content: 'abc' })], 'hang');
      setTimeout(() => controller.abort(), 50);
    });
    const error = await failure(clientFor(server.url, { stream }).complete(request(), { signal: controller.signal }));
    expect(error).toMatchObject({ kind: 'aborted', retryable: false });
    await vi.waitFor(() => expect(server.openSockets()).toBe(0), 2_000);
  });
  test('before the call nothing is sent', async () => {
    server = await startRawServer((response) => json(response, completion({ content: 'x' })));
    expect(await failure(clientFor(server.url).complete(request(), { signal: AbortSignal.abort() }))).toMatchObject({ kind: 'aborted' });
    await wait(20);
    expect(server.requests).toHaveLength(0);
  });
});

describe('no connection', () => {
  test('nobody listens', async () => {
    server = await startRawServer(() => {});
    await server.close();
    expect(await failure(clientFor(server.url).complete(request(), options()))).toMatchObject({
      kind: 'network',
      retryable: true,
      message: expect.stringContaining('ECONNREFUSED'),
    });
  });
  test('a socket that closes before the headers', async () => {
    expect(await failing((response) => response.destroy())).toMatchObject({ kind: 'network', retryable: true });
  });
});

describe('configuration', () => {
  test.each<[string, Partial<ModelConnection>, RegExp]>([
    ['no key', { apiKey: () => undefined }, /set OPENAI_API_KEY/],
    ['no key of its own name', { apiKey: () => ' ', apiKeyVariable: 'JUDGE_KEY' }, /set JUDGE_KEY/],
    ['a key with a line break inside', { apiKey: () => 'ab\ncd' }, /OPENAI_API_KEY/],
    ['no URL', { baseURL: 'localhost' }, /base URL/],
    ['a URL with a password', { baseURL: 'http://user:hunter2@host/v1' }, /base URL/],
  ])('%s', async (_, connection, message) => {
    const error = await failure(clientFor('http://127.0.0.1:1/v1', connection).complete(request(), options()));
    expect(error).toMatchObject({ kind: 'configuration', retryable: false, message: expect.stringMatching(message) });
    expect(error.message).not.toContain('hunter2');
  });
  test('a route that is not there', async () => {
    expect(await failure(clientFor('http://127.0.0.1:1/v1').complete(request({ route: { ...request().route, route: 'constructor' } }), options()))).toMatchObject({
      kind: 'configuration',
    });
  });
});
