import { camelCase, type Executor } from './database.ts';
import { toRow } from './row.ts';
import type { NewRow, Row } from './schema.ts';

export type TurnRow = Row<'turn'>;
export type Turns = ReturnType<typeof createTurns>;

export function createTurns(database: Executor) {
  return {
    /** Stores a turn; storing it again replaces it. */
    async put(turn: NewRow<'turn'>, executor: Executor = database): Promise<void> {
      const { taskId: _taskId, attempt: _attempt, turn: _turn, ...rest } = toRow(turn);
      await camelCase(executor)
        .insertInto('turn')
        .values(toRow(turn))
        .onConflict((conflict) => conflict.columns(['taskId', 'attempt', 'turn']).doUpdateSet(rest))
        .execute();
    },

    /** In order. */
    async listByTask(taskId: string, executor: Executor = database): Promise<TurnRow[]> {
      return camelCase(executor).selectFrom('turn').selectAll().where('taskId', '=', taskId).orderBy('attempt').orderBy('turn').execute();
    },
  };
}
