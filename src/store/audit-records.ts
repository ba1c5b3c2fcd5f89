import { sql } from 'kysely';
import type { AuditRecord } from './audit-hash.ts';
import type { Executor } from './database.ts';

const BATCH = 1_000;

/** A tenant's rows in order of the chain, a batch in memory at a time. What is appended meanwhile may come or not. */
export async function* readAudit(executor: Executor, tenant: string, fromSeq = Number.MIN_SAFE_INTEGER): AsyncGenerator<AuditRecord> {
  let from = fromSeq;
  for (;;) {
    const { rows } = await sql<AuditRecord>`
      select tenant, seq, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, key, actor, actor_via as "actorVia", action, task_id as "taskId",
        approval_id as "approvalId", target, before::text as before, after::text as after, previous_hash as "previousHash", hash
      from audit where tenant = ${tenant} and seq >= ${from} order by seq limit ${BATCH}`.execute(executor);
    yield* rows;
    if (rows.length < BATCH) return;
    from = rows.at(-1)!.seq + 1;
  }
}
