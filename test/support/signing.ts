import { randomUUID } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { DecisionKey } from '../../src/contracts/snapshot.ts';
import type { Store } from '../../src/store/store.ts';

/** A key for tests. By default a gateway's, which may vouch for anybody. */
export interface TestKey extends DecisionKey {
  secretKey: Uint8Array;
}

export function testKey(change: Partial<Pick<DecisionKey, 'subject' | 'roles'>> = {}): TestKey {
  const { secretKey, publicKey } = ed25519.keygen();
  return { keyId: `key-${randomUUID()}`, publicKey: bytesToHex(publicKey), subject: null, roles: null, ...change, secretKey };
}

/** A key that tasks know which start from now on. */
export async function registeredKey(store: Store, change: Partial<Pick<DecisionKey, 'subject' | 'roles'>> = {}): Promise<TestKey> {
  const key = testKey(change);
  await store.signingKeys.put(publicHalf(key));
  return key;
}

export function publicHalf({ keyId, publicKey, subject, roles }: TestKey): DecisionKey {
  return { keyId, publicKey, subject, roles };
}
