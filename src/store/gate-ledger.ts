import { camelCase, type Executor } from './database.ts';
import { lockFor } from './lock.ts';
import type { Row } from './schema.ts';

export type GateLedgerRow = Row<'gateLedger'>;

/** What a candidate's level depends on: those before it, in the order in which their levels were reserved. */
export interface Reservation {
  tenant: string;
  agent: string;
  experimentId: string;
  ruleId: string;
  ruleVersion: number;
  alone: boolean;
  /** Unix ms */ at: number;
}

/** The agent's candidates so far, in order. @param executor a transaction that holds {@link lockLedger}, where a level is to be reserved */
export async function ledgerOf(executor: Executor, tenant: string, agent: string): Promise<GateLedgerRow[]> {
  return camelCase(executor).selectFrom('gateLedger').selectAll().where('tenant', '=', tenant).where('agent', '=', agent).orderBy('seq').execute();
}

/** Until the transaction ends, nobody else reserves or settles a level of this agent. */
export async function lockLedger(transaction: Executor, tenant: string, agent: string): Promise<void> {
  await lockFor(transaction, 'gate_ledger', JSON.stringify([tenant, agent]));
}

/** Reserves a level. Spent whatever becomes of the experiment. @param before what {@link ledgerOf} gave under the same lock */
export async function reserveLevel(transaction: Executor, before: readonly GateLedgerRow[], reservation: Reservation, level: number): Promise<void> {
  const seq = (before.at(-1)?.seq ?? 0) + 1;
  const row = { ...reservation, at: new Date(reservation.at), seq, level, promoted: false };
  await camelCase(transaction).insertInto('gateLedger').values(row).execute();
}

/** Writes down what became of it. A second time changes nothing. @param p 1 when it was given up */
export async function settleLevel(transaction: Executor, experimentId: string, result: { p: number; promoted: boolean; /** Unix ms */ at: number }): Promise<void> {
  await camelCase(transaction)
    .updateTable('gateLedger')
    .set({ p: result.p, promoted: result.promoted, settledAt: new Date(result.at) })
    .where('experimentId', '=', experimentId)
    .where('settledAt', 'is', null)
    .execute();
}
