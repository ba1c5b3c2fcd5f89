import { camelCase, type Executor } from './database.ts';
import { toRow } from './row.ts';
import type { NewRow, Row } from './schema.ts';

export type ModelCallRow = Row<'modelCall'>;
export type ModelReplies = ReturnType<typeof createModelReplies>;
export type ModelCalls = ReturnType<typeof createModelCalls>;

/** Paid answers, each kept once under its idempotency key (DESIGN invariant 4). */
export function createModelReplies(database: Executor) {
  return {
    /** JSON text of the reply, or null. */
    async get(key: string, executor: Executor = database): Promise<string | null> {
      const row = await camelCase(executor).selectFrom('modelReply').select('reply').where('key', '=', key).executeTakeFirst();
      return row?.reply ?? null;
    },

    /** Keeps a reply. The first one under a key wins: returns the one that is kept. */
    async put(reply: { key: string; taskId: string | null; reply: string }, executor: Executor = database): Promise<string> {
      const row = await camelCase(executor)
        .insertInto('modelReply')
        .values(reply)
        // a no-op update makes the existing row come back
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ key: reply.key }))
        .returning('reply')
        .executeTakeFirstOrThrow();
      return row.reply;
    },
  };
}

/** HTTP calls to models, one row each. */
export function createModelCalls(database: Executor) {
  return {
    /** Recorded when it is sent, and again when it has ended; the first end stays. */
    async record(call: NewRow<'modelCall'>, executor: Executor = database): Promise<void> {
      const row = toRow(call);
      await camelCase(executor)
        .insertInto('modelCall')
        .values(row)
        .onConflict((conflict) => conflict.column('id').doUpdateSet(row).where('modelCall.status', '=', 'sent'))
        .execute();
    },

    /** In order of time. */
    async listByTask(taskId: string, executor: Executor = database): Promise<ModelCallRow[]> {
      return camelCase(executor).selectFrom('modelCall').selectAll().where('taskId', '=', taskId).orderBy('startedAt').orderBy('id').execute();
    },

    /** Calls that wanted the answer under this key, in order of time: how often it was asked for. */
    async listByKey(key: string, executor: Executor = database): Promise<ModelCallRow[]> {
      return camelCase(executor).selectFrom('modelCall').selectAll().where('key', '=', key).orderBy('startedAt').orderBy('id').execute();
    },
  };
}
