import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isPublicAddress } from '../../../src/tools/http-fetch/address-guard.ts';
import { createGuardedFetch, type FetchPolicy, type GuardedFetch } from '../../../src/tools/http-fetch.ts';

/** Stands for the public internet: 127.0.0.2 is allowed, the canary on 127.0.0.1 is not. */
const PUBLIC = '127.0.0.2';
let open: Server;
let other: Server;
let canary: Server;
let port: number;
let otherPort: number;
let canaryPort: number;
let canaryRequests = 0;
const seen: { url: string; method: string; headers: IncomingHttpHeaders }[] = [];
const fetches: GuardedFetch[] = [];

const listen = async (handler: RequestListener, host: string): Promise<Server> => {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return server;
};
const portOf = (server: Server): number => (server.address() as AddressInfo).port;

beforeAll(async () => {
  const handler: RequestListener = (request, response) => {
    seen.push({ url: request.url!, method: request.method!, headers: request.headers });
    const url = new URL(request.url!, 'http://here');
    const to = url.searchParams.get('to');
    if (to) return response.writeHead(Number(url.searchParams.get('status') ?? 302), { location: to }).end();
    if (url.pathname === '/large') return response.end('x'.repeat(5_000));
    if (url.pathname === '/endless') {
      response.write('x');
      return undefined;
    }
    if (url.pathname === '/encoded') return response.writeHead(200, { 'content-encoding': 'gzip' }).end('x');
    return response.end('fine');
  };
  [open, other, canary] = await Promise.all([
    listen(handler, PUBLIC),
    listen(handler, PUBLIC),
    listen((_request, response) => {
      canaryRequests += 1;
      response.end('inside');
    }, '127.0.0.1'),
  ]);
  [port, otherPort, canaryPort] = [portOf(open), portOf(other), portOf(canary)];
});
beforeEach(() => {
  seen.length = 0;
  canaryRequests = 0;
});
afterAll(async () => {
  await Promise.all(fetches.map((each) => each.close()));
  for (const server of [open, other, canary]) {
    server.closeAllConnections();
    server.close();
  }
});

function guarded(policy: FetchPolicy = {}): GuardedFetch {
  const made = createGuardedFetch({ allow: [`${PUBLIC}/32`], ports: 'any', timeoutMs: 2_000, ...policy });
  fetches.push(made);
  return made;
}
const blocked = { name: 'ToolFailure', code: 'blocked_address', retryable: false };

