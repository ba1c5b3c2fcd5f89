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

const carol = { subject: 'carol', tenant: 'default', roles: ['approver', 'operator'] };
const SYSTEM = { by: 'system', via: 'local' };
const HOUR = 3_600_000;

it('a link signs in once, also when ten requests race', async () => {
  const { token, expiresAt } = await store.signInLinks.create(carol, SYSTEM);
  expect(expiresAt.getTime()).toBeGreaterThan(Date.now());
  const answers = await Promise.all(Array.from({ length: 10 }, () => store.signInLinks.use(token)));
  expect(answers.filter((answer) => !('problem' in answer))).toEqual([carol]);
  expect(answers.filter((answer) => 'problem' in answer)).toEqual(Array.from({ length: 9 }, () => ({ problem: 'used' })));
  expect(await store.signInLinks.use('x')).toEqual({ problem: 'unknown' });
  const late = await store.signInLinks.create(carol, SYSTEM, 0);
  expect(await store.signInLinks.use(late.token)).toEqual({ problem: 'expired' });
  const rows = (await store.audit.list({ tenant: 'default' })).items.map(({ action, actor, target }) => [action, actor, target]);
  expect(rows).toEqual([
    ['sign_in_link.created', 'system', 'carol'],
    ['session.opened', 'carol', null],
    ['sign_in_link.created', 'system', 'carol'],
  ]);
});

it('a session authenticates until it is signed out; only hashes are kept', async () => {
  const [first, second] = [await store.browserSessions.create(carol), await store.browserSessions.create(carol)];
  expect(await store.browserSessions.authenticate(first.session)).toEqual({ ...carol, via: 'session', credentialId: expect.stringMatching(/^[0-9a-f]{16}$/) });
  const { rows } = await sql<{ text: string }>`select browser_session::text as text from browser_session`.execute(store.database);
  for (const { text } of rows) expect(text).not.toContain(first.session);
  expect(await store.browserSessions.revoke(first.session)).toBe(true);
  expect(await store.browserSessions.revoke(first.session)).toBe(false);
  expect(await store.browserSessions.authenticate(first.session)).toEqual({ problem: 'revoked' });
  expect(await store.browserSessions.authenticate(second.session)).toMatchObject(carol);
  expect(await store.browserSessions.authenticate('nonsense')).toEqual({ problem: 'unknown' });
});

it('signs a person out everywhere, in their tenant only', async () => {
  const dave = { ...carol, subject: 'dave' };
  const sessions = [await store.browserSessions.create(dave), await store.browserSessions.create(dave)];
  const elsewhere = await store.browserSessions.create({ ...dave, tenant: 'other' });
  expect(await store.browserSessions.revokeAll('default', 'dave')).toBe(2);
  for (const { session } of sessions) expect(await store.browserSessions.authenticate(session)).toEqual({ problem: 'revoked' });
  expect(await store.browserSessions.authenticate(elsewhere.session)).toMatchObject({ tenant: 'other' });
});

it('use moves the end on, up to the longest; after the end nothing counts', async () => {
  const { session, endsAt } = await store.browserSessions.create(carol, { idleMs: HOUR, longestMs: 3 * HOUR });
  const end = async () => (await sql<{ at: Date }>`select max(expires_at) as at from browser_session where ends_at = ${endsAt}`.execute(store.database)).rows[0]!.at.getTime();
  const first = await end();
  await store.browserSessions.authenticate(session, HOUR);
  expect(await end()).toBe(first);
  await store.browserSessions.authenticate(session, 2 * HOUR);
  expect(await end()).toBeGreaterThan(first + HOUR - 5_000);
  await store.browserSessions.authenticate(session, 9 * HOUR);
  expect(await end()).toBe(endsAt.getTime());
  await sql`update browser_session set expires_at = now() where ends_at = ${endsAt}`.execute(store.database);
  expect(await store.browserSessions.authenticate(session)).toEqual({ problem: 'expired' });
});
