import { sha256 } from './text.ts';

/** What the first row names as the hash before it. */
export const GENESIS = '0'.repeat(64);

/** A row as it is hashed and exported. `before` and `after` are the JSON texts that PostgreSQL writes for the stored values. */
export interface AuditRecord {
  tenant: string;
  seq: number;
  /** `2026-01-31T12:00:00.000000Z`: UTC, to the microsecond. */
  at: string;
  key: string;
  actor: string;
  actorVia: string;
  action: string;
  taskId: string | null;
  approvalId: string | null;
  target: string | null;
  before: string | null;
  after: string | null;
  previousHash: string;
  hash: string;
}

/**
 * sha256 over every other column, as the text of one JSON array. `before` and `after` count as the text that jsonb gives back, so that keys'
 * order, numbers and escapes are PostgreSQL's business alone, and the smallest edit of a stored value shows.
 */
export function hashAuditRecord(record: Omit<AuditRecord, 'hash'>): string {
  const { tenant, seq, at, key, actor, actorVia, action, taskId, approvalId, target, before, after, previousHash } = record;
  return sha256(JSON.stringify([tenant, seq, at, key, actor, actorVia, action, taskId, approvalId, target, before, after, previousHash]));
}
