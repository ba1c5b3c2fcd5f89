import { sql } from 'kysely';
import type { AuditEntry } from './audit.ts';
import { camelCase, type Executor } from './database.ts';
import type { Row } from './schema.ts';

export const PRUNE_ACTION = 'audit.prune';

/** What an `audit.prune` row says: by it `verify` knows that the start of a chain was taken off by right. */
export interface PruneRecord {
  before: string;
  removed: number;
  toSeq: number;
  lastHash: string;
}

type Append = (entry: AuditEntry, executor: Executor) => Promise<boolean>;

/** Takes off the rows before the first that is young enough. Runs in a transaction of the caller. */
export async function pruneAudit(transaction: Executor, tenant: string, options: { before: Date; by: string; via: string }, append: Append): Promise<number> {
  const head = await camelCase(transaction).selectFrom('auditHead').selectAll().where('tenant', '=', tenant).forUpdate().executeTakeFirst();
  const last = head ? await lastToRemove(transaction, head, options.before) : null;
  if (!head || !last) return 0;
  const removed = last.seq - head.firstSeq + 1;
  const after: PruneRecord = { before: options.before.toISOString(), removed, toSeq: last.seq, lastHash: last.hash };
  await append({ tenant, key: `${PRUNE_ACTION}/${last.seq}`, actor: options.by, actorVia: options.via, action: PRUNE_ACTION, after }, transaction);
  await sql`select set_config('loopwright.audit_prune', 'on', true)`.execute(transaction);
  await camelCase(transaction).deleteFrom('audit').where('tenant', '=', tenant).where('seq', '<=', last.seq).execute();
  await sql`select set_config('loopwright.audit_prune', 'off', true)`.execute(transaction);
  await camelCase(transaction)
    .updateTable('auditHead')
    .set({ firstSeq: last.seq + 1, firstPreviousHash: last.hash })
    .where('tenant', '=', tenant)
    .execute();
  return removed;
}

/** A chain is cut once: rows told late, with an earlier time, stay when an older neighbour must. */
async function lastToRemove(transaction: Executor, head: Row<'auditHead'>, before: Date): Promise<{ seq: number; hash: string } | null> {
  const rows = camelCase(transaction).selectFrom('audit').where('tenant', '=', head.tenant);
  const kept = await rows
    .where('at', '>=', before)
    .select((row) => row.fn.min('seq').as('seq'))
    .executeTakeFirst();
  const last = (kept?.seq ?? head.seq + 1) - 1;
  if (last < head.firstSeq) return null;
  return (await rows.where('seq', '=', last).select(['seq', 'hash']).executeTakeFirst()) ?? null;
}
