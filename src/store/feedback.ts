import type { Feedback, FeedbackSource, ImplicitFeedback } from '../contracts/feedback.ts';
import { camelCase, type Executor } from './database.ts';
import type { Row } from './schema.ts';
import type { TaskEvents } from './task-events.ts';

export type FeedbackRow = Row<'feedback'>;
export type FeedbackStore = ReturnType<typeof createFeedback>;

/** What people say of how tasks went, and what they show by what they do. */
export function createFeedback(database: Executor, taskEvents: TaskEvents) {
  async function put(taskId: string, feedback: (Feedback | (ImplicitFeedback & { value: null })) & { source: FeedbackSource }, transaction: Executor): Promise<FeedbackRow | null> {
    const tables = camelCase(transaction);
    const task = await tables.selectFrom('task').select('tenant').where('taskId', '=', taskId).executeTakeFirst();
    if (!task) return null;
    const inserted = await tables
      .insertInto('feedback')
      .values({ ...feedback, tenant: task.tenant, taskId })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst();
    if (!inserted) return tables.selectFrom('feedback').selectAll().where('tenant', '=', task.tenant).where('feedbackId', '=', feedback.feedbackId).executeTakeFirstOrThrow();
    const { feedbackId, kind, value, by, attempt } = inserted;
    await taskEvents.record(taskId, { type: 'feedback_given', attempt: attempt ?? 0, detail: { feedbackId, kind, value, by } }, `feedback.${feedbackId}`, transaction);
    return inserted;
  }

  return {
    /**
     * Records it, and tells the task's watchers; the same id again changes nothing.
     * @returns what is recorded under the id, which may be something else that was said before; null when there is no such task
     */
    async record(taskId: string, feedback: Feedback): Promise<FeedbackRow | null> {
      return database.transaction().execute((transaction) => put(taskId, { ...feedback, source: 'explicit' }, transaction));
    },

    /** Records what was seen in what somebody did. Locks the task's row until the transaction ends: do it late in one. */
    async observe(taskId: string, feedback: ImplicitFeedback, transaction: Executor): Promise<void> {
      await put(taskId, { ...feedback, value: null, source: 'implicit' }, transaction);
    },

    /** In order of time. */
    async listByTask(taskId: string, executor: Executor = database): Promise<FeedbackRow[]> {
      return camelCase(executor).selectFrom('feedback').selectAll().where('taskId', '=', taskId).orderBy('at').orderBy('feedbackId').execute();
    },
  };
}
