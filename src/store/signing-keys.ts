import type { DecisionKey } from '../contracts/snapshot.ts';
import { camelCase, type Executor } from './database.ts';
import { toRow } from './row.ts';
import type { Row } from './schema.ts';

export type SigningKeyRow = Row<'signingKey'>;
export type SigningKeys = ReturnType<typeof createSigningKeys>;

/** The id stands for another key already. */
export class SigningKeyTakenError extends Error {
  override readonly name = 'SigningKeyTakenError';
}

/** Public halves of the keys that decisions are signed with. */
export function createSigningKeys(database: Executor) {
  async function get(keyId: string, executor: Executor = database): Promise<SigningKeyRow | null> {
    return (await camelCase(executor).selectFrom('signingKey').selectAll().where('keyId', '=', keyId).executeTakeFirst()) ?? null;
  }

  /** Sets a time once: the first stays. False when there is no such key, or it was set before. */
  async function mark(keyId: string, column: 'retiredAt' | 'revokedAt', at: Date, executor: Executor): Promise<boolean> {
    const marked = await camelCase(executor)
      .updateTable('signingKey')
      .set({ [column]: at })
      .where('keyId', '=', keyId)
      .where(column, 'is', null)
      .executeTakeFirst();
    return marked.numUpdatedRows > 0n;
  }

  return {
    get,

    /** Registers a key; registering it again changes nothing. @throws {SigningKeyTakenError} when the id names other bytes, person or roles */
    async put(key: DecisionKey, executor: Executor = database): Promise<void> {
      const row = { keyId: key.keyId, publicKey: key.publicKey, subject: key.subject, roles: key.roles };
      const inserted = await camelCase(executor)
        .insertInto('signingKey')
        .values(toRow(row))
        .onConflict((conflict) => conflict.doNothing())
        .returning('keyId')
        .executeTakeFirst();
      if (inserted) return;
      const kept = await get(key.keyId, executor);
      if (!kept || JSON.stringify(toKey(kept)) !== JSON.stringify(row))
        throw new SigningKeyTakenError(`Signing key ${key.keyId} is registered with another public key, subject or roles. Make a new key: a registered one never changes.`);
    },

    /** Newest first, retired and revoked ones too. */
    list(executor: Executor = database): Promise<SigningKeyRow[]> {
      return camelCase(executor).selectFrom('signingKey').selectAll().orderBy('createdAt', 'desc').orderBy('keyId').execute();
    },

    /** What a new task may be decided with: all that are not revoked, newest first. */
    async live(executor: Executor = database): Promise<DecisionKey[]> {
      const rows = await camelCase(executor).selectFrom('signingKey').selectAll().where('revokedAt', 'is', null).orderBy('createdAt', 'desc').orderBy('keyId').execute();
      return rows.map(toKey);
    },

    /** A newer one signs from now on; its signatures still count. */
    retire: (keyId: string, executor: Executor = database): Promise<boolean> => mark(keyId, 'retiredAt', new Date(), executor),

    /** Its signatures count for nothing from now on, in running tasks too. */
    revoke: (keyId: string, executor: Executor = database): Promise<boolean> => mark(keyId, 'revokedAt', new Date(), executor),
  };
}

function toKey({ keyId, publicKey, subject, roles }: SigningKeyRow): DecisionKey {
  return { keyId, publicKey, subject, roles };
}
