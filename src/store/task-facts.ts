import { sql } from 'kysely';
import { camelCase, type Executor } from './database.ts';
import type { AttemptRow } from './attempts.ts';
import type { ModelCallRow } from './model-replies.ts';
import type { Store } from './store.ts';

/** An attempt with the beginning of its output and how much belongs to it. `row`: null while it goes on. */
export interface AttemptFactsRow {
  attempt: number;
  row: AttemptRow | null;
  outputText: string | null;
  outputChars: number | null;
  turns: number;
  toolCalls: number;
}

const OUTPUT_CHARS = 4_000;

/** What is known of a task, without its turns: those are as many as you like (`turn-pages.ts`). */
export async function readTaskFacts(store: Store, taskId: string) {
  const { database } = store;
  const [attempts, plans, verdicts, approvals, modelCalls, tuneChanges, refusals] = await Promise.all([
    attemptFacts(database, taskId),
    store.plans.listByTask(taskId),
    store.verdicts.listByTask(taskId),
    store.approvals.listByTask(taskId),
    callsOutsideTurns(database, taskId),
    store.tuneChanges.listByTask(taskId),
    store.refusals.listByTask(taskId),
  ]);
  return { attempts, plans, verdicts, approvals, modelCalls, tuneChanges, refusals };
}

async function attemptFacts(database: Executor, taskId: string): Promise<AttemptFactsRow[]> {
  const tables = camelCase(database);
  const rows = await tables
    .selectFrom('attempt')
    .leftJoin('blob', 'blob.hash', 'attempt.outputHash')
    .selectAll('attempt')
    .select([sql<string | null>`left(blob.content, ${sql.lit(OUTPUT_CHARS)})`.as('outputText'), sql<number | null>`length(blob.content)`.as('outputChars')])
    .where('attempt.taskId', '=', taskId)
    .execute();
  const count = (table: 'turn' | 'toolCall') =>
    tables
      .selectFrom(table)
      .select(['attempt', sql<number>`count(*)::int`.as('count')])
      .where('taskId', '=', taskId)
      .groupBy('attempt')
      .execute();
  const [turns, toolCalls] = await Promise.all([count('turn'), count('toolCall')]);
  const numbers = new Set([...rows, ...turns].map(({ attempt }) => attempt));
  const of = (counts: { attempt: number; count: number }[], attempt: number) => counts.find((each) => each.attempt === attempt)?.count ?? 0;
  return [...numbers]
    .sort((left, right) => left - right)
    .map((attempt) => {
      const row = rows.find((each) => each.attempt === attempt) ?? null;
      return { attempt, row, outputText: row?.outputText ?? null, outputChars: row?.outputChars ?? null, turns: of(turns, attempt), toolCalls: of(toolCalls, attempt) };
    });
}

/** Before the first turn: perceive, plan. */
function callsOutsideTurns(database: Executor, taskId: string): Promise<ModelCallRow[]> {
  return camelCase(database)
    .selectFrom('modelCall')
    .selectAll('modelCall')
    .where('taskId', '=', taskId)
    .where(sql<boolean>`not exists (select 1 from turn where turn.task_id = model_call.task_id and turn.attempt = model_call.attempt and turn.turn = model_call.turn)`)
    .orderBy('startedAt')
    .orderBy('id')
    .execute();
}
