import { sql } from 'kysely';
import type { Executor } from './database.ts';

/** Until the transaction ends, others that ask for the same name wait: what was read stays true while it is written. */
export async function lockFor(transaction: Executor, kind: string, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${JSON.stringify([kind, name])}, 0))`.execute(transaction);
}
