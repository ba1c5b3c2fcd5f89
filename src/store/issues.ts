import { sql } from 'kysely';
import { camelCase, type Executor } from './database.ts';

/** The last tool call of an attempt that failed, or was not run; null: none. */
export async function lastFailedCall(database: Executor, taskId: string, attempt: number): Promise<{ tool: string; code: string | null } | null> {
  const row = await camelCase(database)
    .selectFrom('toolCall')
    .select(['tool', 'code'])
    .where('taskId', '=', taskId)
    .where('attempt', '=', attempt)
    .where('status', 'not in', ['success', 'started'])
    .orderBy('turn', 'desc')
    .orderBy('startedAt', 'desc')
    .orderBy('callId', 'desc')
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Says of each issue of an attempt which kind of failure it is.
 * @param signatureOf the policy's, which the store does not know
 */
export async function signIssues(
  database: Executor,
  { taskId, attempt }: { taskId: string; attempt: number },
  failed: { tool: string; code: string | null } | null,
  signatureOf: (kind: { evaluator: string; type: string; tool: string | null; code: string | null }) => string,
): Promise<void> {
  const tables = camelCase(database);
  const issues = await tables.selectFrom('issue').select(['evaluator', 'position', 'type']).where('taskId', '=', taskId).where('attempt', '=', attempt).execute();
  const [tool, code] = [failed?.tool ?? null, failed?.code ?? null];
  for (const { evaluator, position, type } of issues)
    await tables
      .updateTable('issue')
      .set({ tool, errorCode: code, signature: signatureOf({ evaluator, type, tool, code }) })
      .where('taskId', '=', taskId)
      .where('attempt', '=', attempt)
      .where('evaluator', '=', evaluator)
      .where('position', '=', position)
      .execute();
}

/** Marks issues of earlier attempts that this one is free of; an evaluator that did not judge it says nothing. */
export async function resolveIssues(database: Executor, taskId: string, attempt: number): Promise<void> {
  await sql`
    update issue set resolved_by_attempt = ${attempt}
    from verdict
    where issue.task_id = ${taskId} and issue.attempt < ${attempt} and issue.resolved_by_attempt is null
      and verdict.task_id = issue.task_id and verdict.attempt = ${attempt} and verdict.evaluator = issue.evaluator and verdict.status = 'judged'
      and not exists (select from issue now where now.task_id = issue.task_id and now.attempt = ${attempt} and now.fingerprint = issue.fingerprint)`.execute(database);
}
