import type { BusinessOutcome } from '../contracts/business-outcome.ts';
import { camelCase, type Executor } from './database.ts';
import type { Row } from './schema.ts';

export type BusinessOutcomeRow = Row<'businessOutcome'>;

/**
 * Records what became of a task; the same id again changes nothing.
 * @returns what is recorded under the id, which may be something else that was told before; null when there is no such task
 */
export async function recordBusinessOutcome(database: Executor, taskId: string, outcome: BusinessOutcome): Promise<BusinessOutcomeRow | null> {
  const tables = camelCase(database);
  const task = await tables.selectFrom('task').select('tenant').where('taskId', '=', taskId).executeTakeFirst();
  if (!task) return null;
  const inserted = await tables
    .insertInto('businessOutcome')
    .values({ ...outcome, observedAt: new Date(outcome.observedAt ?? Date.now()), tenant: task.tenant, taskId })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (inserted) return inserted;
  return tables.selectFrom('businessOutcome').selectAll().where('tenant', '=', task.tenant).where('outcomeId', '=', outcome.outcomeId).executeTakeFirstOrThrow();
}
