import type { OutcomeKind } from '../contracts/reasons.ts';
import { camelCase, type Executor } from './database.ts';
import { toRow } from './row.ts';
import type { Change, NewRow, Row } from './schema.ts';

export type TaskRow = Row<'task'>;
export type Tasks = ReturnType<typeof createTasks>;

export interface TaskFilter {
  /** At most this many, newest first; 50 unless said. */ limit?: number;
  agent?: string;
  /** `null`: tasks that still run. */ outcome?: OutcomeKind | null;
  /** Tasks of this experiment; left out: real work alone. */ experimentId?: string;
}

export function createTasks(database: Executor) {
  return {
    /** Records that a task started. A second start of the same task only notes the run that made it (retry, continue-as-new). Returns the row. */
    async start(task: NewRow<'task'>, executor: Executor = database): Promise<TaskRow> {
      return camelCase(executor)
        .insertInto('task')
        .values(toRow(task))
        .onConflict((conflict) =>
          conflict.column('taskId').doUpdateSet((row) => ({
            runId: row.fn.coalesce('excluded.runId', 'task.runId'),
            updatedAt: new Date(),
          })),
        )
        .returningAll()
        .executeTakeFirstOrThrow();
    },

    /** Changes some columns; `updatedAt` follows by itself. Throws when there is no such task. */
    async update(taskId: string, change: Change<'task'>, executor: Executor = database): Promise<void> {
      await camelCase(executor)
        .updateTable('task')
        .set(toRow({ updatedAt: new Date(), ...change }))
        .where('taskId', '=', taskId)
        .returning('taskId')
        .executeTakeFirstOrThrow(() => new Error(`No task ${taskId} in the store`));
    },

    async get(taskId: string, executor: Executor = database): Promise<TaskRow | null> {
      const row = await camelCase(executor).selectFrom('task').selectAll().where('taskId', '=', taskId).executeTakeFirst();
      return row ?? null;
    },

    /** Newest first; without those of experiments, unless one is named. */
    async list(filter: TaskFilter = {}, executor: Executor = database): Promise<TaskRow[]> {
      let query = camelCase(executor)
        .selectFrom('task')
        .selectAll()
        .orderBy('startedAt', 'desc')
        .orderBy('taskId')
        .limit(filter.limit ?? 50);
      query = filter.experimentId === undefined ? query.where('experimentId', 'is', null) : query.where('experimentId', '=', filter.experimentId);
      if (filter.agent !== undefined) query = query.where('agent', '=', filter.agent);
      if (filter.outcome === null) query = query.where('outcome', 'is', null);
      else if (filter.outcome !== undefined) query = query.where('outcome', '=', filter.outcome);
      return query.execute();
    },
  };
}
