import { sql } from 'kysely';
import type { OutcomeKind, Reason } from '../contracts/reasons.ts';
import type { Executor } from './database.ts';

export type OverviewFigures = Awaited<ReturnType<typeof readOverview>>;

/** Up to so many days the throughput is by hour. */
const HOURLY_DAYS = 2;
const BREAKER_MINUTES = 15;
/** So many failed calls in a row, and callers hold back. */
const BREAKER_FAILURES = 5;
const MAX_ROWS = 20;

/** Figures of a tenant over some days back from now, one query each, from the facts. Model calls belong to a tenant through their task; tasks of experiments are left out. */
export async function readOverview(database: Executor, tenant: string, days: number) {
  const to = new Date();
  const from = new Date(to.getTime() - days * 86_400_000);
  const bucket = days <= HOURLY_DAYS ? ('hour' as const) : ('day' as const);
  const [points, outcomes, running, cost, agents, approvals, stopped, spending, breakers, slowTools] = await Promise.all([
    throughput(database, tenant, from, to, bucket),
    outcomesOf(database, tenant, from),
    runningTasks(database, tenant),
    costByDay(database, tenant, from),
    byAgent(database, tenant, from),
    approvalFigures(database, tenant, from),
    stoppedByBudget(database, tenant, from),
    nearTheirLimits(database, tenant),
    lateModels(database, tenant),
    slowest(database, tenant, from),
  ]);
  return { from, to, bucket, points, outcomes, running, cost, agents, approvals, stopped, spending, breakers, slowTools };
}

async function throughput(database: Executor, tenant: string, from: Date, to: Date, bucket: 'hour' | 'day') {
  const unit = sql.lit(bucket);
  const { rows } = await sql<{ at: Date; started: number; ended: number; passed: number }>`
    with points as (
      select generate_series(date_trunc(${unit}, ${from}::timestamptz, 'UTC'), date_trunc(${unit}, ${to}::timestamptz, 'UTC'), ${sql.lit(`1 ${bucket}`)}::interval) as at
    ), started as (
      select date_trunc(${unit}, started_at, 'UTC') as at, count(*)::int as tasks from task where experiment_id is null and tenant = ${tenant} and started_at >= ${from} group by 1
    ), ended as (
      select date_trunc(${unit}, ended_at, 'UTC') as at, count(*)::int as tasks, (count(*) filter (where outcome = 'passed'))::int as passed
      from task where experiment_id is null and tenant = ${tenant} and ended_at >= ${from} group by 1
    )
    select points.at, coalesce(started.tasks, 0) as started, coalesce(ended.tasks, 0) as ended, coalesce(ended.passed, 0) as passed
    from points left join started using (at) left join ended using (at) order by points.at`.execute(database);
  return rows;
}

async function outcomesOf(database: Executor, tenant: string, from: Date) {
  const { rows } = await sql<{ outcome: OutcomeKind; tasks: number; askedPerson: number }>`
    select outcome, count(*)::int as tasks, (count(*) filter (where asked_person))::int as "askedPerson"
    from task where experiment_id is null and tenant = ${tenant} and outcome is not null and ended_at >= ${from} group by outcome`.execute(database);
  return rows;
}

async function runningTasks(database: Executor, tenant: string): Promise<number> {
  const { rows } = await sql<{ tasks: number }>`select count(*)::int as tasks from task where experiment_id is null and tenant = ${tenant} and outcome is null`.execute(database);
  return rows[0]?.tasks ?? 0;
}

async function costByDay(database: Executor, tenant: string, from: Date) {
  const { rows } = await sql<{ day: string; model: string; costMicros: number; calls: number; inputTokens: number; outputTokens: number }>`
    select to_char(model_call.started_at at time zone 'UTC', 'YYYY-MM-DD') as day, model, sum(model_call.cost_micros)::bigint as "costMicros", count(*)::int as calls,
      coalesce(sum(model_call.input_tokens), 0)::bigint as "inputTokens", coalesce(sum(model_call.output_tokens), 0)::bigint as "outputTokens"
    from model_call join task using (task_id) where task.experiment_id is null and task.tenant = ${tenant} and model_call.started_at >= ${from}
    group by 1, 2 order by 1, 2`.execute(database);
  return rows;
}

async function byAgent(database: Executor, tenant: string, from: Date) {
  const { rows } = await sql<{ agent: string; tasks: number; passed: number; askedPerson: number; costMicros: number; medianMs: number | null }>`
    select agent, count(*)::int as tasks, (count(*) filter (where outcome = 'passed'))::int as passed, (count(*) filter (where asked_person))::int as "askedPerson",
      sum(cost_micros)::bigint as "costMicros",
      percentile_cont(0.5) within group (order by extract(epoch from ended_at - started_at)::float8 * 1000 - waited_ms) as "medianMs"
    from task where experiment_id is null and tenant = ${tenant} and outcome is not null and ended_at >= ${from} group by agent order by count(*) desc, agent`.execute(database);
  return rows;
}

