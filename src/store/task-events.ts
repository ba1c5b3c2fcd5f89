import { sql } from 'kysely';
import type { TaskEventRecord } from '../contracts/experience.ts';
import { TASK_EVENT_TYPES } from '../contracts/task-event.ts';
import { camelCase, type Executor } from './database.ts';
import { cleanJson } from './text.ts';

export type TaskEvents = ReturnType<typeof createTaskEvents>;
export type StoredTaskEvent = TaskEventRecord & { key: string; number: number; at: Date };
/** An event among those of all tasks of a tenant. */
export type TenantEvent = { taskId: string; type: string; number: number; seq: number; detail: Record<string, unknown> };

/** Postgres tells listeners of every event on this channel: `TaskNotice` as JSON. */
export const TASK_CHANNEL = 'loopwright_task';

/** What listeners are told of an event. */
export interface TaskNotice {
  taskId: string;
  tenant: string;
  number: number;
  /** Place in the order of all events. */ seq: number;
  type: string;
  /** Of an event that is about an approval. */ approvalId?: string;
}

const COLUMNS = ['key', 'number', 'type', 'attempt', 'detail', 'at'] as const;

/** The numbered log of what happens to tasks. */
export function createTaskEvents(database: Executor) {
  return {
    /**
     * Appends an event; recording the same key again changes nothing. Locks the task's row until the transaction ends, so that numbers become visible in their order: do it last in a transaction.
     * @returns its number, from 1.
     */
    async record(taskId: string, { type, attempt, detail }: TaskEventRecord, key: string, executor: Executor = database): Promise<number> {
      const { rows } = await sql<{ number: number }>`
        select record_task_event(${taskId}, ${key}, ${type}, ${attempt}, ${JSON.stringify(cleanJson(detail))}::jsonb) as number`.execute(executor);
      return rows[0]!.number;
    },

    /** In order, those after a number. */
    async listAfter(taskId: string, number: number, limit: number, executor: Executor = database): Promise<StoredTaskEvent[]> {
      return camelCase(executor).selectFrom('taskEvent').select(COLUMNS).where('taskId', '=', taskId).where('number', '>', number).orderBy('number').limit(limit).execute();
    },

    /** Number of the newest; 0 when there is none, null when there is no such task. */
    async last(taskId: string, executor: Executor = database): Promise<number | null> {
      const row = await camelCase(executor).selectFrom('task').select('lastEvent').where('taskId', '=', taskId).executeTakeFirst();
      return row?.lastEvent ?? null;
    },

    /** True when the task has closed and has no event after this one. */
    async isOver(taskId: string, number: number, executor: Executor = database): Promise<boolean> {
      const task = await camelCase(executor).selectFrom('task').select(['outcome', 'lastEvent']).where('taskId', '=', taskId).executeTakeFirst();
      return task !== undefined && task.outcome !== null && task.lastEvent <= number;
    },

    /** In order: those that the agent recorded in its own words. */
    async listOfAgent(taskId: string, executor: Executor = database): Promise<StoredTaskEvent[]> {
      return camelCase(executor)
        .selectFrom('taskEvent')
        .select(COLUMNS)
        .where('taskId', '=', taskId)
        .where('type', 'not in', [...TASK_EVENT_TYPES])
        .orderBy('number')
        .execute();
    },

    /** Newest place in the order of a tenant's events; 0 when there is none. */
    async lastOfTenant(tenant: string, executor: Executor = database): Promise<number> {
      const row = await camelCase(executor).selectFrom('taskEvent').select('seq').where('tenant', '=', tenant).orderBy('seq', 'desc').limit(1).executeTakeFirst();
      return row?.seq ?? 0;
    },

    /**
     * A tenant's events after a place in their order. Transactions that run side by side become visible in another order than their places: read again from somewhat
     * further back to miss none.
     */
    async listOfTenantAfter(tenant: string, seq: number, limit: number, executor: Executor = database): Promise<TenantEvent[]> {
      return camelCase(executor)
        .selectFrom('taskEvent')
        .select(['taskId', 'type', 'number', 'seq', 'detail'])
        .where('tenant', '=', tenant)
        .where('seq', '>', seq)
        .orderBy('seq')
        .limit(limit)
        .execute();
    },
  };
}
