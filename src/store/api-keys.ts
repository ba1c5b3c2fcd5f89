import { randomBytes } from 'node:crypto';
import type { Principal } from '../contracts/identity.ts';
import type { Audit } from './audit.ts';
import { camelCase, type Executor } from './database.ts';
import { toRow } from './row.ts';
import type { Row } from './schema.ts';
import { hashSecret, newSecret, sameHash, type AuditActor, type CredentialProblem } from './secret.ts';

export type ApiKeys = ReturnType<typeof createApiKeys>;
/** Everything but the secret's hash. */
export type ApiKeyRow = Omit<Row<'apiKey'>, 'secretHash'>;

export interface NewApiKey {
  tenant: string;
  /** On whose behalf it acts. */
  subject: string;
  roles: string[];
  label?: string;
  /** From when it counts for nothing; null: never. */
  expiresAt: Date | number | null;
}

/** lw_<key id>_<secret> */
const KEY = /^lw_([a-z0-9]{16})_([A-Za-z0-9_-]{43})$/;
/** How exactly `last_used_at` says when, ms: not every request writes. */
const USE_NOTED_MS = 60_000;
/** Compared where there is no such key, so that this takes as long. */
const NO_HASH = '0'.repeat(64);
const COLUMNS = ['keyId', 'label', 'tenant', 'subject', 'roles', 'createdBy', 'createdAt', 'expiresAt', 'revokedAt', 'lastUsedAt'] as const;

/** Keys of services and scripts. Making and revoking one is in the audit. */
export function createApiKeys(database: Executor, audit: Audit) {
  async function noteUse({ keyId, lastUsedAt }: Row<'apiKey'>, now: number): Promise<void> {
    if (lastUsedAt && now - lastUsedAt.getTime() < USE_NOTED_MS) return;
    await camelCase(database)
      .updateTable('apiKey')
      .set({ lastUsedAt: new Date(now) })
      .where('keyId', '=', keyId)
      .execute();
  }

  return {
    /** @returns the key's text, this once: only a hash is kept. */
    async create(key: NewApiKey, { by, via }: AuditActor): Promise<{ key: string; row: ApiKeyRow }> {
      if (key.subject === '') throw new TypeError('"subject" must say on whose behalf the key acts');
      if (key.roles.length === 0) throw new TypeError('"roles" must name at least one role');
      const keyId = randomBytes(8).toString('hex');
      const secret = newSecret();
      const { label = '', tenant, subject, roles, expiresAt } = key;
      const values = { keyId, secretHash: hashSecret(secret), label, tenant, subject, roles, createdBy: by, createdAt: new Date(), expiresAt };
      const row = await database.transaction().execute(async (transaction) => {
        const made = await camelCase(transaction).insertInto('apiKey').values(toRow(values)).returning(COLUMNS).executeTakeFirstOrThrow();
        const after = { label, subject, roles, expiresAt: made.expiresAt };
        await audit.append({ tenant, key: `key.created/${keyId}`, actor: by, actorVia: via, action: 'key.created', target: keyId, after }, transaction);
        return made;
      });
      return { key: `lw_${keyId}_${secret}`, row };
    },

    /** Whose key this is. Notes its use, to the minute. */
    async authenticate(text: string): Promise<Principal | CredentialProblem> {
      const [, keyId, secret] = KEY.exec(text) ?? [];
      const row = keyId === undefined ? undefined : await camelCase(database).selectFrom('apiKey').selectAll().where('keyId', '=', keyId).executeTakeFirst();
      if (!sameHash(row?.secretHash ?? NO_HASH, hashSecret(secret ?? '')) || !row) return { problem: 'unknown' };
      const now = Date.now();
      if (row.revokedAt) return { problem: 'revoked' };
      if (row.expiresAt && row.expiresAt.getTime() <= now) return { problem: 'expired' };
      await noteUse(row, now);
      return { subject: row.subject, tenant: row.tenant, roles: row.roles, via: 'key', credentialId: row.keyId };
    },

    /** Newest first, revoked and expired ones too. */
    list(tenant: string, executor: Executor = database): Promise<ApiKeyRow[]> {
      return camelCase(executor).selectFrom('apiKey').select(COLUMNS).where('tenant', '=', tenant).orderBy('createdAt', 'desc').orderBy('keyId').execute();
    },

    /** At once. False when the tenant has no such key, or it was revoked before. */
    revoke(tenant: string, keyId: string, { by, via }: AuditActor): Promise<boolean> {
      return database.transaction().execute(async (transaction) => {
        const revoked = await camelCase(transaction)
          .updateTable('apiKey')
          .set({ revokedAt: new Date() })
          .where('tenant', '=', tenant)
          .where('keyId', '=', keyId)
          .where('revokedAt', 'is', null)
          .returning(['label', 'subject', 'roles'])
          .executeTakeFirst();
        if (!revoked) return false;
        return audit.append({ tenant, key: `key.revoked/${keyId}`, actor: by, actorVia: via, action: 'key.revoked', target: keyId, before: revoked }, transaction);
      });
    },
  };
}
