import { camelCase, type Executor } from './database.ts';
import { toRow } from './row.ts';
import type { NewRow, Row } from './schema.ts';

export type PlanRow = Row<'plan'>;
export type Plans = ReturnType<typeof createPlans>;

export function createPlans(database: Executor) {
  return {
    /** Stores a version of a plan; storing the version again replaces it. */
    async put(plan: NewRow<'plan'>, executor: Executor = database): Promise<void> {
      const { taskId: _taskId, version: _version, ...rest } = toRow(plan);
      await camelCase(executor)
        .insertInto('plan')
        .values(toRow(plan))
        .onConflict((conflict) => conflict.columns(['taskId', 'version']).doUpdateSet(rest))
        .execute();
    },

    /** In order of version. */
    async listByTask(taskId: string, executor: Executor = database): Promise<PlanRow[]> {
      return camelCase(executor).selectFrom('plan').selectAll().where('taskId', '=', taskId).orderBy('version').execute();
    },
  };
}
