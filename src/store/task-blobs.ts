import { sql } from 'kysely';
import type { Executor } from './database.ts';

/** Whether a task's facts name this blob: texts are kept once for everybody, so a hash alone opens nothing. */
export async function isBlobOfTask(database: Executor, taskId: string, hash: string): Promise<boolean> {
  const { rows } = await sql<{ named: boolean }>`
    select exists (select 1 from task where task_id = ${taskId} and ${hash} in (input_hash, output_hash))
      or exists (select 1 from attempt where task_id = ${taskId} and output_hash = ${hash})
      or exists (select 1 from tool_call where task_id = ${taskId} and ${hash} in (arguments_hash, result_hash))
      or exists (select 1 from approval where task_id = ${taskId} and (hash = ${hash} or votes @> jsonb_build_array(jsonb_build_object('valueHash', ${hash}::text))))
      or exists (select 1 from task_event where task_id = ${taskId} and detail->>'outputHash' = ${hash}) as named`.execute(database);
  return rows[0]?.named ?? false;
}
