/** Facts of tasks, straight into the store: to play a task of 2,000 turns would take minutes. */
import { sql } from 'kysely';
import { hashText } from '../../src/tools/canonical-json.ts';
import type { Store } from '../../src/store/store.ts';

export interface LongTask {
  taskId: string;
  turns: number;
  /** Characters of the result of the first turn's call; the others' are short. */
  resultChars?: number;
}

/** A closed task of one attempt, each turn with a model call and a tool call. @returns the long result */
export async function seedLongTask(store: Store, { taskId, turns, resultChars = 100 }: LongTask): Promise<string> {
  const result = longResult(resultChars);
  const [resultHash, outputHash, inputHash] = [result, '{"text":"good"}', '{"task":"a long one"}'].map(hashText) as [string, string, string];
  await store.transaction(async (transaction) => {
    for (const text of [result, '{"text":"good"}', '{"task":"a long one"}']) await store.blobs.put(text, transaction);
    await store.tasks.start({ taskId, agent: 'probe', agentVersion: '1.0.0', channel: 'live', startedBy: 'alice', inputHash, phase: 'closed' }, transaction);
    await store.tasks.update(
      taskId,
      {
        outcome: 'passed',
        reason: 'quality_reached',
        explanation: 'it is good',
        text: 'good',
        outputHash,
        score: 100,
        bestAttempt: 1,
        attempts: 1,
        turns,
        toolCalls: turns,
        endedAt: new Date(),
      },
      transaction,
    );
    await store.attempts.put(
      { taskId, attempt: 1, outputHash, outputSummary: 'good', score: 100, passed: true, turns, startedAt: Date.now() - turns * 1_000, endedAt: new Date() },
      transaction,
    );
    await sql`
      insert into turn (task_id, attempt, turn, decision_type, tools, confidence, reason, input_tokens, output_tokens, cost_micros, created_at)
      select ${taskId}, 1, number, 'tool', '{read_note}', 0.9, 'note ' || number || ' is needed', 900, 60, 1020, now() - make_interval(secs => ${turns}::int - number)
      from generate_series(1, ${turns}::int) number`.execute(transaction);
    await sql`
      insert into model_call (id, task_id, attempt, turn, purpose, key, model, status, input_tokens, output_tokens, cost_micros, started_at, duration_ms)
      select ${taskId} || number, ${taskId}, 1, number, 'decide', ${taskId} || number, 'scripted-writer', 'ok', 900, 60, 1020, now() - make_interval(secs => ${turns}::int - number + 0.6), 500
      from generate_series(1, ${turns}::int) number`.execute(transaction);
    await sql`
      insert into tool_call (task_id, call_id, attempt, turn, tool, risk, arguments, arguments_hash, status, result_hash, executions, why, started_at, ended_at, duration_ms)
      select ${taskId}, 'a1.t' || number || '.c1', 1, number, 'read_note', 'read', '{"name":"' || number || '"}', 'none', 'success', case when number = 1 then ${resultHash} else ${outputHash} end, 1, 'to know it',
        now() - make_interval(secs => ${turns}::int - number), now() - make_interval(secs => ${turns}::int - number - 0.2), 200
      from generate_series(1, ${turns}::int) number`.execute(transaction);
  });
  return result;
}

/** JSON that ends with a word to look for. */
function longResult(chars: number): string {
  const line = 'The quick brown fox jumps over the lazy dog, 敏捷的棕色狐狸。 ';
  const filler = line.repeat(Math.ceil(chars / line.length)).slice(0, Math.max(0, chars - 40));
  return JSON.stringify({ text: filler, last: 'the very end' });
}
