import { randomUUID } from 'node:crypto';
import { camelCase, type Executor } from './database.ts';
import { toRow } from './row.ts';
import type { NewRow, Row } from './schema.ts';

export type SandboxRunRow = Row<'sandboxRun'>;
export type SandboxRuns = ReturnType<typeof createSandboxRuns>;

/** Audit of code that was run or refused; append-only. */
export function createSandboxRuns(database: Executor) {
  return {
    /** Each run is a row; `runId` is made up unless given, and given twice it is once. */
    async record(run: Omit<NewRow<'sandboxRun'>, 'runId'> & { runId?: string }, executor: Executor = database): Promise<void> {
      await camelCase(executor)
        .insertInto('sandboxRun')
        .values(toRow({ ...run, runId: run.runId ?? randomUUID() }))
        .onConflict((conflict) => conflict.column('runId').doNothing())
        .execute();
    },

    /** In order of time. */
    async listByTask(taskId: string, executor: Executor = database): Promise<SandboxRunRow[]> {
      return camelCase(executor).selectFrom('sandboxRun').selectAll().where('taskId', '=', taskId).orderBy('createdAt').orderBy('runId').execute();
    },
  };
}
