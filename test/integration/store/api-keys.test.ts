import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Store } from '../../../src/store/store.ts';
import { testDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
let store: Store;
beforeAll(async () => {
  database = await testDatabase();
  store = database.store;
});
afterAll(() => database.drop());

const ADMIN = { by: 'admin', via: 'session' };
const crm = { tenant: 'acme', subject: 'crm', roles: ['submitter', 'finance'], label: 'CRM', expiresAt: null };

it('a key is shown once and authenticates its subject; only its hash is kept', async () => {
  const { key, row } = await store.apiKeys.create(crm, ADMIN);
  expect(key).toMatch(/^lw_[a-z0-9]{16}_[A-Za-z0-9_-]{43}$/);
  expect(await store.apiKeys.authenticate(key)).toEqual({ subject: 'crm', tenant: 'acme', roles: ['submitter', 'finance'], via: 'key', credentialId: row.keyId });
  const { rows } = await sql<{ text: string }>`select api_key::text as text from api_key union all select audit::text from audit`.execute(store.database);
  const secret = key.slice(-43);
  expect(rows.length).toBeGreaterThan(1);
  for (const { text } of rows) expect(text).not.toContain(secret);
  expect(Object.keys(row)).not.toContain('secretHash');
});

it('whatever is not exactly a key is unknown', async () => {
  const { key } = await store.apiKeys.create(crm, ADMIN);
  const other = await store.apiKeys.create(crm, ADMIN);
  const last = key.at(-1) === 'A' ? 'B' : 'A';
  const mixed = `${key.slice(0, 20)}${other.key.slice(20)}`;
  const wrong = [
    '',
    'lw_',
    key.slice(0, -1),
    key.slice(0, -1) + last,
    `${key} `,
    ` ${key}`,
    key.toUpperCase(),
    mixed,
    'lw_0000000000000000_' + 'A'.repeat(43),
    `${key}\0`,
    'x'.repeat(100_000),
  ];
  for (const text of wrong) expect(await store.apiKeys.authenticate(text), JSON.stringify(text.slice(0, 80))).toEqual({ problem: 'unknown' });
});

it('an expired and a revoked key count for nothing; a key is revoked by its own tenant only', async () => {
  const expired = await store.apiKeys.create({ ...crm, expiresAt: Date.now() }, ADMIN);
  expect(await store.apiKeys.authenticate(expired.key)).toEqual({ problem: 'expired' });
  const { key, row } = await store.apiKeys.create({ ...crm, expiresAt: new Date(Date.now() + 60_000) }, ADMIN);
  expect(await store.apiKeys.revoke('other', row.keyId, ADMIN)).toBe(false);
  expect(await store.apiKeys.authenticate(key)).toMatchObject({ subject: 'crm' });
  expect(await store.apiKeys.revoke('acme', row.keyId, ADMIN)).toBe(true);
  expect(await store.apiKeys.revoke('acme', row.keyId, ADMIN)).toBe(false);
  expect(await store.apiKeys.authenticate(key)).toEqual({ problem: 'revoked' });
  // what is told of a key tells nothing to who does not hold its secret
  expect(await store.apiKeys.authenticate(`lw_${row.keyId}_${'A'.repeat(43)}`)).toEqual({ problem: 'unknown' });
  const actions = (await store.audit.list({ tenant: 'acme' })).items.filter(({ target }) => target === row.keyId);
  expect(actions.map(({ action, actor, actorVia }) => [action, actor, actorVia])).toEqual([
    ['key.revoked', 'admin', 'session'],
    ['key.created', 'admin', 'session'],
  ]);
});

it('use is noted once a minute', async () => {
  const { key, row } = await store.apiKeys.create({ ...crm, tenant: 'noted' }, ADMIN);
  const used = async () => (await store.apiKeys.list('noted'))[0]!.lastUsedAt?.getTime() ?? null;
  expect(await used()).toBeNull();
  await store.apiKeys.authenticate(key);
  const first = await used();
  expect(first).toBeGreaterThan(Date.now() - 10_000);
  await store.apiKeys.authenticate(key);
  expect(await used()).toBe(first);
  await sql`update api_key set last_used_at = now() - interval '61 seconds' where key_id = ${row.keyId}`.execute(store.database);
  await store.apiKeys.authenticate(key);
  expect(await used()).toBeGreaterThanOrEqual(first!);
});

it('lists the keys of one tenant, newest first; a key without subject or roles is refused', async () => {
  for (const label of ['a', 'b']) await store.apiKeys.create({ ...crm, tenant: 'listed', label }, ADMIN);
  const keys = await store.apiKeys.list('listed');
  expect(keys.map(({ label, tenant, createdBy }) => [label, tenant, createdBy]).sort()).toEqual([
    ['a', 'listed', 'admin'],
    ['b', 'listed', 'admin'],
  ]);
  expect(keys[0]!.createdAt.getTime()).toBeGreaterThanOrEqual(keys[1]!.createdAt.getTime());
  await expect(store.apiKeys.create({ ...crm, subject: '' }, ADMIN)).rejects.toThrow('"subject"');
  await expect(store.apiKeys.create({ ...crm, roles: [] }, ADMIN)).rejects.toThrow('"roles"');
});
