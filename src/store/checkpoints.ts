import { camelCase, type Executor } from './database.ts';

export type Checkpoints = ReturnType<typeof createCheckpoints>;

/** States of workflow runs that continued as new. */
export function createCheckpoints(database: Executor) {
  return {
    /** Saves the state, JSON text, of a run; saving it again replaces it. Returns the checkpoint's name: the run id. */
    async save(checkpoint: { taskId: string; runId: string; state: string }, executor: Executor = database): Promise<string> {
      await camelCase(executor)
        .insertInto('checkpoint')
        .values(checkpoint)
        .onConflict((conflict) => conflict.columns(['taskId', 'runId']).doUpdateSet({ state: checkpoint.state }))
        .execute();
      return checkpoint.runId;
    },

    /** JSON text of the state, or null. */
    async get(taskId: string, runId: string, executor: Executor = database): Promise<string | null> {
      const row = await camelCase(executor).selectFrom('checkpoint').select('state').where('taskId', '=', taskId).where('runId', '=', runId).executeTakeFirst();
      return row?.state ?? null;
    },
  };
}