describe('SEC-03 a fetch reaches the public internet and nothing inside', () => {
  it.each([
    ['an address', (at: number) => `http://127.0.0.1:${at}/`],
    ['a name', (at: number) => `http://localhost:${at}/`],
    ['IPv4 inside IPv6', (at: number) => `http://[::ffff:127.0.0.1]:${at}/`],
    ['IPv6', (at: number) => `http://[::1]:${at}/`],
    ['one decimal number', (at: number) => `http://2130706433:${at}/`],
    ['hexadecimal', (at: number) => `http://0x7f.1:${at}/`],
    ['octal', (at: number) => `http://0177.0.0.1:${at}/`],
    ['unspecified', (at: number) => `http://0.0.0.0:${at}/`],
    ['full-width digits', (at: number) => `http://１２７.0.0.1:${at}/`],
    ['a redirect', (at: number) => `http://${PUBLIC}:${port}/?to=${encodeURIComponent(`http://127.0.0.1:${at}/`)}`],
    ['two redirects', (at: number) => `http://${PUBLIC}:${port}/?to=${encodeURIComponent(`/?to=${encodeURIComponent(`//127.0.0.1:${at}/`)}`)}`],
  ])('SEC-03 %s', async (_kind, url) => {
    await expect(guarded()(url(canaryPort))).rejects.toMatchObject(blocked);
    expect(canaryRequests).toBe(0);
  });

  it('SEC-03 the metadata service of a cloud', async () => {
    for (const url of ['http://169.254.169.254/', 'http://168.63.129.16/', 'http://[fd00:ec2::254]/', 'http://100.100.100.200/'])
      await expect(guarded()(url)).rejects.toMatchObject(blocked);
  });

  it('SEC-03 a name that is public first and internal afterwards: checked is what is connected to', async () => {
    const answers = [PUBLIC, '127.0.0.1'];
    let asked = 0;
    const fetch = guarded({
      resolve: async () => {
        asked += 1;
        return [{ address: answers.shift() ?? '127.0.0.1', family: 4 }];
      },
    });
    expect(await fetch(`http://rebind.test:${port}/`)).toMatchObject({ status: 200, text: 'fine' });
    expect(asked).toBe(1); // one look-up for check and connection
    await expect(fetch(`http://rebind.test:${canaryPort}/`)).rejects.toMatchObject(blocked);
    expect(canaryRequests).toBe(0);
  });

  it('SEC-03 a name with one internal address among public ones', async () => {
    const resolve = async () => [PUBLIC, '127.0.0.1'].map((address) => ({ address, family: 4 }));
    await expect(guarded({ resolve })(`http://two.test:${canaryPort}/`)).rejects.toMatchObject(blocked);
    expect(canaryRequests).toBe(0);
  });

  it.each(
    (
      '127.0.0.1 10.0.0.1 172.16.0.1 192.168.1.1 169.254.1.1 100.64.0.1 0.0.0.0 224.0.0.1 255.255.255.255 240.0.0.1 192.0.2.1 ' +
      ':: ::1 ::7f00:1 ::ffff:10.0.0.1 64:ff9b::7f00:1 2002:7f00:1:: 2001:0:7f00:1:: fe80::1 fe80::1%eth0 fec0::1 fd00::1 ff02::1 2001:db8::1 nonsense'
    ).split(' '),
  )('%s is no public address', (address) => expect(isPublicAddress(address)).toBe(false));
  it.each(['8.8.8.8', '::ffff:8.8.8.8', '2606:4700::1111'])('%s is a public address', (address) => expect(isPublicAddress(address)).toBe(true));
});

describe('what else a fetch refuses', () => {
  it.each([
    ['another scheme', 'file:///etc/hostname', 'blocked_url'],
    ['a port that is not allowed', `http://${PUBLIC}:22/`, 'blocked_url'],
    ['a password in the address', `http://bot:secret@${PUBLIC}/`, 'blocked_url'],
    ['what is no address', 'example', 'blocked_url'],
  ])('%s', async (_kind, url, code) => {
    await expect(guarded({ ports: [80, 443] })(url)).rejects.toMatchObject({ code, retryable: false });
  });

  it('more than it asked for: too much, without end, encoded, redirected in a circle', async () => {
    const at = `http://${PUBLIC}:${port}`;
    await expect(guarded({ maxBytes: 1_000 })(`${at}/large`)).rejects.toMatchObject({ code: 'response_too_large' });
    await expect(guarded({ timeoutMs: 100 })(`${at}/endless`)).rejects.toMatchObject({ name: 'TimeoutError' });
    await expect(guarded()(`${at}/encoded`)).rejects.toMatchObject({ code: 'response_encoded' });
    seen.length = 0;
    let circle = '/x';
    for (let hop = 0; hop < 8; hop += 1) circle = `/?to=${encodeURIComponent(circle)}`;
    await expect(guarded({ maxRedirects: 3 })(at + circle)).rejects.toMatchObject({ code: 'blocked_redirect' });
    expect(seen).toHaveLength(4);
  });

  it('secrets and bodies stay with the origin they were meant for', async () => {
    const headers = { Authorization: 'Bearer one', 'X-Key': 'two', Accept: 'text/plain' };
    const elsewhere = `http://${PUBLIC}:${port}/?to=${encodeURIComponent(`http://${PUBLIC}:${otherPort}/there`)}`;
    await guarded()(elsewhere, { headers, secretHeaders: ['x-key'] });
    await guarded()(`http://${PUBLIC}:${port}/?to=/here`, { headers, secretHeaders: ['x-key'] });
    const [, there, , here] = seen;
    expect(there).toMatchObject({ url: '/there', headers: { accept: 'text/plain' } });
    expect(JSON.stringify(there)).not.toMatch(/one|two/);
    expect(here!.headers).toMatchObject({ authorization: 'Bearer one', 'x-key': 'two' });
    await expect(guarded()(`${elsewhere}&status=307`, { method: 'POST', body: '{}' })).rejects.toMatchObject({ code: 'blocked_redirect' });
    // what a form post answers with is fetched without the body
    expect(await guarded()(`${elsewhere}&status=303`, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } })).toMatchObject({ status: 200 });
    expect(seen.at(-1)).toMatchObject({ method: 'GET', url: '/there' });
    expect(seen.at(-1)!.headers['content-type']).toBeUndefined();
  });

  it("stops when its caller's signal fires", async () => {
    const stop = new AbortController();
    const waiting = guarded()(`http://${PUBLIC}:${port}/endless`, { signal: stop.signal });
    setTimeout(() => stop.abort(new Error('enough')), 50);
    await expect(waiting).rejects.toThrow('enough');
  });
});
