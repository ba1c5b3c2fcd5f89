/** Who did what. */
import type { ColumnType } from 'kysely';
import type { Time } from './columns.ts';

/** Written once and never changed. */
type Once<Value> = ColumnType<Value, Value, never>;

export interface AuditTable {
  tenant: Once<string>;
  seq: Once<number>;
  at: Time;
  key: Once<string>;
  actor: Once<string>;
  actorVia: Once<string>;
  action: Once<string>;
  taskId: Once<string | null>;
  approvalId: Once<string | null>;
  target: Once<string | null>;
  before: Once<unknown>;
  after: Once<unknown>;
  previousHash: Once<string>;
  hash: Once<string>;
}

export interface AuditHeadTable {
  tenant: string;
  seq: number;
  hash: string;
  firstSeq: number;
  firstPreviousHash: string;
}
