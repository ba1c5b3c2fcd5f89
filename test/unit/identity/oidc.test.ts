import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, exportSPKI, type CryptoKey, type JWK } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createOidcVerifier, type OidcOptions } from '../../../src/identity/oidc.ts';

const AUDIENCE = 'loopwright';
interface Pair {
  kid: string;
  algorithm: string;
  privateKey: CryptoKey;
  publicKey: CryptoKey;
  jwk: JWK;
}
async function pair(algorithm: string, kid: string): Promise<Pair> {
  const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true });
  return { kid, algorithm, privateKey, publicKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: algorithm, use: 'sig' } };
}

/** An issuer: what it serves, and how often its keys were read. */
const site = { keys: [] as unknown[], status: 200, body: null as string | null, configuration: {} as Record<string, unknown>, reads: 0, discoveries: 0 };
let server: Server;
let issuer: string;
let rs: Pair;
let es: Pair;
let ed: Pair;

beforeAll(async () => {
  server = createServer((request, response) => {
    const discovery = request.url === '/.well-known/openid-configuration';
    if (discovery) site.discoveries += 1;
    else site.reads += 1;
    response.writeHead(site.status, { 'content-type': 'application/json', location: '/elsewhere' });
    response.end(site.body ?? JSON.stringify(discovery ? { issuer, jwks_uri: `${issuer}/keys`, ...site.configuration } : { keys: site.keys }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  [rs, es, ed] = await Promise.all([pair('RS256', 'rs-1'), pair('ES256', 'es-1'), pair('EdDSA', 'ed-1')]);
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => Object.assign(site, { keys: [rs.jwk, es.jwk, ed.jwk], status: 200, body: null, configuration: {}, reads: 0, discoveries: 0 }));

const verifier = (options: Partial<OidcOptions> = {}) => createOidcVerifier({ issuer, audience: AUDIENCE, cooldownMs: 0, backoffMs: 0, ...options });

interface Change {
  claims?: Record<string, unknown>;
  header?: Record<string, unknown>;
  expiresAt?: number;
  notBefore?: number;
}
const seconds = () => Math.floor(Date.now() / 1000);
function token(key: Pair, { claims = {}, header = {}, expiresAt = seconds() + 300, notBefore }: Change = {}): Promise<string> {
  const jwt = new SignJWT({ iss: issuer, aud: AUDIENCE, sub: 'carol', roles: ['approver', 'finance'], jti: 'token-1', ...claims })
    .setProtectedHeader({ alg: key.algorithm, kid: key.kid, ...header })
    .setIssuedAt()
    .setExpirationTime(expiresAt);
  if (notBefore !== undefined) jwt.setNotBefore(notBefore);
  return jwt.sign(key.privateKey);
}

describe('a token of the issuer', () => {
  it('of every kind of key names its principal; keys are read once', async () => {
    const oidc = verifier({ cooldownMs: 30_000 });
    for (const key of [rs, es, ed, rs])
      expect(await oidc.authenticate(await token(key))).toEqual({ subject: 'carol', tenant: 'default', roles: ['approver', 'finance'], via: 'oidc', credentialId: 'token-1' });
    expect([site.discoveries, site.reads]).toEqual([1, 1]);
  });

  it('may be found without discovery, and its claims may be elsewhere', async () => {
    const oidc = verifier({ jwksUrl: `${issuer}/keys`, subjectClaim: 'https://example.com/user', tenantClaim: 'org.id', rolesClaim: 'realm_access.roles' });
    const claims = { 'https://example.com/user': '卡罗尔', org: { id: 'acme' }, realm_access: { roles: ['operator', 7, '', 'operator'] } };
    expect(await oidc.authenticate(await token(es, { claims }))).toMatchObject({ subject: '卡罗尔', tenant: 'acme', roles: ['operator'] });
    expect(site.discoveries).toBe(0);
    expect(await verifier().authenticate(await token(es, { claims: { roles: 'submitter operator,finance', jti: undefined } }))).toMatchObject({
      roles: ['submitter', 'operator', 'finance'],
      credentialId: null,
    });
    for (const roles of [undefined, null, 7, { admin: true }])
      expect(await verifier().authenticate(await token(es, { claims: { roles } }))).toMatchObject({ subject: 'carol', roles: [] });
  });

  it('without subject, or without the tenant that is asked for, is refused', async () => {
    for (const sub of [undefined, '', ' ', 7, 'x'.repeat(201)])
      expect(await verifier().authenticate(await token(es, { claims: { sub } }))).toMatchObject({ problem: 'invalid', reason: expect.stringContaining('"sub"') });
    const tenantOf = verifier({ tenantClaim: 'tenant' });
    for (const tenant of [undefined, '', ['acme']])
      expect(await tenantOf.authenticate(await token(es, { claims: { tenant } }))).toMatchObject({ problem: 'invalid', reason: expect.stringContaining('"tenant"') });
    expect(await verifier({ subjectClaim: 'constructor.name' }).authenticate(await token(es))).toMatchObject({ problem: 'invalid' });
  });

  it('clocks may differ by half a minute', async () => {
    expect(await verifier().authenticate(await token(es, { expiresAt: seconds() - 20 }))).toMatchObject({ subject: 'carol' });
    expect(await verifier().authenticate(await token(es, { expiresAt: seconds() - 40 }))).toMatchObject({ problem: 'expired' });
    expect(await verifier().authenticate(await token(es, { notBefore: seconds() + 20 }))).toMatchObject({ subject: 'carol' });
    expect(await verifier().authenticate(await token(es, { notBefore: seconds() + 40 }))).toMatchObject({ problem: 'invalid' });
  });
});

describe('what is refused', () => {
  it('another audience or issuer, or no end', async () => {
    for (const claims of [{ aud: 'other' }, { aud: undefined }, { aud: [] }, { iss: 'https://evil.example' }, { iss: `${issuer}/` }, { iss: undefined }])
      expect(await verifier().authenticate(await token(es, { claims })), JSON.stringify(claims)).toMatchObject({ problem: 'invalid' });
    const endless = await new SignJWT({ iss: issuer, aud: AUDIENCE, sub: 'carol' }).setProtectedHeader({ alg: 'ES256', kid: es.kid }).sign(es.privateKey);
    expect(await verifier().authenticate(endless)).toMatchObject({ problem: 'invalid', reason: expect.stringContaining('exp') });
    expect(await verifier().authenticate(await token(es, { claims: { aud: ['other', AUDIENCE] } }))).toMatchObject({ subject: 'carol' });
  });

  it('no signature, a shared-secret signature made with the public key, another key, changed claims', async () => {
    const claims = { iss: issuer, aud: AUDIENCE, sub: 'mallory', roles: ['admin'] };
    const none = new UnsecuredJWT(claims).setExpirationTime('5m').encode();
    const publicText = new TextEncoder().encode(await exportSPKI(rs.publicKey));
    const confused = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: rs.kid }).setExpirationTime('5m').sign(publicText);
    const forger = await pair('RS256', rs.kid);
    const embedded = await token(forger, { claims, header: { jwk: forger.jwk, jku: 'http://127.0.0.1:1/keys' } });
    const [head, , signature] = (await token(rs)).split('.');
    const changed = [head, Buffer.from(JSON.stringify({ ...claims, exp: seconds() + 60 })).toString('base64url'), signature].join('.');
    const oidc = verifier();
    for (const text of [none, `${none}x`, confused, embedded, await token(forger, { claims }), changed, await token(es, { header: { alg: 'ES256', kid: rs.kid } })])
      expect(await oidc.authenticate(text)).toMatchObject({ problem: 'invalid' });
    site.keys = [{ kty: 'oct', k: Buffer.from(publicText).toString('base64url'), kid: rs.kid, alg: 'HS256' }];
    expect(await verifier().authenticate(confused)).toMatchObject({ problem: 'invalid' });
  });

  it.each(['', 'x', 'a.b.c', '..', 'null', '{}', 'x'.repeat(20_000), 'eyJhbGciOiJub25lIn0..', '😀.😀.😀'])('%s', async (text) => {
    expect(await verifier().authenticate(text)).toMatchObject({ problem: 'invalid' });
  });
});

describe('keys that change, and an issuer that is away', () => {
  it('an unknown key id has the keys read anew, but not at every token', async () => {
    const newer = await pair('ES256', 'es-2');
    const oidc = verifier({ cooldownMs: 60_000 });
    expect(await oidc.authenticate(await token(es))).toMatchObject({ subject: 'carol' });
    for (let round = 0; round < 5; round += 1) expect(await oidc.authenticate(await token(newer))).toMatchObject({ problem: 'invalid' });
    expect(site.reads).toBe(1);

    const eager = verifier();
    await eager.authenticate(await token(es));
    expect(await eager.authenticate(await token(newer))).toMatchObject({ problem: 'invalid' });
    site.keys = [newer.jwk];
    expect(await eager.authenticate(await token(newer))).toMatchObject({ subject: 'carol' });
    expect(await eager.authenticate(await token(es))).toMatchObject({ problem: 'invalid' });
  });

  it.each([
    ['that answers 500', { status: 500 }],
    ['that redirects', { status: 302 }],
    ['that answers with no JSON', { body: '<html>' }],
    ['that answers with another thing', { body: '[]' }],
    ['that answers with null', { body: 'null' }],
    ['whose document names another issuer', { configuration: { issuer: 'https://other.example' } }],
    ['whose document names no keys', { configuration: { jwks_uri: 'nowhere' } }],
  ])('an issuer %s is unavailable, and asked again later', async (_what, fault) => {
    const oidc = verifier();
    Object.assign(site, fault);
    expect(await oidc.authenticate(await token(es))).toMatchObject({ problem: 'unavailable' });
    Object.assign(site, { status: 200, body: null, configuration: {} });
    expect(await oidc.authenticate(await token(es))).toMatchObject({ subject: 'carol' });
  });

  it('known keys go on counting while it is away; what is not known can not be told; nobody waits twice', async () => {
    const oidc = verifier({ backoffMs: 60_000 });
    expect(await oidc.authenticate(await token(es))).toMatchObject({ subject: 'carol' });
    site.status = 503;
    expect(await oidc.authenticate(await token(es))).toMatchObject({ subject: 'carol' });
    const reads = site.reads;
    const newer = await token(await pair('ES256', 'es-3'));
    for (let round = 0; round < 3; round += 1) expect(await oidc.authenticate(newer)).toMatchObject({ problem: 'unavailable' });
    expect(site.reads).toBe(reads + 1);
    const nowhere = createOidcVerifier({ issuer: 'http://127.0.0.1:1', audience: AUDIENCE });
    expect(await nowhere.authenticate(await token(es))).toMatchObject({ problem: 'unavailable', reason: expect.stringContaining('openid-configuration') });
  });
});
