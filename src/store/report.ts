import { sql } from 'kysely';
import type { EvaluatorKind } from '../contracts/verdict.ts';
import type { Executor } from './database.ts';

export type ReportFigures = Awaited<ReturnType<typeof readReport>>;

const MAX_ROWS = 50;
const MAX_TASKS = 10;
/** Of one evaluator and kind of outcome, the newest: what a rank correlation is computed from. */
const MAX_PAIRS = 5_000;

interface Period {
  tenant: string;
  /** First day, as `YYYY-MM-DD`. */
  day: string;
  agent: string | null;
}

/**
 * What the views of facts say of a tenant's work over whole days, UTC, the running one included: sums, so that every rate has its numerator and denominator.
 * @param days 1: today alone
 */
export async function readReport(database: Executor, tenant: string, days: number, agent: string | null = null) {
  const to = new Date();
  const from = new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth(), to.getUTCDate() - (days - 1)));
  const period: Period = { tenant, day: from.toISOString().slice(0, 10), agent };
  const [work, tools, iteration, scenarios, failures, points, cost, tasks, feedback, outcomes, pairs] = await Promise.all([
    workByAgent(database, period),
    toolCalls(database, period),
    iterations(database, period),
    byScenario(database, period),
    failuresOf(database, period),
    byDay(database, period),
    costOf(database, period),
    dearestTasks(database, period),
    feedbackOf(database, period),
    outcomesOf(database, period),
    scoresAndOutcomes(database, period),
  ]);
  return { from, to, days, agent, work, tools, iteration, scenarios, failures, points, cost, tasks, feedback, outcomes, pairs };
}

/** Rows of a view that belong to the period, by their day. */
const inPeriod = ({ tenant, day, agent }: Period) => sql`tenant = ${tenant} and day >= ${day}::date and (${agent}::text is null or agent = ${agent})`;
/** Rows of a view that belong to the period, by the day of a time. */
const since = (time: string, { tenant, day, agent }: Period) =>
  sql`tenant = ${tenant} and ${sql.ref(time)} >= (${day}::date)::timestamp at time zone 'UTC' and (${agent}::text is null or agent = ${agent})`;

async function workByAgent(database: Executor, period: Period) {
  const { rows } = await sql<{
    agent: string;
    ended: number;
    passed: number;
    firstPassed: number;
    completedAlone: number;
    asked: number;
    oscillated: number;
    retried: number;
    rescued: number;
    converged: number;
    rounds: number;
    thresholdMs: number;
    medianMs: number | null;
    thresholdCostMicros: number;
    medianCostMicros: number | null;
  }>`
    select agent, count(*)::int as ended, (count(*) filter (where passed))::int as passed, (count(*) filter (where first_attempt_passed))::int as "firstPassed",
      (count(*) filter (where passed and not asked_person))::int as "completedAlone", (count(*) filter (where asked_person))::int as asked,
      (count(*) filter (where oscillated))::int as oscillated, (count(*) filter (where attempts > 1))::int as retried, (count(*) filter (where passed_at_attempt > 1))::int as rescued,
      count(passed_at_attempt)::int as converged, coalesce(sum(passed_at_attempt), 0)::int as rounds, coalesce(sum(threshold_ms), 0)::float8 as "thresholdMs",
      percentile_cont(0.5) within group (order by threshold_ms::float8) as "medianMs", coalesce(sum(threshold_cost_micros), 0)::float8 as "thresholdCostMicros",
      percentile_cont(0.5) within group (order by threshold_cost_micros::float8) as "medianCostMicros"
    from ended_task where ${inPeriod(period)} group by agent order by count(*) desc, agent`.execute(database);
  return rows;
}

async function toolCalls(database: Executor, period: Period) {
  const { rows } = await sql<{ agent: string; tool: string; correct: number; judged: number; denied: number }>`
    select agent, tool, sum(correct_calls)::int as correct, sum(judged_calls)::int as judged, sum(denied_calls)::int as denied
    from tool_call_correctness where ${inPeriod(period)} group by agent, tool order by 4 desc, agent, tool limit ${MAX_ROWS}`.execute(database);
  return rows;
}

async function iterations(database: Executor, period: Period) {
  const { rows } = await sql<{ agent: string; turns: number; effectiveCalls: number; ineffectiveTurns: number }>`
    select agent, sum(turns)::int as turns, sum(effective_calls)::int as "effectiveCalls", sum(ineffective_turns)::int as "ineffectiveTurns"
    from ineffective_iteration where ${inPeriod(period)} group by agent order by 2 desc, agent`.execute(database);
  return rows;
}

async function byScenario(database: Executor, period: Period) {
  const { rows } = await sql<{ agent: string; scenario: string; ended: number; failed: number; firstFailed: number }>`
    select agent, scenario, sum(ended_tasks)::int as ended, sum(failed_tasks)::int as failed, sum(first_failed_tasks)::int as "firstFailed"
    from scenario_failure_rate where ${inPeriod(period)} group by agent, scenario order by 5 desc, 4 desc, 3, scenario limit ${MAX_ROWS}`.execute(database);
  return rows;
}

