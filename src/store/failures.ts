import { sql } from 'kysely';
import type { Executor } from './database.ts';

/** Whose failures, and when: from `since` until `until`, tasks of experiments left out. */
export interface FailureWindow {
  agent: string;
  tenant: string;
  since: Date;
  until: Date;
}

/** One thing that went wrong in an attempt that did not pass: an evaluator's issue, a tool call that failed, or why there was no draft. */
export interface FailureRow {
  taskId: string;
  attempt: number;
  /** Null: no evaluator found it. */
  evaluator: string | null;
  /** Of the issue among its evaluator's; null: it is none. */
  position: number | null;
  type: string | null;
  tool: string | null;
  code: string | null;
  /** Says what is wrong, about one attempt. */
  message: string;
  evidence: string | null;
  fix: string | null;
  subject: string | null;
  at: Date;
}

/** The newest are read: what failed so often since says it all. */
const MAX_FAILURES = 5_000;
/** Calls that people stopped say nothing about the model. */
const BY_PEOPLE = ['rejected', 'approval_expired', 'cancelled', 'low_confidence'];

/**
 * Failures of attempts that did not pass: issues of verdicts that did not pass, calls that failed or were refused, and of attempts without a draft the last
 * problem of their turns. Newest first, at most 5,000; equal times in order of task, attempt and text.
 */
export async function readFailures(database: Executor, { agent, tenant, since, until }: FailureWindow): Promise<FailureRow[]> {
  const { rows } = await sql<FailureRow>`
    with failed as (
      select task_id, attempt, attempt.output_hash, attempt.ended_at as at from attempt join task using (task_id)
      where agent = ${agent} and tenant = ${tenant} and experiment_id is null and not attempt.passed and attempt.ended_at >= ${since} and attempt.ended_at < ${until}
    ), found as (
      select task_id, attempt, issue.evaluator, issue.position, issue.type, issue.tool, issue.error_code as code, issue.message, issue.evidence, issue.fix, issue.subject, at
      from failed join issue using (task_id, attempt) join verdict using (task_id, attempt, evaluator) where not verdict.passed
      union all
      select task_id, attempt, null, null, null, tool, code, coalesce(reason, code), null, null, tool, at
      from failed join tool_call using (task_id, attempt)
      where tool_call.status in ('failure', 'timeout', 'denied') and code is not null and code <> all(${BY_PEOPLE}::text[])
      union all
      select * from (
        select distinct on (task_id, attempt) task_id, attempt, null::text, null::int, problem, null::text, null::text, coalesce(problem_text, problem), null::text, null::text, null::text, at
        from failed join turn using (task_id, attempt) where failed.output_hash is null and problem is not null order by task_id, attempt, turn desc
      ) as without_draft
    )
    select task_id as "taskId", attempt, evaluator, position, type, tool, code, message, evidence, fix, subject, at
    from found order by at desc, task_id, attempt, message limit ${MAX_FAILURES}`.execute(database);
  return rows;
}

export interface WindowFigures {
  attempts: number;
  failedAttempts: number;
  /** Tasks whose first attempt ended. */
  firstAttempts: number;
}

export async function readWindowFigures(database: Executor, { agent, tenant, since, until }: FailureWindow): Promise<WindowFigures> {
  const { rows } = await sql<WindowFigures>`
    select count(*)::int as attempts, (count(*) filter (where not attempt.passed))::int as "failedAttempts", (count(*) filter (where attempt = 1))::int as "firstAttempts"
    from attempt join task using (task_id)
    where agent = ${agent} and tenant = ${tenant} and experiment_id is null and attempt.ended_at >= ${since} and attempt.ended_at < ${until}`.execute(database);
  return rows[0]!;
}

/** Inputs of an agent's gate cases that count now, and the tasks that they were made from: whatever proposes may not see those. */
export async function readGateCases(database: Executor, agent: string, tenant: string): Promise<{ input: unknown; sourceTaskId: string | null }[]> {
  const { rows } = await sql<{ input: unknown; sourceTaskId: string | null }>`
    select input, source_task_id as "sourceTaskId" from dataset_case join dataset using (tenant, dataset)
    where agent = ${agent} and tenant = ${tenant} and split = 'gate' and valid_to is null`.execute(database);
  return rows;
}

/** Inputs of tasks, JSON text as it was stored, by task. */
export async function readInputTexts(database: Executor, taskIds: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ taskId: string; content: string }>`
    select task_id as "taskId", content from task join blob on hash = input_hash where task_id = any(${[...taskIds]}::text[])`.execute(database);
  return new Map(rows.map(({ taskId, content }) => [taskId, content]));
}

/** Tasks with an attempt that ended in the window, newest first. */
export async function readTaskIds(database: Executor, { agent, tenant, since, until }: FailureWindow, limit: number): Promise<string[]> {
  const { rows } = await sql<{ taskId: string }>`
    select task_id as "taskId" from attempt join task using (task_id)
    where agent = ${agent} and tenant = ${tenant} and experiment_id is null and attempt.ended_at >= ${since} and attempt.ended_at < ${until}
    group by task_id order by max(attempt.ended_at) desc, task_id limit ${limit}`.execute(database);
  return rows.map(({ taskId }) => taskId);
}

/** An attempt that did not pass, and the first one after it that did: hashes of their outputs. */
export interface RepairedAttempt {
  taskId: string;
  attempt: number;
  wrongHash: string;
  rightHash: string;
  inputHash: string;
}

/** Of these attempts, those whose task passed later. In order of task and attempt. */
export async function readRepairs(database: Executor, attempts: readonly { taskId: string; attempt: number }[]): Promise<RepairedAttempt[]> {
  const { rows } = await sql<RepairedAttempt>`
    select failed.task_id as "taskId", failed.attempt, failed.output_hash as "wrongHash", later.output_hash as "rightHash", task.input_hash as "inputHash"
    from unnest(${attempts.map(({ taskId }) => taskId)}::text[], ${attempts.map(({ attempt }) => attempt)}::int[]) as wanted (task_id, attempt)
    join attempt failed using (task_id, attempt) join task using (task_id)
    join lateral (
      select output_hash from attempt where attempt.task_id = failed.task_id and attempt.attempt > failed.attempt and attempt.passed order by attempt.attempt limit 1
    ) later on true
    where not failed.passed and failed.output_hash is not null and later.output_hash is not null and task.input_hash is not null
    group by 1, 2, 3, 4, 5 order by 1, 2`.execute(database);
  return rows;
}