async function approvalFigures(database: Executor, tenant: string, from: Date) {
  const { rows } = await sql<{ pending: number; oldestPendingAt: Date | null; decided: number; expired: number; medianWaitMs: number | null }>`
    with own as (
      select approval.*, task.outcome from approval join task using (task_id)
      where task.experiment_id is null and task.tenant = ${tenant} and (approval.status = 'pending' or approval.created_at >= ${from})
    )
    select (count(*) filter (where status = 'pending' and outcome is null))::int as pending,
      min(created_at) filter (where status = 'pending' and outcome is null) as "oldestPendingAt",
      (count(*) filter (where status in ('approved', 'rejected', 'edited', 'responded') and via <> 'timeout'))::int as decided,
      (count(*) filter (where status = 'expired' or via = 'timeout'))::int as expired,
      percentile_cont(0.5) within group (order by extract(epoch from decided_at - created_at)::float8 * 1000) filter (where via <> 'timeout') as "medianWaitMs"
    from own`.execute(database);
  return rows[0]!;
}

async function stoppedByBudget(database: Executor, tenant: string, from: Date) {
  const { rows } = await sql<{ reason: Extract<Reason, 'token_budget' | 'cost_budget' | 'time_budget' | 'max_attempts' | 'max_turns'>; tasks: number }>`
    select reason, count(*)::int as tasks from task
    where experiment_id is null and tenant = ${tenant} and ended_at >= ${from} and reason in ('token_budget', 'cost_budget', 'time_budget', 'max_attempts', 'max_turns')
    group by reason order by count(*) desc, reason`.execute(database);
  return rows;
}

/** What running tasks have used is counted from their calls: the task's own row is written at its end. */
async function nearTheirLimits(database: Executor, tenant: string) {
  const { rows } = await sql<{ taskId: string; agent: string; costMicros: number; maxCostMicros: number; tokens: number; maxTotalTokens: number; used: number }>`
    with used as (
      select task.task_id, task.agent, coalesce(sum(model_call.cost_micros), 0)::bigint as cost,
        coalesce(sum(coalesce(model_call.input_tokens, 0) + coalesce(model_call.output_tokens, 0)), 0)::bigint as tokens,
        (task.snapshot->'limits'->>'maxCostMicros')::bigint as max_cost, (task.snapshot->'limits'->>'maxTotalTokens')::bigint as max_tokens
      from task left join model_call using (task_id) where task.experiment_id is null and task.tenant = ${tenant} and task.outcome is null and task.snapshot is not null
      group by task.task_id
    )
    select task_id as "taskId", agent, cost as "costMicros", max_cost as "maxCostMicros", tokens, max_tokens as "maxTotalTokens",
      greatest(cost::float8 / nullif(max_cost, 0), tokens::float8 / nullif(max_tokens, 0)) as used
    from used order by used desc nulls last, task_id limit ${MAX_ROWS}`.execute(database);
  return rows;
}

async function lateModels(database: Executor, tenant: string) {
  const { rows } = await sql<{ model: string; calls: number; failures: number; lastFailures: number; lastError: string | null; lastErrorAt: Date | null }>`
    with recent as (
      select model, model_call.status in ('error', 'timeout', 'interrupted') as failed, error, model_call.started_at,
        row_number() over (partition by model order by model_call.started_at desc) as place
      from model_call join task using (task_id)
      where task.experiment_id is null and task.tenant = ${tenant} and model_call.status <> 'sent' and model_call.started_at >= now() - ${sql.lit(`${BREAKER_MINUTES} minutes`)}::interval
    )
    select model, count(*)::int as calls, (count(*) filter (where failed))::int as failures,
      (count(*) filter (where failed and place <= ${BREAKER_FAILURES}))::int as "lastFailures",
      (array_agg(error order by started_at desc) filter (where failed))[1] as "lastError", max(started_at) filter (where failed) as "lastErrorAt"
    from recent group by model order by model`.execute(database);
  return rows.map(({ lastFailures, ...row }) => ({ ...row, open: lastFailures === BREAKER_FAILURES }));
}

async function slowest(database: Executor, tenant: string, from: Date) {
  const { rows } = await sql<{ tool: string; calls: number; failures: number; medianMs: number; p95Ms: number }>`
    select tool, count(*)::int as calls, (count(*) filter (where tool_call.status in ('failure', 'timeout', 'indeterminate')))::int as failures,
      percentile_cont(0.5) within group (order by tool_call.duration_ms) as "medianMs", percentile_cont(0.95) within group (order by tool_call.duration_ms) as "p95Ms"
    from tool_call join task using (task_id)
    where task.experiment_id is null and task.tenant = ${tenant} and tool_call.started_at >= ${from} and tool_call.duration_ms is not null
    group by tool order by 5 desc, tool limit ${MAX_ROWS}`.execute(database);
  return rows;
}
