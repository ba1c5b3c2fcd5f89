/** Ended tasks that had something learned, or were kept from it, by chance. */
import { sql } from 'kysely';
import type { Arm, ExposureKind } from '../contracts/reasons.ts';
import type { Executor } from './database.ts';

export interface ExposedTask {
  taskId: string;
  arm: Extract<Arm, 'treated' | 'control' | 'live' | 'left_out'>;
  /** The first attempt passed; a task that ended before it had one did not. */
  passed: boolean;
  /** What may never happen did; null: nothing of the kind. */
  breach: string | null;
}

/** The newest of them: some hundreds of pairs decide, and what was long ago must not hide what is now. */
const MAX_TASKS = 20_000;

interface ExposedTo {
  kind: ExposureKind;
  id: string;
  version: number;
  /** Tools of two agents may have one name. */
  agent?: string | null;
  /** Of a rule: only tasks that started after it last came back to preview. */
  sinceReturn?: boolean;
}

/**
 * In the order in which they ended. Tasks of experiments do not count. What a rule did before it came back from live traffic to preview can be left out: a judge that
 * nobody believes any more had counted it. A breach: the task ended because nobody knows whether an effect happened, or a hard evaluator whose name begins with
 * `critical` failed its first attempt.
 */
export async function exposedTasks(executor: Executor, { kind, id, version, agent = null, sinceReturn = false }: ExposedTo): Promise<ExposedTask[]> {
  const { rows } = await sql<ExposedTask>`
    select * from (
    select task.task_id as "taskId", context.arm, task.ended_at as "endedAt", coalesce(attempt.passed, false) as passed,
           case when task.reason = 'indeterminate_side_effect' then 'nobody knows whether its effect happened'
                else (select 'evaluator ' || verdict.evaluator || ' failed' from verdict
                      where verdict.task_id = task.task_id and verdict.attempt = 1 and verdict.hard and verdict.status = 'judged' and not verdict.passed
                        and verdict.evaluator like 'critical%' order by verdict.evaluator limit 1)
           end as breach
    from attempt_context context
    left join attempt on attempt.task_id = context.task_id and attempt.attempt = context.attempt
    join task on task.task_id = context.task_id
    where context.attempt = 1 and context.item_kind = ${kind} and context.item_id = ${id} and context.item_version = ${version}
      and context.arm in ('treated', 'control', 'live', 'left_out') and task.ended_at is not null and task.experiment_id is null and (${agent}::text is null or task.agent = ${agent})
      and (not ${sinceReturn} or task.started_at > coalesce(
        (select max(at) from transition where rule_id = ${id} and version = ${version} and from_status in ('canary', 'live') and to_status = 'preview'), '-infinity'))
    order by task.ended_at desc, task.task_id desc
    limit ${MAX_TASKS}) newest order by "endedAt", "taskId"`.execute(executor);
  return rows;
}
