/** How a gateway opens: where it may, with which limits and with which pages. Needs no worker. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadConfig, type GatewayConfig } from '../../src/config.ts';
import { startGateway, type RunningGateway } from '../../src/gateway/start-gateway.ts';
import { isOwnHost } from '../../src/gateway/http/own-host.ts';
import { isAllowedOrigin } from '../../src/gateway/http/own-origin.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { startLoop, type Loop } from '../support/loop.ts';
import { caller } from './support.ts';

let loop: Loop;
let folder: string;
beforeAll(async () => {
  loop = await startLoop({ agents: {}, scripts: {}, worker: false });
  folder = await mkdtemp(join(tmpdir(), 'loopwright-gateway-'));
});
afterAll(async () => {
  await loop.stop();
  await rm(folder, { recursive: true, force: true });
});

function start(settings: Partial<GatewayConfig>, consoleFolder: string | null = null): Promise<RunningGateway> {
  return startGateway({
    settings: { ...loadConfig({}).gateway, port: 0, ...settings },
    keys: join(folder, 'keys'),
    store: loop.database.store,
    embedder: loop.services.embedder,
    databaseUrl: loop.database.url,
    temporal: loop.temporal,
    taskQueue: loop.taskQueue,
    agents: {},
    consoleFolder,
    log: createLog({ level: 'silent' }),
  });
}

const newKey = async (subject: string): Promise<string> =>
  (await loop.database.store.apiKeys.create({ tenant: 'default', subject, roles: ['operator'], expiresAt: null }, { by: 'test', via: 'local' })).key;

it('is not opened to others before somebody has a key', async () => {
  await expect(start({ host: '0.0.0.0' })).rejects.toThrow(/neither an API key nor an OIDC issuer.*keys create/s);
  await newKey('first');
  const gateway = await start({ host: '0.0.0.0' });
  expect((await fetch(`http://127.0.0.1:${gateway.port}/healthz`)).status).toBe(200);
  await gateway.close();
});

it('a port that was asked for and is taken is an error', async () => {
  const first = await start({});
  await expect(start({ port: first.port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  await first.close();
});

it('says what is missing, limits each caller and each stranger, and lets named origins in', async () => {
  const gateway = await start({ requestsPerMinute: 3, origins: ['https://app.example.com'] });
  const url = `http://127.0.0.1:${gateway.port}`;
  const ready = await fetch(`${url}/readyz`);
  expect([ready.status, await ready.json()]).toMatchObject([
    503,
    {
      ready: false,
      checks: { database: { ok: true }, migrations: { ok: true }, temporal: { ok: true }, workers: { ok: false, detail: expect.stringContaining('start a worker') } },
    },
  ]);

  const ann = caller(url, await newKey('ann'));
  for (let each = 0; each < 3; each += 1) expect((await ann.get('/v1/me')).status).toBe(200);
  const limited = await ann.get('/v1/me');
  expect([limited.status, limited.body.code, Number(limited.headers.get('retry-after')) > 0]).toEqual([429, 'rate_limited', true]);
  expect((await caller(url, await newKey('ben')).get('/v1/me')).status).toBe(200);
  const strangers = await Promise.all(Array.from({ length: 70 }, () => fetch(`${url}/v1/me`).then(({ status }) => status)));
  expect(new Set(strangers)).toEqual(new Set([401, 429]));
  // strangers of an address don't lock its people out
  const cyd = caller(url, await newKey('cyd'));
  expect((await cyd.get('/v1/me')).status).toBe(200);

  const asked = await fetch(`${url}/v1/tasks`, {
    method: 'OPTIONS',
    headers: { origin: 'https://app.example.com', 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
  });
  expect([asked.status, asked.headers.get('access-control-allow-origin'), asked.headers.get('access-control-allow-credentials')]).toEqual([204, 'https://app.example.com', null]);
  const allowed = await cyd.get('/v1/me', { origin: 'https://app.example.com' });
  expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([200, 'https://app.example.com']);
  expect((await fetch(`${url}/v1/me`, { headers: { origin: 'https://evil.example.com' } })).status).toBe(403);
  await gateway.close();
});

it('an issuer that is away refuses nobody: nobody can say now', async () => {
  const gateway = await start({ oidc: { issuer: 'http://127.0.0.1:9', audience: 'loopwright', jwksUrl: null, subjectClaim: 'sub', tenantClaim: null, rolesClaim: 'roles' } });
  const token = [
    { alg: 'RS256', kid: 'a' },
    { sub: 'ann', exp: 4_000_000_000 },
  ]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const answer = await caller(`http://127.0.0.1:${gateway.port}`, `${token}.AAAA`).get('/v1/me');
  expect([answer.status, answer.body.code]).toEqual([503, 'issuer_unavailable']);
  await gateway.close();
});

it('serves the console: files by their content for ever, pages fresh, nothing beside its folder', async () => {
  const built = join(folder, 'console');
  await mkdir(join(built, 'assets'), { recursive: true });
  await writeFile(join(built, 'index.html'), '<!doctype html><title>console</title>');
  await writeFile(join(built, 'assets', 'main-1a2b.js'), 'export {};');
  await writeFile(join(folder, 'secret.txt'), 'secret');
  const gateway = await start({}, built);
  const get = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${gateway.port}${path}`);
    return { status: response.status, cache: response.headers.get('cache-control'), type: response.headers.get('content-type'), text: await response.text() };
  };
  expect(await get('/')).toMatchObject({ status: 200, cache: 'no-store', text: expect.stringContaining('console') });
  expect(await get('/tasks/a.b')).toMatchObject({ status: 200, type: 'text/html; charset=utf-8' });
  expect(await get('/assets/main-1a2b.js')).toMatchObject({ status: 200, cache: expect.stringContaining('immutable'), type: 'text/javascript; charset=utf-8' });
  for (const path of ['/assets/none.js', '/..%2fsecret.txt', '/assets/..%2f..%2fsecret.txt', '/%2e%2e/secret.txt', '/secret.txt', '/x%00.js', '/v1', '/v1/none']) {
    const answer = await get(path);
    expect([path, answer.status === 404 || answer.status === 401, answer.text.includes('secret\n')]).toEqual([path, true, false]);
  }
  await gateway.close();
  const bare = await start({});
  const missing = await fetch(`http://127.0.0.1:${bare.port}/`);
  expect([missing.status, await missing.text()]).toEqual([503, expect.stringContaining('vite build')]);
  await bare.close();
});

it('knows pages of its own: by its public name those of the public scheme alone', () => {
  const proxied = { publicUrl: 'https://loopwright.example.com', allowed: ['https://app.example.com'] };
  const from = (origin: string, host: string, origins: Parameters<typeof isAllowedOrigin>[2] = proxied) => isAllowedOrigin(origin, host, origins);
  expect(from('https://loopwright.example.com', 'loopwright.example.com')).toBe(true);
  expect(from('http://loopwright.example.com', 'loopwright.example.com')).toBe(false);
  expect(from('http://LOOPWRIGHT.example.com'.toLowerCase(), 'LOOPWRIGHT.example.com')).toBe(false);
  expect(from('http://127.0.0.1:7780', '127.0.0.1:7780')).toBe(true);
  expect(from('https://app.example.com', 'loopwright.example.com')).toBe(true);
  expect(from('http://loopwright.lan', 'loopwright.lan', { publicUrl: 'http://loopwright.lan', allowed: [] })).toBe(true);
  for (const origin of ['null', '', 'http://127.0.0.1:7781', 'https://127.0.0.1:7780']) expect([origin, from(origin, '127.0.0.1:7780')]).toEqual([origin, false]);
});

it('knows its own names', () => {
  const local = { host: '127.0.0.1', publicUrl: null };
  const own = ['127.0.0.1:7780', 'localhost:7780', 'LOCALHOST:7780', '[::1]:7780'];
  expect(own.filter((host) => !isOwnHost(host, 7780, local))).toEqual([]);
  const others = [
    '',
    undefined,
    '127.0.0.1',
    'localhost:7781',
    '127.0.0.1.evil.com:7780',
    'evil.com:7780',
    'localhost.:7780',
    'localhost:7780@evil.com',
    '[::2]:7780',
    '0.0.0.0:7780',
    '2130706433:7780',
  ];
  expect(others.filter((host) => isOwnHost(host, 7780, local))).toEqual([]);
  const proxied = { host: '10.0.0.5', publicUrl: 'https://loopwright.example.com' };
  expect(isOwnHost('loopwright.example.com', 7780, proxied)).toBe(true);
  expect(isOwnHost('10.0.0.5:7780', 7780, proxied)).toBe(true);
  expect(isOwnHost('loopwright.example.com.evil.com', 7780, proxied)).toBe(false);
});
