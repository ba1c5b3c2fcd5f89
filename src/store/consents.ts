import type { Audit } from './audit.ts';
import { camelCase, type Executor } from './database.ts';
import { lockFor } from './lock.ts';
import type { Row } from './schema.ts';
import type { AuditActor } from './secret.ts';

export const CONSENT_PURPOSES = ['fine_tuning'] as const;
export type ConsentPurpose = (typeof CONSENT_PURPOSES)[number];
export type ConsentRow = Row<'consent'>;
export type Consents = ReturnType<typeof createConsents>;

/** What a tenant allowed to be done with its data. Nothing is allowed unless a row says so; each change is in the audit. */
export function createConsents(database: Executor, audit: Audit) {
  async function current(tenant: string, purpose: ConsentPurpose, executor: Executor = database): Promise<ConsentRow | null> {
    const row = await camelCase(executor)
      .selectFrom('consent')
      .selectAll()
      .where('tenant', '=', tenant)
      .where('purpose', '=', purpose)
      .where('revokedAt', 'is', null)
      .executeTakeFirst();
    return row ?? null;
  }

  return {
    /** The consent that holds; null: there is none. */
    current,

    /** Every one, oldest first. */
    async history(tenant: string, executor: Executor = database): Promise<ConsentRow[]> {
      return camelCase(executor).selectFrom('consent').selectAll().where('tenant', '=', tenant).orderBy('grantedAt').execute();
    },

    /** False when it was granted already. */
    async grant(tenant: string, purpose: ConsentPurpose, { by, via }: AuditActor): Promise<boolean> {
      return database.transaction().execute(async (transaction) => {
        await lockFor(transaction, 'consent', `${tenant} ${purpose}`);
        if (await current(tenant, purpose, transaction)) return false;
        const grantedAt = new Date();
        await camelCase(transaction).insertInto('consent').values({ tenant, purpose, grantedBy: by, grantedAt, revokedBy: null }).execute();
        const key = `consent.granted/${purpose}/${grantedAt.toISOString()}`;
        await audit.append({ tenant, key, actor: by, actorVia: via, action: 'consent.granted', target: purpose }, transaction);
        return true;
      });
    },

    /** What was exported before is not called back. False when there was none. */
    async revoke(tenant: string, purpose: ConsentPurpose, { by, via }: AuditActor): Promise<boolean> {
      return database.transaction().execute(async (transaction) => {
        await lockFor(transaction, 'consent', `${tenant} ${purpose}`);
        if (!(await current(tenant, purpose, transaction))) return false;
        const revokedAt = new Date();
        await camelCase(transaction)
          .updateTable('consent')
          .set({ revokedAt, revokedBy: by })
          .where('tenant', '=', tenant)
          .where('purpose', '=', purpose)
          .where('revokedAt', 'is', null)
          .execute();
        const key = `consent.revoked/${purpose}/${revokedAt.toISOString()}`;
        await audit.append({ tenant, key, actor: by, actorVia: via, action: 'consent.revoked', target: purpose }, transaction);
        return true;
      });
    },
  };
}
