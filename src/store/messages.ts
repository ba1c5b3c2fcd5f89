import type { Refusal } from '../contracts/approval.ts';
import type { TuneChange } from '../contracts/messages.ts';
import { camelCase, type Executor } from './database.ts';
import { toRow } from './row.ts';
import { sha256 } from './text.ts';

export type StoredRefusal = Refusal & { taskId: string };
export type StoredTuneChange = TuneChange & { taskId: string };
export type Refusals = ReturnType<typeof createRefusals>;
export type TuneChanges = ReturnType<typeof createTuneChanges>;

/** Signals and Updates that changed nothing. */
export function createRefusals(database: Executor) {
  return {
    /** Recording the same refusal again changes nothing. */
    async record(taskId: string, refusal: Refusal, executor: Executor = database): Promise<void> {
      const { at, ...rest } = refusal;
      const row = { ...rest, id: hashOf(taskId, refusal), taskId, refusedAt: at };
      await camelCase(executor)
        .insertInto('refusal')
        .values(toRow(row))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    /** In order of time. */
    async listByTask(taskId: string, executor: Executor = database): Promise<StoredRefusal[]> {
      const rows = await camelCase(executor).selectFrom('refusal').selectAll().where('taskId', '=', taskId).orderBy('refusedAt').orderBy('id').execute();
      return rows.map((row) => ({ taskId, message: row.message, code: row.code, text: row.text, at: row.refusedAt.getTime() }));
    },
  };
}

/** Limits and parameters that were changed while a task ran. */
export function createTuneChanges(database: Executor) {
  return {
    /** Recording the same change again changes nothing. */
    async record(taskId: string, change: TuneChange, executor: Executor = database): Promise<void> {
      const row = {
        id: hashOf(taskId, change),
        taskId,
        field: change.field,
        fromValue: change.from,
        toValue: change.to,
        changedBy: change.by,
        changedAt: change.at,
      };
      await camelCase(executor)
        .insertInto('tuneChange')
        .values(toRow(row))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    /** In order of time. */
    async listByTask(taskId: string, executor: Executor = database): Promise<StoredTuneChange[]> {
      const rows = await camelCase(executor).selectFrom('tuneChange').selectAll().where('taskId', '=', taskId).orderBy('changedAt').orderBy('id').execute();
      return rows.map((row) => ({ taskId, field: row.field, from: row.fromValue, to: row.toValue, by: row.changedBy, at: row.changedAt.getTime() }));
    },
  };
}

/** Independent of the order in which the fields were written. */
function hashOf(taskId: string, value: object): string {
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return sha256(JSON.stringify([taskId, entries]));
}