/** As `failing_scenario`, over the period instead of a week. */
async function failuresOf(database: Executor, period: Period) {
  const { rows } = await sql<{
    agent: string;
    scenario: string;
    evaluator: string;
    issueType: string;
    tool: string | null;
    errorCode: string | null;
    signature: string;
    tasks: number;
    exampleTaskId: string;
  }>`
    with ended as (select * from ended_task where ${inPeriod(period)})
    select ended.agent, ended.scenario, evaluator, issue_type as "issueType", tool, error_code as "errorCode", signature, count(distinct task_id)::int as tasks,
      (array_agg(task_id order by ended.ended_at desc, task_id))[1] as "exampleTaskId"
    from ended join failure using (task_id)
    group by 1, 2, 3, 4, 5, 6, 7 order by 8 desc, ended.scenario, signature limit ${MAX_ROWS}`.execute(database);
  return rows;
}

async function byDay(database: Executor, period: Period) {
  const { rows } = await sql<{ day: string; ended: number; passed: number; firstPassed: number; completedAlone: number; asked: number; costMicros: number }>`
    with days as (
      select generate_series(${period.day}::timestamp, now() at time zone 'UTC', interval '1 day')::date as day
    ), work as (
      select day, count(*) as ended, count(*) filter (where passed) as passed, count(*) filter (where first_attempt_passed) as first_passed,
        count(*) filter (where passed and not asked_person) as alone, count(*) filter (where asked_person) as asked
      from ended_task where ${inPeriod(period)} group by day
    ), cost as (
      select day, sum(cost_micros) as micros from cost_by_model where ${inPeriod(period)} group by day
    )
    select to_char(day, 'YYYY-MM-DD') as day, coalesce(ended, 0)::int as ended, coalesce(passed, 0)::int as passed, coalesce(first_passed, 0)::int as "firstPassed",
      coalesce(alone, 0)::int as "completedAlone", coalesce(asked, 0)::int as asked, coalesce(micros, 0)::bigint as "costMicros"
    from days left join work using (day) left join cost using (day) order by day`.execute(database);
  return rows;
}

async function costOf(database: Executor, period: Period) {
  const { rows } = await sql<{ agent: string; model: string; calls: number; tasks: number; inputTokens: number; outputTokens: number; costMicros: number }>`
    select agent, model, sum(calls)::int as calls, count(distinct task_id)::int as tasks, sum(input_tokens)::bigint as "inputTokens", sum(output_tokens)::bigint as "outputTokens",
      sum(cost_micros)::bigint as "costMicros"
    from cost_by_model where ${inPeriod(period)} group by agent, model order by 7 desc, agent, model`.execute(database);
  return rows;
}

async function dearestTasks(database: Executor, period: Period) {
  const { rows } = await sql<{ taskId: string; agent: string; costMicros: number }>`
    select task_id as "taskId", agent, sum(cost_micros)::bigint as "costMicros" from cost_by_model where ${inPeriod(period)}
    group by 1, 2 having sum(cost_micros) > 0 order by 3 desc, 1 limit ${MAX_TASKS}`.execute(database);
  return rows;
}

async function feedbackOf(database: Executor, period: Period) {
  const { rows } = await sql<{ kind: string; source: 'explicit' | 'implicit'; count: number; tasks: number; meanValue: number | null }>`
    select kind, source, count(*)::int as count, count(distinct task_id)::int as tasks, avg(value)::float8 as "meanValue"
    from feedback_of_attempt where ${since('at', period)} group by kind, source order by source, 3 desc, kind`.execute(database);
  return rows;
}

async function outcomesOf(database: Executor, period: Period) {
  const { rows } = await sql<{ kind: string; tasks: number; meanValue: number }>`
    select business_outcome.kind, count(distinct business_outcome.task_id)::int as tasks, avg(value)::float8 as "meanValue"
    from business_outcome join (select task_id, agent from task where experiment_id is null) work using (task_id)
    where ${since('observed_at', period)} group by business_outcome.kind order by 2 desc, 1`.execute(database);
  return rows;
}

async function scoresAndOutcomes(database: Executor, period: Period) {
  const { rows } = await sql<{ agent: string; evaluator: string; evaluatorKind: EvaluatorKind; outcomeKind: string; pairs: [score: number, value: number][] }>`
    with newest as (
      select *, row_number() over (partition by agent, evaluator, outcome_kind order by observed_at desc, task_id) as place from score_and_outcome where ${since('observed_at', period)}
    )
    select agent, evaluator, evaluator_kind as "evaluatorKind", outcome_kind as "outcomeKind", json_agg(json_build_array(score, value) order by place) as pairs
    from newest where place <= ${MAX_PAIRS} group by 1, 2, 3, 4 order by 1, 2, 4`.execute(database);
  return rows;
}
