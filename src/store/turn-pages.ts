import { sql } from 'kysely';
import { InvalidCursorError, readCursor, writeCursor } from './cursor.ts';
import { camelCase, type Executor } from './database.ts';
import type { ModelCallRow } from './model-replies.ts';
import type { ToolCallRow } from './tool-calls.ts';
import type { TurnRow } from './turns.ts';

/** A call with the beginning of its result. */
export type ListedToolCall = ToolCallRow & { resultText: string | null; /** Of the whole. */ resultChars: number | null };

/** A turn with what belongs to it. `reply`: JSON of what the model answered, whole. */
export interface ListedTurn {
  turn: TurnRow;
  reply: string | null;
  toolCalls: ListedToolCall[];
  modelCalls: ModelCallRow[];
}

/** Characters of a result that are read for a list. */
const RESULT_CHARS = 4_000;
/** Of a model's reply; beyond that it is not shown. */
const REPLY_CHARS = 400_000;

/** Turns of a task in order. @throws {InvalidCursorError} */
export async function listTurnPage(
  database: Executor,
  taskId: string,
  filter: { attempt?: number; cursor?: string; limit: number },
): Promise<{ items: ListedTurn[]; next: string | null }> {
  let query = camelCase(database).selectFrom('turn').selectAll().where('taskId', '=', taskId);
  if (filter.attempt !== undefined) query = query.where('attempt', '=', filter.attempt);
  if (filter.cursor !== undefined) {
    const [, [attempt, turn]] = readCursor(filter.cursor, 2);
    query = query.where(sql<boolean>`(attempt, turn) > (${placeOf(attempt)}::int, ${placeOf(turn)}::int)`);
  }
  const rows = await query
    .orderBy('attempt')
    .orderBy('turn')
    .limit(filter.limit + 1)
    .execute();
  const turns = rows.slice(0, filter.limit);
  const [first, last] = [turns[0], turns.at(-1)];
  if (!first || !last) return { items: [], next: null };
  const [toolCalls, modelCalls] = await Promise.all([toolCallsBetween(database, taskId, first, last), modelCallsBetween(database, taskId, first, last)]);
  const key = (row: { attempt: number | null; turn: number | null }) => `${row.attempt}.${row.turn}`;
  const [toolsOf, modelsOf] = [Map.groupBy(toolCalls, key), Map.groupBy(modelCalls, key)];
  const items = turns.map((turn) => {
    const calls = modelsOf.get(key(turn)) ?? [];
    const reply = calls.findLast(({ purpose, reply: text }) => purpose === 'decide' && text !== null)?.reply ?? null;
    return { turn, reply, toolCalls: toolsOf.get(key(turn)) ?? [], modelCalls: calls };
  });
  return { items, next: rows.length > filter.limit ? writeCursor(last.createdAt, [last.attempt, last.turn]) : null };
}

/** As PostgreSQL's int takes it. @throws {InvalidCursorError} */
function placeOf(part: string | number | undefined): number {
  if (typeof part === 'number' && Number.isInteger(part) && part >= 0 && part < 2 ** 31) return part;
  throw new InvalidCursorError();
}

/** Calls of one attempt, for those who judge what follows from them. */
export function listToolCalls(database: Executor, taskId: string, attempt: number): Promise<ListedToolCall[]> {
  return selectToolCalls(database, taskId).where('attempt', '=', attempt).execute();
}

function selectToolCalls(database: Executor, taskId: string) {
  return camelCase(database)
    .selectFrom('toolCall')
    .leftJoin('blob', 'blob.hash', 'toolCall.resultHash')
    .selectAll('toolCall')
    .select([sql<string | null>`left(blob.content, ${sql.lit(RESULT_CHARS)})`.as('resultText'), sql<number | null>`length(blob.content)`.as('resultChars')])
    .where('toolCall.taskId', '=', taskId)
    .orderBy('attempt')
    .orderBy('turn')
    .orderBy((row) => row.fn('length', ['callId']))
    .orderBy('callId');
}

type Place = Pick<TurnRow, 'attempt' | 'turn'>;

function toolCallsBetween(database: Executor, taskId: string, first: Place, last: Place): Promise<ListedToolCall[]> {
  return selectToolCalls(database, taskId).where(between(first, last)).execute();
}

function modelCallsBetween(database: Executor, taskId: string, first: Place, last: Place) {
  return camelCase(database)
    .selectFrom('modelCall')
    .leftJoin('modelReply', 'modelReply.key', 'modelCall.key')
    .selectAll('modelCall')
    .select(sql<string | null>`left(model_reply.reply, ${sql.lit(REPLY_CHARS)})`.as('reply'))
    .where('modelCall.taskId', '=', taskId)
    .where(between(first, last))
    .orderBy('modelCall.startedAt')
    .orderBy('modelCall.id')
    .execute();
}

function between(first: Place, last: Place) {
  return sql<boolean>`(attempt, turn) between (${first.attempt}::int, ${first.turn}::int) and (${last.attempt}::int, ${last.turn}::int)`;
}
