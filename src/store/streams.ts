import { sql } from 'kysely';
import { camelCase, type Executor } from './database.ts';

export type Streams = ReturnType<typeof createStreams>;

/** Postgres tells listeners on this channel that the text of a task's model call has changed: `{taskId}` as JSON. */
export const STREAM_CHANNEL = 'loopwright_stream';

/** A model call whose text is being written. `key` is the one that its reply will be stored under, without the task's id. */
export interface StreamCall {
  taskId: string;
  callKey: string;
  stage: string;
  /** From 1: which time the call is made. */
  try: number;
}

/** The newest try of an open call. */
export interface OpenStream extends Omit<StreamCall, 'taskId'> {
  /** From `offset` as far as it can be read without a gap. */
  text: string;
  offset: number;
}

/** Nobody watches what was written so long ago, ms. */
const STALE_MS = 3_600_000;

/** What models write, while they write. Nothing depends on it: the reply itself is stored elsewhere. */
export function createStreams(database: Executor) {
  async function notify(taskId: string, executor: Executor): Promise<void> {
    await sql`select pg_notify(${STREAM_CHANNEL}, ${JSON.stringify({ taskId })})`.execute(executor);
  }

  return {
    /** Adds a piece. `position`: where it begins in the text of this try, UTF-16 units. The first piece of a try ends those before. */
    async append({ taskId, callKey, stage, try: attempt }: StreamCall, position: number, text: string): Promise<void> {
      await database.transaction().execute(async (transaction) => {
        if (position === 0) {
          const stale = camelCase(transaction).deleteFrom('streamChunk');
          await stale.where('taskId', '=', taskId).where('callKey', '=', callKey).where('try', '<', attempt).execute();
          await stale.where('at', '<', new Date(Date.now() - STALE_MS)).execute();
        }
        await camelCase(transaction)
          .insertInto('streamChunk')
          .values({ taskId, callKey, stage, try: attempt, position, text })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
        await notify(taskId, transaction);
      });
    },

    /** Takes away what was written for a call, or for all calls of a task; pass the transaction that stores the reply. */
    async end(taskId: string, callKey: string | null, executor: Executor = database): Promise<void> {
      let all = camelCase(executor).deleteFrom('streamChunk').where('taskId', '=', taskId);
      if (callKey !== null) all = all.where('callKey', '=', callKey);
      const { numDeletedRows } = await all.executeTakeFirst();
      if (numDeletedRows > 0n) await notify(taskId, executor);
    },

    /**
     * Calls of a task whose text is being written. @param known how far a watcher has read each: its text begins there when the try is still the same
     */
    async listOpen(taskId: string, known: ReadonlyMap<string, { try: number; length: number }> = new Map(), executor: Executor = database): Promise<OpenStream[]> {
      const { rows } = await sql<{ callKey: string; stage: string; try: number; position: number; text: string }>`
        select call_key as "callKey", stage, try, position, text from stream_chunk chunk
        where task_id = ${taskId}
          and not exists (select from stream_chunk later where later.task_id = chunk.task_id and later.call_key = chunk.call_key and later.try > chunk.try)
          and not exists (select from model_reply where key = chunk.task_id || '/' || chunk.call_key)
        order by call_key, position`.execute(executor);
      return [...Map.groupBy(rows, (row) => row.callKey).values()].map((chunks) => {
        const [{ callKey, stage, try: attempt }] = chunks as [(typeof rows)[0]];
        const seen = known.get(callKey);
        const offset = seen?.try === attempt ? seen.length : 0;
        return { callKey, stage, try: attempt, offset, text: whole(chunks).slice(offset) };
      });
    },
  };
}

/** As far as the pieces follow one another: one that could not be written yet hides what comes after it. */
function whole(chunks: { position: number; text: string }[]): string {
  let text = '';
  for (const chunk of chunks) {
    if (chunk.position > text.length) break;
    text = text.slice(0, chunk.position) + chunk.text;
  }
  return text;
}
