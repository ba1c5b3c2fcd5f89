import { sql } from 'kysely';
import { camelCase, type Executor } from './database.ts';
import { toRow } from './row.ts';
import type { NewRow, Row } from './schema.ts';

export type QueueRequest = Row<'queueRequest'>;
export type QueueRequests = ReturnType<typeof createQueueRequests>;
/** Whose requests: of one queue of one tenant. */
export interface QueueOwner {
  tenant: string;
  queue: string;
}

const later = (ms: number) => sql<Date>`now() + ${ms} * interval '1 millisecond'`;

export function createQueueRequests(database: Executor) {
  const mine = (executor: Executor, { tenant, queue, messageId }: QueueOwner & { messageId: string }) =>
    camelCase(executor).updateTable('queueRequest').where('tenant', '=', tenant).where('queue', '=', queue).where('messageId', '=', messageId);
  return {
    async find({ tenant, queue }: QueueOwner, messageId: string, executor: Executor = database): Promise<QueueRequest | null> {
      const row = await camelCase(executor)
        .selectFrom('queueRequest')
        .selectAll()
        .where('tenant', '=', tenant)
        .where('queue', '=', queue)
        .where('messageId', '=', messageId)
        .executeTakeFirst();
      return row ?? null;
    },

    /** The task runs, and the sender is owed its result. The same message again changes nothing. */
    async record(request: NewRow<'queueRequest'>, executor: Executor = database): Promise<void> {
      await camelCase(executor)
        .insertInto('queueRequest')
        .values(toRow(request))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    /** Takes requests whose tasks have ended and whose results are owed, for `leaseMs`: meanwhile no other consumer gets them. */
    async claimEnded({ tenant, queue }: QueueOwner, { limit, leaseMs }: { limit: number; leaseMs: number }, executor: Executor = database): Promise<QueueRequest[]> {
      return camelCase(executor)
        .updateTable('queueRequest')
        .set((row) => ({ attempts: row('attempts', '+', 1), nextAttemptAt: later(leaseMs) }))
        .where('tenant', '=', tenant)
        .where('queue', '=', queue)
        .where('messageId', 'in', (query) =>
          query
            .selectFrom('queueRequest as request')
            .innerJoin('task', 'task.taskId', 'request.taskId')
            .select('request.messageId')
            .where('request.tenant', '=', tenant)
            .where('request.queue', '=', queue)
            .where('request.status', '=', 'waiting')
            .where('request.replyTo', 'is not', null)
            .where('request.nextAttemptAt', '<=', sql<Date>`now()`)
            .where('task.outcome', 'is not', null)
            .orderBy('request.nextAttemptAt')
            .limit(limit)
            .forUpdate('request')
            .skipLocked(),
        )
        .returningAll()
        .execute();
    },

    /** Takes requests whose tasks have no outcome and were not looked at for `olderThanMs`: they may have been ended from outside. */
    async claimUnended({ tenant, queue }: QueueOwner, { limit, olderThanMs }: { limit: number; olderThanMs: number }, executor: Executor = database): Promise<QueueRequest[]> {
      return camelCase(executor)
        .updateTable('queueRequest')
        .set({ checkedAt: sql<Date>`now()` })
        .where('tenant', '=', tenant)
        .where('queue', '=', queue)
        .where('messageId', 'in', (query) =>
          query
            .selectFrom('queueRequest as request')
            .leftJoin('task', 'task.taskId', 'request.taskId')
            .select('request.messageId')
            .where('request.tenant', '=', tenant)
            .where('request.queue', '=', queue)
            .where('request.status', '=', 'waiting')
            .where('request.replyTo', 'is not', null)
            .where('request.checkedAt', '<=', later(-olderThanMs))
            .where('task.outcome', 'is', null)
            .orderBy('request.checkedAt')
            .limit(limit)
            .forUpdate('request')
            .skipLocked(),
        )
        .returningAll()
        .execute();
    },

    async markReplied(request: QueueOwner & { messageId: string }, executor: Executor = database): Promise<void> {
      await mine(executor, request)
        .set({ status: 'replied', repliedAt: sql<Date>`now()`, lastError: null })
        .execute();
    },

    /** @param retryInMs null: given up. */
    async markFailed(request: QueueRequest, error: string, retryInMs: number | null, executor: Executor = database): Promise<void> {
      await mine(executor, request)
        .set({ lastError: error.slice(0, 1_000), ...(retryInMs === null ? { status: 'dead' as const } : { nextAttemptAt: later(retryInMs) }) })
        .where('status', '=', 'waiting')
        .execute();
    },
  };
}
