import { camelCase, type Executor } from './database.ts';
import { toRow } from './row.ts';
import type { Change, NewRow, Row } from './schema.ts';
import type { ToolCallStatus } from '../contracts/reasons.ts';

export type ToolCallRow = Row<'toolCall'>;
export type ToolCalls = ReturnType<typeof createToolCalls>;

export type Begun =
  /** Never seen: run the tool. */
  | { state: 'new'; row: ToolCallRow }
  /** Begun before and not finished: a crash in the middle. Whether its effect happened is unknown. */
  | { state: 'started'; row: ToolCallRow }
  /** Finished before: take this result. */
  | { state: 'finished'; row: ToolCallRow };

export type NewToolCall = Omit<NewRow<'toolCall'>, 'status'>;
export type FinishedToolCall = Omit<Change<'toolCall'>, 'status'> & { status: ToolCallStatus };

/** The ledger of tool calls (DESIGN invariant 5). */
export function createToolCalls(database: Executor) {
  async function get(taskId: string, callId: string, executor: Executor = database): Promise<ToolCallRow | null> {
    const row = await camelCase(executor).selectFrom('toolCall').selectAll().where('taskId', '=', taskId).where('callId', '=', callId).executeTakeFirst();
    return row ?? null;
  }

  return {
    get,

    /**
     * Takes a call into the ledger before the tool runs. Of several at once exactly one is `new`. Must be committed before the tool is
     * entered: do not pass a transaction that stays open. `new` counts as the first execution; a re-run is counted by {@link countExecution}.
     * @throws when the idempotency key belongs to another call
     */
    async begin(call: NewToolCall, executor: Executor = database): Promise<Begun> {
      const inserted = await camelCase(executor)
        .insertInto('toolCall')
        .values(toRow({ executions: 1, ...call, status: 'started' as const }))
        .onConflict((conflict) => conflict.doNothing())
        .returningAll()
        .executeTakeFirst();
      if (inserted) return { state: 'new', row: inserted };
      const row = await get(call.taskId, call.callId, executor);
      if (!row) throw new Error(`Idempotency key ${call.idempotencyKey} of tool call ${call.callId} belongs to another call`);
      return { state: row.status === 'started' ? 'started' : 'finished', row };
    },

    /** Counts one more entry into the tool, before it. */
    async countExecution(taskId: string, callId: string, executor: Executor = database): Promise<void> {
      await camelCase(executor)
        .updateTable('toolCall')
        .set((row) => ({ executions: row('executions', '+', 1) }))
        .where('taskId', '=', taskId)
        .where('callId', '=', callId)
        .execute();
    },

    /** Records how a call ended. The first end stays: returns the row as it is kept. Throws when the call was never begun. */
    async finish(taskId: string, callId: string, end: FinishedToolCall, executor: Executor = database): Promise<ToolCallRow> {
      const finished = await camelCase(executor)
        .updateTable('toolCall')
        .set(toRow({ endedAt: new Date(), ...end }))
        .where('taskId', '=', taskId)
        .where('callId', '=', callId)
        .where('status', '=', 'started')
        .returningAll()
        .executeTakeFirst();
      const row = finished ?? (await get(taskId, callId, executor));
      if (!row) throw new Error(`Tool call ${callId} of task ${taskId} was never begun`);
      return row;
    },

    /** Records a call that was not run. A call that is in the ledger already is left as it is. */
    async recordDenied(call: NewToolCall, executor: Executor = database): Promise<void> {
      await camelCase(executor)
        .insertInto('toolCall')
        .values(toRow({ endedAt: new Date(), ...call, status: 'denied' as const, idempotencyKey: null }))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    /** Sets the step verdict (was this call right?); gives where the call's result is. Throws when the call was never begun. */
    async judge(taskId: string, callId: string, verdict: unknown, executor: Executor = database): Promise<Pick<ToolCallRow, 'resultHash'>> {
      return camelCase(executor)
        .updateTable('toolCall')
        .set(toRow({ verdict }))
        .where('taskId', '=', taskId)
        .where('callId', '=', callId)
        .returning('resultHash')
        .executeTakeFirstOrThrow(() => new Error(`Tool call ${callId} of task ${taskId} was never begun`));
    },

    /** In order of attempt, turn and position. */
    async listByTask(taskId: string, executor: Executor = database): Promise<ToolCallRow[]> {
      return (
        camelCase(executor)
          .selectFrom('toolCall')
          .selectAll()
          .where('taskId', '=', taskId)
          // a1.t2.c9 before a1.t2.c10: shorter first, then by text
          .orderBy('attempt')
          .orderBy('turn')
          .orderBy((row) => row.fn('length', ['callId']))
          .orderBy('callId')
          .execute()
      );
    },
  };
}
