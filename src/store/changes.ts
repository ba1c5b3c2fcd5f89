/** What changed of an agent while it worked, and how its tasks went before and after. */
import { sql } from 'kysely';
import type { Executor } from './database.ts';

export interface Change {
  kind: 'rule' | 'prompt' | 'tool';
  /** Names it: `rule 0f3c version 1 went live`. */
  what: string;
  at: Date;
  by: string;
}

interface Place {
  agent: string;
  tenant: string;
}

/** Rules that went live, instructions that were deployed, tools whose share was set: of the last `days`, newest first. */
export async function changesOf(executor: Executor, { agent, tenant, days }: Place & { days: number }): Promise<Change[]> {
  const { rows } = await sql<Change>`
    select kind, what, at, by from (
      select 'rule' as kind, 'rule ' || transition.rule_id || ' version ' || transition.version || ' went live' as what, transition.at, transition.actor as by
      from transition join rule on rule.rule_id = transition.rule_id and rule.version = transition.version
      where rule.agent = ${agent} and rule.tenant = ${tenant} and transition.to_status = 'live'
      union all
      select 'prompt', 'prompt version ' || version || ' with other instructions', created_at, created_by
      from prompt_version made
      where agent = ${agent} and tenant = ${tenant} and parent is not null
        and instructions_hash is distinct from (select instructions_hash from prompt_version before where before.agent = made.agent and before.tenant = made.tenant and before.version = made.parent)
      union all
      select 'tool', 'version ' || version || ' of tool ' || tool || ' got ' || round((100 * traffic_share)::numeric) || '% of the tasks', changed_at, changed_by
      from tool_version where agent = ${agent} and (traffic_share > 0 or status = 'retired')
        and exists (select from tool_version other where other.agent = tool_version.agent and other.tool = tool_version.tool and other.version <> tool_version.version)
    ) changes
    where at > now() - make_interval(days => ${days})
    order by at desc`.execute(executor);
  return rows;
}

/** Whether the first attempt passed, of the last ended tasks that started before a moment and the first that started after, in order of their start. */
export async function tasksAround(executor: Executor, { agent, tenant }: Place, at: Date, count: number): Promise<{ before: boolean[]; after: boolean[] }> {
  const { rows } = await sql<{ passed: boolean; isAfter: boolean }>`
    with ended as (
      select task.task_id, task.started_at, attempt.passed from task join attempt on attempt.task_id = task.task_id and attempt.attempt = 1
      where task.agent = ${agent} and task.tenant = ${tenant} and task.experiment_id is null and task.ended_at is not null
    ), around as (
      (select *, false as "isAfter" from ended where started_at < ${at} order by started_at desc, task_id limit ${count})
      union all
      (select *, true from ended where started_at >= ${at} order by started_at, task_id limit ${count})
    )
    select passed, "isAfter" from around order by started_at, task_id`.execute(executor);
  const side = (isAfter: boolean): boolean[] => rows.filter((row) => row.isAfter === isAfter).map(({ passed }) => passed);
  return { before: side(false), after: side(true) };
}
