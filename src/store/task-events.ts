import type { TaskEventRecord } from '../contracts/experience.ts';
import { camelCase, type Executor } from './database.ts';
import { toRow } from './row.ts';

export type TaskEvents = ReturnType<typeof createTaskEvents>;
export type StoredTaskEvent = TaskEventRecord & { key: string; at: Date };

/** What agents' runs did, in their own words. */
export function createTaskEvents(database: Executor) {
  return {
    /** Recording the same key again changes nothing. */
    async record(taskId: string, event: TaskEventRecord, key: string, executor: Executor = database): Promise<void> {
      await camelCase(executor)
        .insertInto('taskEvent')
        .values(toRow({ taskId, key, ...event }))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    /** In the order they were recorded. */
    async listByTask(taskId: string, executor: Executor = database): Promise<StoredTaskEvent[]> {
      return camelCase(executor).selectFrom('taskEvent').select(['key', 'type', 'attempt', 'detail', 'at']).where('taskId', '=', taskId).orderBy('seq').execute();
    },
  };
}
