import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { NotificationFact, NotificationPayload, NotificationRouter } from '../contracts/notification.ts';
import { camelCase, type Executor } from './database.ts';
import { toRow } from './row.ts';
import type { Row } from './schema.ts';

export type NotificationRow = Row<'notification'>;
export type Notifications = ReturnType<typeof createNotifications>;

/** Characters of a summary that leave the house. */
const MAX_SUMMARY_CHARS = 500;
const MAX_ERROR_CHARS = 1_000;

/** @param route finds who is told; without one nobody is. */
export function createNotifications(database: Executor, route: NotificationRouter = () => []) {
  const dueNow = sql<Date>`now()`;
  return {
    /** Call it in the transaction of the fact: one row for each target that it concerns. The same fact again changes nothing. */
    async enqueue(fact: NotificationFact, executor: Executor = database): Promise<void> {
      const task = await camelCase(executor).selectFrom('task').select(['agent', 'tenant', 'startedBy']).where('taskId', '=', fact.taskId).executeTakeFirst();
      if (!task) throw new Error(`No task ${fact.taskId} in the store to notify of`);
      const payload = payloadOf(fact, task);
      const recipients = route({ event: fact.event, tenant: task.tenant, payload });
      if (recipients.length === 0) return;
      const about = 'approval' in fact ? { approvalId: fact.approval.id, stage: fact.stage ?? '' } : { approvalId: null, stage: '' };
      const rows = recipients.map((recipient) =>
        toRow({ notificationId: `msg_${randomUUID()}`, tenant: task.tenant, event: fact.event, taskId: fact.taskId, ...about, ...recipient, payload }),
      );
      await camelCase(executor)
        .insertInto('notification')
        .values(rows)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    /**
     * Takes due notifications of a target, oldest first, for `leaseMs`: meanwhile no other dispatcher gets them, afterwards one does.
     * Each counts as an attempt, so one that was cut off is known.
     */
    async claim({ target, limit, leaseMs }: { target: string; limit: number; leaseMs: number }, executor: Executor = database): Promise<NotificationRow[]> {
      return camelCase(executor)
        .updateTable('notification')
        .set((row) => ({ attempts: row('attempts', '+', 1), nextAttemptAt: sql<Date>`now() + ${leaseMs} * interval '1 millisecond'` }))
        .where('notificationId', 'in', (query) =>
          query
            .selectFrom('notification')
            .select('notificationId')
            .where('target', '=', target)
            .where('status', 'in', ['pending', 'failed'])
            .where('nextAttemptAt', '<=', dueNow)
            .orderBy('nextAttemptAt')
            .limit(limit)
            .forUpdate()
            .skipLocked(),
        )
        .returningAll()
        .execute();
    },

    /** The target accepted it. A claim that another dispatcher has taken over since changes nothing. */
    async markSent({ notificationId }: Pick<NotificationRow, 'notificationId'>, executor: Executor = database): Promise<void> {
      await camelCase(executor).updateTable('notification').set({ status: 'sent', sentAt: dueNow, lastError: null }).where('notificationId', '=', notificationId).execute();
    },

    /** @param retryInMs null: given up. Changes nothing when another dispatcher has taken the claim over. */
    async markFailed({ notificationId, attempts }: Pick<NotificationRow, 'notificationId' | 'attempts'>, error: string, retryInMs: number | null, executor: Executor = database) {
      await camelCase(executor)
        .updateTable('notification')
        .set({
          lastError: error.slice(0, MAX_ERROR_CHARS),
          ...(retryInMs === null ? { status: 'dead' as const } : { status: 'failed' as const, nextAttemptAt: sql<Date>`now() + ${retryInMs} * interval '1 millisecond'` }),
        })
        .where('notificationId', '=', notificationId)
        .where('attempts', '=', attempts)
        .where('status', '!=', 'sent')
        .execute();
    },

    /** In the order they were written. */
    async listByTask(taskId: string, executor: Executor = database): Promise<NotificationRow[]> {
      return camelCase(executor).selectFrom('notification').selectAll().where('taskId', '=', taskId).orderBy('createdAt').orderBy('notificationId').execute();
    },
  };
}

function payloadOf(fact: NotificationFact, { agent, startedBy }: Pick<Row<'task'>, 'agent' | 'startedBy'>): NotificationPayload {
  if (!('approval' in fact)) {
    const { outcome, reason, explanation } = fact.outcome;
    return { agent, startedBy, summary: explanation.slice(0, MAX_SUMMARY_CHARS), approval: null, outcome: { outcome, reason } };
  }
  const { kind, risk, tool, summary, approvers, expiresAt, onTimeout } = fact.approval;
  const { roles, people, quorum } = approvers;
  return { agent, startedBy, summary: summary.slice(0, MAX_SUMMARY_CHARS), approval: { kind, risk, tool, roles, people, quorum, expiresAt, onTimeout }, outcome: null };
}
