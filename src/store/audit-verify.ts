import { GENESIS, hashAuditRecord, type AuditRecord } from './audit-hash.ts';
import { PRUNE_ACTION, type PruneRecord } from './audit-prune.ts';
import { readAudit } from './audit-records.ts';
import { camelCase, type Executor } from './database.ts';
import type { Row } from './schema.ts';

export interface AuditProblem {
  tenant: string;
  seq: number;
  /** What is wrong there, in a sentence. */
  problem: string;
}

export interface AuditVerification {
  ok: boolean;
  /** Rows that were read. */
  rows: number;
  /** The first {@link MAX_PROBLEMS}; `ok` is false when there is any. */
  problems: AuditProblem[];
  /** End of each chain: noted elsewhere, it shows later whether the whole chain was written anew. */
  heads: { tenant: string; seq: number; hash: string }[];
}

/** One edit may break a whole chain; a person needs the first rows of it. */
const MAX_PROBLEMS = 100;

/** Reads everything in one snapshot, so that whoever appends or prunes meanwhile is not taken for a forger. */
export function verifyAudit(database: Executor, tenant?: string): Promise<AuditVerification> {
  return database
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (transaction) => {
      const result: AuditVerification = { ok: true, rows: 0, problems: [], heads: [] };
      for (const head of await headsOf(transaction, tenant)) {
        await verifyChain(transaction, head, result);
        result.heads.push({ tenant: head.tenant, seq: head.seq, hash: head.hash });
      }
      return result;
    });
}

/** Of tenants that have rows without a head too: as if their chain were empty, so that every row is one too many. */
async function headsOf(executor: Executor, tenant: string | undefined): Promise<Row<'auditHead'>[]> {
  const heads = await camelCase(executor).selectFrom('auditHead').selectAll().orderBy('tenant').execute();
  const orphans = await camelCase(executor)
    .selectFrom('audit')
    .select('tenant')
    .distinct()
    .where('tenant', 'not in', (query) => query.selectFrom('auditHead').select('tenant'))
    .execute();
  const all = [...heads, ...orphans.map((row) => ({ tenant: row.tenant, seq: 0, hash: GENESIS, firstSeq: 1, firstPreviousHash: GENESIS }))];
  return tenant === undefined ? all : all.filter((head) => head.tenant === tenant);
}

async function verifyChain(executor: Executor, head: Row<'auditHead'>, result: AuditVerification): Promise<void> {
  const { tenant } = head;
  const report = (seq: number, problem: string): void => {
    result.ok = false;
    if (result.problems.length < MAX_PROBLEMS) result.problems.push({ tenant, seq, problem });
  };
  let expected = head.firstSeq;
  let previousHash = head.firstPreviousHash;
  let anchored = head.firstSeq === 1 && head.firstPreviousHash === GENESIS;
  for await (const record of readAudit(executor, tenant)) {
    result.rows += 1;
    if (record.seq > head.seq) report(record.seq, 'is beyond the end of the chain: added past the audit, or the end was set back');
    else if (record.seq < head.firstSeq) report(record.seq, 'is from before the start of the chain');
    else if (record.seq > expected) report(expected, record.seq - expected === 1 ? 'is missing' : `is missing, and all up to ${record.seq - 1}`);
    if (hashAuditRecord(record) !== record.hash) report(record.seq, 'was changed: its hash is not that of what it says');
    else if (record.seq === expected && record.previousHash !== previousHash) report(record.seq, `does not follow row ${expected - 1} as that is now`);
    anchored ||= anchors(record, head);
    expected = record.seq + 1;
    previousHash = record.hash;
  }
  if (expected <= head.seq) report(expected, expected === head.seq ? 'is missing, the newest' : `is missing, and all up to the newest, ${head.seq}`);
  else if (expected === head.seq + 1 && head.seq > 0 && previousHash !== head.hash) report(head.seq, 'is not the row that the chain ends with');
  if (!anchored) report(head.firstSeq, 'is called the oldest, but no pruning says so');
}

/** Whether the row says that the chain was cut just before its start. */
function anchors(record: AuditRecord, head: Row<'auditHead'>): boolean {
  if (record.action !== PRUNE_ACTION || record.after === null) return false;
  const { toSeq, lastHash } = JSON.parse(record.after) as Partial<PruneRecord>;
  return toSeq === head.firstSeq - 1 && lastHash === head.firstPreviousHash;
}
