import { afterAll, beforeAll, expect, it } from 'vitest';
import { SigningKeyTakenError } from '../../../src/store/signing-keys.ts';
import type { Store } from '../../../src/store/store.ts';
import { testDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
let store: Store;
beforeAll(async () => {
  database = await testDatabase();
  store = database.store;
});
afterAll(() => database.drop());

it('a key is registered once, retired and revoked; revoked ones are not live', async () => {
  const gateway = { keyId: 'k1', publicKey: 'aa'.repeat(32), subject: null, roles: null };
  const carols = { keyId: 'k2', publicKey: 'bb'.repeat(32), subject: 'carol', roles: ['approver', 'finance'] };
  await store.signingKeys.put(gateway);
  await store.signingKeys.put(carols);
  await store.signingKeys.put(carols);
  expect(await store.signingKeys.live()).toEqual([carols, gateway]);
  expect(await store.signingKeys.get('k2')).toMatchObject({ ...carols, createdAt: expect.any(Date), retiredAt: null, revokedAt: null });
  expect(await store.signingKeys.get('none')).toBeNull();

  expect(await store.signingKeys.retire('k1')).toBe(true);
  expect(await store.signingKeys.retire('k1')).toBe(false);
  expect(await store.signingKeys.live()).toEqual([carols, gateway]);
  expect(await store.signingKeys.revoke('k2')).toBe(true);
  expect(await store.signingKeys.revoke('none')).toBe(false);
  expect(await store.signingKeys.live()).toEqual([gateway]);
  expect((await store.signingKeys.list()).map(({ keyId, retiredAt, revokedAt }) => [keyId, retiredAt !== null, revokedAt !== null])).toEqual([
    ['k2', false, true],
    ['k1', true, false],
  ]);
});

it.each([{ publicKey: 'cc'.repeat(32) }, { subject: 'mallory' }, { roles: ['admin'] }, { roles: null }])('an id never comes to name another key: %j', async (other) => {
  const key = { keyId: 'taken', publicKey: 'dd'.repeat(32), subject: 'dave', roles: ['approver'] };
  await store.signingKeys.put(key);
  await expect(store.signingKeys.put({ ...key, ...other })).rejects.toThrow(SigningKeyTakenError);
  expect(await store.signingKeys.get('taken')).toMatchObject(key);
});
