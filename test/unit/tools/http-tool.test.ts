import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ToolDefinitionError, type ToolContext } from '../../../src/tools/define-tool.ts';
import { httpTool, type HttpToolDefinition } from '../../../src/tools/http-fetch/http-tool.ts';

const SECRET = 'SECRET-123';
const input = z.strictObject({ path: z.string() });
const output = z.object({ said: z.string() });
let server: Server;
let origin: string;
const requests: { method: string; headers: IncomingMessage['headers'] }[] = [];
beforeAll(async () => {
  server = createServer((request, response) => {
    requests.push({ method: request.method!, headers: request.headers });
    const status = Number(request.url!.slice(1)) || 200;
    const { authorization } = request.headers;
    response
      .writeHead(status)
      .end(request.url === '/text' ? 'plain' : JSON.stringify({ said: `you sent ${authorization} and ${Buffer.from(`${authorization}`).toString('base64')}` }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  requests.length = 0;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const context = { taskId: 't', callId: 'c', idempotencyKey: 'key-1', signal: new AbortController().signal } as ToolContext;
function crm(change: Partial<HttpToolDefinition<typeof input, typeof output>> = {}) {
  return httpTool({
    name: 'crm',
    version: '1.0.0',
    releasedAt: '2026-01-01',
    description: 'Asks the CRM.',
    input,
    output,
    risk: 'read',
    timeoutMs: 2_000,
    request: ({ path }) => ({ url: origin + path }),
    credentials: [{ header: 'Authorization', prefix: 'Bearer ', secret: 'CRM_TOKEN' }],
    origins: [origin],
    secrets: (name) => (name === 'CRM_TOKEN' ? SECRET : undefined),
    fetch: { allow: ['127.0.0.1/32'], ports: 'any' },
    ...change,
  });
}

describe('an HTTP tool', () => {
  it('sends its credentials and takes them out of what the service says', async () => {
    const said = await crm().execute({ path: '/' }, context);
    expect(requests[0]!.headers.authorization).toBe(`Bearer ${SECRET}`);
    expect(said.said).toMatch(/^you sent Bearer \[redacted\] and \S*\[redacted\]\S*$/);
    expect(JSON.stringify(crm())).not.toContain(SECRET);
  });

  it.each([
    [401, 'read', { code: 'http', retryable: false }],
    [429, 'read', { code: 'http', retryable: true }],
    [503, 'read', { code: 'http', retryable: true }],
    [404, 'write', { code: 'http', retryable: false }],
    // the server may have done it before it failed
    [503, 'write', { name: 'Error' }],
  ] as const)('an answer with status %d of a %s is a failure without the secret', async (status, risk, failure) => {
    const error = await crm({ risk })
      .execute({ path: `/${status}` }, context)
      .catch((caught: Error) => caught);
    expect(error).toMatchObject({ message: expect.stringContaining(`HTTP ${status}`), ...failure });
    expect((error as Error).message).not.toContain(SECRET);
  });

  it('says what is wrong: a secret that is not set, another place, no JSON, nobody there', async () => {
    await expect(crm({ secrets: () => undefined }).execute({ path: '/' }, context)).rejects.toMatchObject({ code: 'configuration', message: expect.stringContaining('CRM_TOKEN') });
    await expect(crm({ request: () => ({ url: 'https://evil.example/' }) }).execute({ path: '/' }, context)).rejects.toMatchObject({ code: 'blocked_url' });
    await expect(crm().execute({ path: '/text' }, context)).rejects.toMatchObject({ code: 'contract_drift' });
    const gone = crm({ request: () => ({ url: 'http://127.0.0.1:9/' }), origins: ['http://127.0.0.1:9'] });
    await expect(gone.execute({ path: '/' }, context)).rejects.toThrow('ECONNREFUSED');
    await expect(crm({ fetch: {} }).execute({ path: '/' }, context)).rejects.toMatchObject({ code: 'blocked_url' });
    await expect(crm({ fetch: { ports: 'any' } }).execute({ path: '/' }, context)).rejects.toMatchObject({ code: 'blocked_address' });
    expect(() => crm({ origins: undefined })).toThrow(ToolDefinitionError);
  });

  it('posts JSON under the idempotency key of its call', async () => {
    await crm({ risk: 'write', request: ({ path }) => ({ url: origin + path, json: { path } }) }).execute({ path: '/' }, context);
    expect(requests).toMatchObject([{ method: 'POST', headers: { 'idempotency-key': 'key-1', 'content-type': 'application/json' } }]);
  });
});
