import { sql } from 'kysely';
import type { AuditRecord } from './audit-hash.ts';
import { readAudit } from './audit-records.ts';
import { pruneAudit } from './audit-prune.ts';
import { verifyAudit, type AuditVerification } from './audit-verify.ts';
import { camelCase, type Executor } from './database.ts';
import { cleanJson } from './text.ts';
import type { Row } from './schema.ts';

export type { AuditRecord } from './audit-hash.ts';
export type { AuditProblem, AuditVerification } from './audit-verify.ts';

/** Something that was done, as it is told to the audit. */
export interface AuditEntry {
  /** Whose chain; null: that of the task. */
  tenant: string | null;
  /** What is told twice under one key is written once; unique in the tenant: `tool_call/<taskId>/<callId>`. */
  key: string;
  /** A subject, an agent's name, or `system`. */
  actor: string;
  /** How the actor was known: `key`, `session`, `oidc`, `local`, `token` (a signed decision), `unsigned`, `agent`, `system`. */
  actorVia: string;
  /** Noun and verb: `tool_call.success`, `approval.decided`, `key.revoked`. */
  action: string;
  taskId?: string | null;
  approvalId?: string | null;
  /** What was changed, when it is neither a task nor an approval. */
  target?: string | null;
  before?: unknown;
  after?: unknown;
  /** Default: now. */
  at?: Date | number;
}
export type AuditRow = Row<'audit'>;
export type Audit = ReturnType<typeof createAudit>;

/** The append-only, hash-chained record of who did what. One chain a tenant. */
export function createAudit(database: Executor) {
  return {
    /**
     * Adds a row to its tenant's chain, whose end stays locked until the transaction ends: append last, so that nobody waits for anything else
     * with the lock in hand. False when the key had been written before: nothing is added.
     */
    append(entry: AuditEntry, executor?: Executor): Promise<boolean> {
      return executor ? append(entry, executor) : database.transaction().execute((transaction) => append(entry, transaction));
    },

    /** Newest first. `next` is the cursor of the page that follows; null: none does. @param limit at most 500 */
    async list(
      filter: { tenant: string; cursor?: string | null; limit?: number; taskId?: string; action?: string },
      executor: Executor = database,
    ): Promise<{ items: AuditRow[]; next: string | null }> {
      const limit = Math.min(filter.limit ?? 100, 500);
      let query = camelCase(executor)
        .selectFrom('audit')
        .selectAll()
        .where('tenant', '=', filter.tenant)
        .orderBy('seq', 'desc')
        .limit(limit + 1);
      if (filter.cursor) query = query.where('seq', '<', Number(filter.cursor));
      if (filter.taskId !== undefined) query = query.where('taskId', '=', filter.taskId);
      if (filter.action !== undefined) query = query.where('action', '=', filter.action);
      const rows = await query.execute();
      const items = rows.slice(0, limit);
      return { items, next: rows.length > limit ? String(items.at(-1)!.seq) : null };
    },

    /** Walks the chains (of one tenant, or all) and names every row that was changed, removed, added or moved. Memory does not grow with the rows. */
    verify: (tenant?: string): Promise<AuditVerification> => verifyAudit(database, tenant),

    /** Every row as it was hashed, oldest first, read as it is consumed: whoever holds an export can check it without the database. */
    async *export(filter: { tenant?: string } = {}): AsyncGenerator<AuditRecord> {
      const tenants = filter.tenant === undefined ? await tenantsOf(database) : [filter.tenant];
      for (const tenant of tenants) yield* readAudit(database, tenant);
    },

    /**
     * Removes rows from before a time, the oldest of each chain (or of one tenant's). What stays is anchored to what went, and the removal is a row itself.
     * Returns how many went.
     */
    prune: (options: { before: Date; by: string; via: string; tenant?: string }): Promise<number> =>
      database.transaction().execute(async (transaction) => {
        const tenants = options.tenant === undefined ? await tenantsOf(transaction) : [options.tenant];
        let removed = 0;
        for (const tenant of tenants) removed += await pruneAudit(transaction, tenant, options, append);
        return removed;
      }),
  };
}

async function tenantsOf(executor: Executor): Promise<string[]> {
  const rows = await camelCase(executor).selectFrom('auditHead').select('tenant').orderBy('tenant').execute();
  return rows.map((row) => row.tenant);
}

async function append(entry: AuditEntry, executor: Executor): Promise<boolean> {
  const { tenant, at = new Date(), key, actor, actorVia, action, taskId, approvalId, target } = entry;
  const { rows } = await sql<{ added: boolean }>`
    select append_audit(${tenant ?? null}, ${new Date(at).toISOString()}::timestamptz, ${key}, ${actor}, ${actorVia}, ${action}, ${taskId ?? null}, ${approvalId ?? null},
      ${target ?? null}, ${jsonText(entry.before)}::jsonb, ${jsonText(entry.after)}::jsonb) as added`.execute(executor);
  return rows[0]!.added;
}

function jsonText(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(cleanJson(value));
}
