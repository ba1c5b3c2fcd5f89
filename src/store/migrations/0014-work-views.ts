import type { ViewDefinition } from './create-view.ts';

const DAY: [string, string][] = [
  ['day', 'Day on which they ended, UTC'],
  ['tenant', 'Whose data this is'],
  ['agent', 'Agent'],
];
const ENDED: [string, string] = ['ended_tasks', 'Denominator: tasks that ended; cancelled ones and those of experiments are left out'];

/** Over tasks that have ended, by day, tenant and agent: sum numerators and denominators before dividing. */
export const workViews: ViewDefinition[] = [
  {
    name: 'ended_task',
    comment: 'Real work that ended: tasks of experiments and cancelled ones are left out. What the rates of all other views are counted over.',
    columns: [
      ['task_id', 'Task'],
      ['tenant', 'Whose data this is'],
      ['agent', 'Agent'],
      ['agent_version', 'Its version'],
      ['scenario', "What the task was about: agent/intent, or the agent's name where it reads no intent. Known before the outcome is, so that a rate has a denominator"],
      ['started_at', 'When it started'],
      ['ended_at', 'When it ended'],
      ['day', 'Day on which it ended, UTC'],
      ['outcome', 'How it ended'],
      ['reason', 'Why, as a code'],
      ['passed', 'It passed in the end'],
      ['first_attempt_passed', 'Its first attempt passed: what gate, canary and credit measure'],
      ['attempts', 'Attempts that were closed'],
      ['passed_at_attempt', 'First attempt that passed by its evaluators; null: none, a person may have accepted or written the output'],
      ['asked_person', 'A person was asked anything'],
      ['oscillated', 'Outputs or calls went back and forth'],
      ['cost_micros', 'Cost of all model calls, micro-USD'],
      ['duration_ms', 'From start to end without the waits for people, ms'],
      ['threshold_ms', 'From the start to the end of the attempt that passed, without the waits for people, ms; null: none passed'],
      ['threshold_cost_micros', 'Cost of the model calls up to and with that attempt, micro-USD; null: none passed'],
    ],
    query: `
      select task.task_id, task.tenant, task.agent, task.agent_version, task.agent || coalesce('/' || nullif(task.intent, ''), ''), task.started_at, task.ended_at,
        (task.ended_at at time zone 'UTC')::date, task.outcome, task.reason, task.outcome = 'passed', coalesce(tries.first_passed, false), coalesce(tries.attempts, 0)::integer,
        tries.passed_at, task.asked_person, task.oscillated, task.cost_micros,
        greatest(0, extract(epoch from task.ended_at - task.started_at) * 1000 - task.waited_ms)::bigint,
        case when tries.passed_at is not null then greatest(0, extract(epoch from passing.ended_at - task.started_at) * 1000 - task.waited_ms)::bigint end,
        case when tries.passed_at is not null then (
          select coalesce(sum(model_call.cost_micros), 0)::bigint from model_call where model_call.task_id = task.task_id and coalesce(model_call.attempt, 0) <= tries.passed_at
        ) end
      from task left join lateral (
        select bool_or(attempt.passed) filter (where attempt.attempt = 1) as first_passed, count(*) as attempts, min(attempt.attempt) filter (where attempt.passed) as passed_at
        from attempt where attempt.task_id = task.task_id and attempt.ended_at is not null
      ) tries on true left join attempt passing on passing.task_id = task.task_id and passing.attempt = tries.passed_at
      where task.experiment_id is null and task.ended_at is not null and task.outcome <> 'cancelled'`,
  },
  {
    name: 'scenario_failure_rate',
    comment: 'How often tasks of a scenario fail: in the end, and at the first attempt.',
    columns: [
      ...DAY,
      ['scenario', 'agent/intent, or the agent alone'],
      ['failed_tasks', 'Numerator: tasks that ended otherwise than passed'],
      ['first_failed_tasks', 'Numerator: tasks whose first attempt did not pass'],
      ENDED,
      ['failure_rate', 'failed_tasks / ended_tasks'],
      ['first_failure_rate', 'first_failed_tasks / ended_tasks'],
    ],
    query: `
      select day, tenant, agent, scenario, count(*) filter (where not passed), count(*) filter (where not first_attempt_passed), count(*),
        (count(*) filter (where not passed))::float8 / count(*), (count(*) filter (where not first_attempt_passed))::float8 / count(*)
      from ended_task group by day, tenant, agent, scenario`,
  },
  {
    name: 'completion_rate',
    comment: 'How often tasks are completed without a person.',
    columns: [...DAY, ['completed_alone', 'Numerator: tasks that passed and asked nobody'], ENDED, ['completion_rate', 'completed_alone / ended_tasks']],
    query: `
      select day, tenant, agent, count(*) filter (where passed and not asked_person), count(*), (count(*) filter (where passed and not asked_person))::float8 / count(*)
      from ended_task group by day, tenant, agent`,
  },
  {
    name: 'human_rate',
    comment: 'How often tasks ask a person anything: an approval, a question, a review.',
    columns: [...DAY, ['asked_tasks', 'Numerator: tasks that asked a person'], ENDED, ['human_rate', 'asked_tasks / ended_tasks']],
    query: `
      select day, tenant, agent, count(*) filter (where asked_person), count(*), (count(*) filter (where asked_person))::float8 / count(*)
      from ended_task group by day, tenant, agent`,
  },
  {
    name: 'retry_success',
    comment: 'What a further attempt is worth: of tasks whose first attempt failed and that tried again, and of the attempts after the first.',
    columns: [
      ...DAY,
      ['rescued_tasks', 'Numerator: tasks that tried again and had an attempt that passed'],
      ['retried_tasks', 'Denominator: tasks with more than one attempt'],
      ['retry_success_rate', 'rescued_tasks / retried_tasks; null: no task tried again'],
      ['retry_attempts', 'Denominator: attempts after the first'],
      ['attempt_success_rate', 'rescued_tasks / retry_attempts: the chance that one more attempt ends it'],
    ],
    query: `
      select day, tenant, agent, count(*) filter (where passed_at_attempt > 1), count(*) filter (where attempts > 1),
        (count(*) filter (where passed_at_attempt > 1))::float8 / nullif(count(*) filter (where attempts > 1), 0),
        coalesce(sum(attempts - 1) filter (where attempts > 1), 0)::bigint,
        (count(*) filter (where passed_at_attempt > 1))::float8 / nullif(sum(attempts - 1) filter (where attempts > 1), 0)
      from ended_task group by day, tenant, agent`,
  },
  {
    name: 'convergence',
    comment: 'Rounds to converge: attempts until one passed, of the tasks in which one did.',
    columns: [
      ...DAY,
      ['rounds', 'Numerator: attempts up to and with the one that passed, added up'],
      ['converged_tasks', 'Denominator: tasks with an attempt that passed'],
      ['mean_rounds', 'rounds / converged_tasks; null: none converged'],
      ['most_rounds', 'Of one task'],
      ENDED,
    ],
    query: `
      select day, tenant, agent, coalesce(sum(passed_at_attempt), 0)::bigint, count(passed_at_attempt), sum(passed_at_attempt)::float8 / nullif(count(passed_at_attempt), 0),
        max(passed_at_attempt), count(*)
      from ended_task group by day, tenant, agent`,
  },
  {
    name: 'oscillation_rate',
    comment: 'How often outputs or calls go back and forth.',
    columns: [...DAY, ['oscillated_tasks', 'Numerator: tasks that went back and forth'], ENDED, ['oscillation_rate', 'oscillated_tasks / ended_tasks']],
    query: `
      select day, tenant, agent, count(*) filter (where oscillated), count(*), (count(*) filter (where oscillated))::float8 / count(*)
      from ended_task group by day, tenant, agent`,
  },
  {
    name: 'effort_to_threshold',
    comment: 'Time and cost until an attempt passed, of the tasks in which one did. Tasks that never did are counted, their effort is not: see cost_by_model for all of it.',
    columns: [
      ...DAY,
      ['threshold_ms', 'Numerator: time up to the attempt that passed, without the waits for people, added up, ms'],
      ['threshold_cost_micros', 'Numerator: cost up to and with it, added up, micro-USD'],
      ['converged_tasks', 'Denominator: tasks with an attempt that passed'],
      ['mean_ms', 'threshold_ms / converged_tasks'],
      ['median_ms', 'Half of them took no longer, ms'],
      ['mean_cost_micros', 'threshold_cost_micros / converged_tasks'],
      ['median_cost_micros', 'Half of them cost no more, micro-USD'],
      ENDED,
    ],
    query: `
      select day, tenant, agent, coalesce(sum(threshold_ms), 0)::bigint, coalesce(sum(threshold_cost_micros), 0)::bigint, count(passed_at_attempt), avg(threshold_ms)::float8,
        percentile_cont(0.5) within group (order by threshold_ms::float8), avg(threshold_cost_micros)::float8,
        percentile_cont(0.5) within group (order by threshold_cost_micros::float8), count(*)
      from ended_task group by day, tenant, agent`,
  },
];
