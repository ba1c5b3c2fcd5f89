import { camelCase, type Executor } from './database.ts';
import { listToolCalls, type ListedToolCall } from './turn-pages.ts';
import type { TurnRow } from './turns.ts';
import { createVerdicts, type VerdictRow } from './verdicts.ts';

/** What led to an approval. */
export interface ApprovalEvidence {
  /** The turn that asked; null: none did (a hand-off after the last attempt). */
  turn: TurnRow | null;
  /** Calls of the same attempt, in order, until the question. */
  toolCalls: ListedToolCall[];
  /** Of the newest attempt that was evaluated by then. */
  verdicts: VerdictRow[];
}

/** `a2.t3.c1` is of attempt 2, turn 3; `output.a2.judge` of attempt 2. */
function placeOf(approvalId: string): { attempt: number | null; turn: number | null } {
  const [, attempt, turn] = /(?:^|\.)a(\d+)(?:\.t(\d+))?/.exec(approvalId) ?? [];
  return { attempt: attempt === undefined ? null : Number(attempt), turn: turn === undefined ? null : Number(turn) };
}

export async function readEvidence(database: Executor, approval: { taskId: string; id: string }): Promise<ApprovalEvidence> {
  const { taskId, id } = approval;
  const place = placeOf(id);
  const turn = await turnOf(database, taskId, place);
  const attempt = place.attempt ?? turn?.attempt ?? null;
  if (attempt === null) return { turn: null, toolCalls: [], verdicts: [] };
  const [toolCalls, verdicts] = await Promise.all([listToolCalls(database, taskId, attempt), createVerdicts(database).listByTask(taskId)]);
  const evaluated = Math.max(0, ...verdicts.filter((verdict) => verdict.attempt <= attempt).map((verdict) => verdict.attempt));
  return {
    turn,
    toolCalls: toolCalls.filter((call) => place.turn === null || call.turn < place.turn),
    verdicts: verdicts.filter((verdict) => verdict.attempt === evaluated),
  };
}

/** The newest, where the approval names none. */
async function turnOf(database: Executor, taskId: string, { attempt, turn }: ReturnType<typeof placeOf>): Promise<TurnRow | null> {
  let query = camelCase(database).selectFrom('turn').selectAll().where('taskId', '=', taskId);
  if (attempt !== null) query = query.where('attempt', '=', attempt);
  if (turn !== null) query = query.where('turn', '=', turn);
  return (await query.orderBy('attempt', 'desc').orderBy('turn', 'desc').limit(1).executeTakeFirst()) ?? null;
}
