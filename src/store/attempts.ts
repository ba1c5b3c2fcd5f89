import { camelCase, type Executor } from './database.ts';
import { toRow } from './row.ts';
import type { NewRow, Row } from './schema.ts';

export type AttemptRow = Row<'attempt'>;
export type Attempts = ReturnType<typeof createAttempts>;

export function createAttempts(database: Executor) {
  return {
    /** Stores what is known of an attempt; columns given again replace what was there, others stay. */
    async put(attempt: NewRow<'attempt'>, executor: Executor = database): Promise<void> {
      const { taskId: _taskId, attempt: number, ...rest } = toRow(attempt);
      await camelCase(executor)
        .insertInto('attempt')
        .values(toRow(attempt))
        // naming a key column keeps the statement valid when nothing else was given
        .onConflict((conflict) => conflict.columns(['taskId', 'attempt']).doUpdateSet({ attempt: number, ...rest }))
        .execute();
    },

    async get(taskId: string, attempt: number, executor: Executor = database): Promise<AttemptRow | null> {
      const row = await camelCase(executor).selectFrom('attempt').selectAll().where('taskId', '=', taskId).where('attempt', '=', attempt).executeTakeFirst();
      return row ?? null;
    },

    /** In order. */
    async listByTask(taskId: string, executor: Executor = database): Promise<AttemptRow[]> {
      return camelCase(executor).selectFrom('attempt').selectAll().where('taskId', '=', taskId).orderBy('attempt').execute();
    },
  };
}
