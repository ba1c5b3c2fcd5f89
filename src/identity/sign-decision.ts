import { randomBytes } from 'node:crypto';
import type { DecisionToken } from '../contracts/approval.ts';
import type { DecisionKey } from '../contracts/snapshot.ts';
import { signStatement, type DecisionStatement } from '../policy/decision-token.ts';
import type { Keyring } from './keyring.ts';

/** What somebody decides; the key, the token's id and its end are added when it is signed. */
export type Decided = Omit<DecisionStatement, 'keyId' | 'tokenId' | 'expiresAt'>;

/** The task knows none of the keys that could sign here; the message says what to do. */
export class NoSigningKeyError extends Error {
  override readonly name = 'NoSigningKeyError';
}

export interface DecisionSigner {
  /**
   * @param keys those of the task's snapshot. The newest of them that the ring holds signs: a task that began before a rotation knows only older ones.
   * @param lifetimeMs how long the token counts; default 2 minutes
   * @throws {NoSigningKeyError}; TypeError when `value` is no plain JSON
   */
  sign(decided: Decided, keys: readonly Pick<DecisionKey, 'keyId'>[], lifetimeMs?: number): Promise<DecisionToken>;
}

const LIFETIME_MS = 120_000;

/** Signs decisions with the keys of one owner. The caller has authenticated the approver and vouches for the roles. */
export function createSigner(keyring: Keyring, owner: string): DecisionSigner {
  return {
    async sign(decided, keys, lifetimeMs = LIFETIME_MS) {
      const known = new Set(keys.map(({ keyId }) => keyId));
      const held = (await keyring.list()).filter((key) => key.owner === owner && known.has(key.keyId));
      const key = held.find(({ subject }) => subject === null || subject === decided.approver);
      if (!key) throw new NoSigningKeyError(whyNot(decided, owner, held.length));
      // as it will be read from the message
      const value: unknown = JSON.parse(JSON.stringify(decided.value ?? null));
      // a key never claims more than it is registered for
      const roles = [...new Set(decided.roles)].filter((role) => key.roles?.includes(role) ?? true).sort();
      const statement = { ...decided, value, roles, keyId: key.keyId, tokenId: randomBytes(16).toString('base64url'), expiresAt: Date.now() + lifetimeMs };
      const { keyId, tokenId, expiresAt } = statement;
      return { keyId, tokenId, roles, expiresAt, signature: signStatement(statement, key.secretKey()) };
    },
  };
}

function whyNot({ taskId, approver }: Decided, owner: string, held: number): string {
  if (held > 0) return `The ${owner} key does not speak for ${approver}.`;
  return `Task ${taskId} knows none of the ${owner} keys in this keyring: it began before the key was registered, or the keys are elsewhere. Decide where its key is, or start it again.`;
}
