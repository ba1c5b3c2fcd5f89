import type { ViewDefinition } from './create-view.ts';

/** Tasks before a rule had traffic are looked at so far back, as many days as people remember. */
const BEFORE = `interval '28 days'`;

export const ruleView: ViewDefinition = {
  name: 'rule_before_after',
  comment:
    "What changed when a rule went live. A row for each kind of failure of the agent's tasks before or after, with the rule's own figures repeated in each; a rule without any failure has one row. All tasks of the agent and tenant count, whether the rule's scope has them or not; the arms count those in scope. Tasks of experiments are left out.",
  columns: [
    ['rule_id', 'Rule'],
    ['version', 'Its version'],
    ['tenant', 'Whose data this is'],
    ['agent', 'Agent that it is for'],
    ['content', 'What it says'],
    ['status', 'Where it stands'],
    ['from_at', 'When it first had traffic (canary or live): tasks that started in the 28 days before that are before'],
    ['live_at', 'When it went live: tasks that started since then are after; null: not yet, then those since from_at'],
    ['to_at', 'When it was retired: later tasks are neither; null: it was not'],
    ['before_first_passed', 'Numerator: tasks before whose first attempt passed'],
    ['before_tasks', 'Denominator: tasks before that ended'],
    ['before_first_pass_rate', 'before_first_passed / before_tasks'],
    ['after_first_passed', 'Numerator: tasks after whose first attempt passed'],
    ['after_tasks', 'Denominator: tasks after that ended'],
    ['after_first_pass_rate', 'after_first_passed / after_tasks'],
    ['treated_first_passed', 'Numerator: tasks with it in the prompt (treated, live) whose first attempt passed'],
    ['treated_tasks', 'Denominator: tasks with it in the prompt that ended'],
    ['treated_first_pass_rate', 'treated_first_passed / treated_tasks'],
    ['control_first_passed', 'Numerator: tasks kept from it by chance (control, left_out) whose first attempt passed'],
    ['control_tasks', 'Denominator: tasks kept from it by chance that ended'],
    ['control_first_pass_rate', 'control_first_passed / control_tasks'],
    ['scenario', 'Scenario of the failure; null: nothing failed'],
    ['tool', 'Tool of the call that failed; null: none did'],
    ['error_code', 'How that call failed'],
    ['evaluator', 'Evaluator that found it; empty: none did'],
    ['issue_type', 'Type of the issue, else why the attempt or the task stopped'],
    ['signature', 'evaluator|type|tool|error code'],
    ['before_failed_tasks', 'Numerator: tasks before in which an attempt failed so'],
    ['before_scenario_tasks', 'Denominator: tasks of the scenario before'],
    ['before_failure_rate', 'before_failed_tasks / before_scenario_tasks'],
    ['after_failed_tasks', 'Numerator: tasks after in which an attempt failed so'],
    ['after_scenario_tasks', 'Denominator: tasks of the scenario after'],
    ['after_failure_rate', 'after_failed_tasks / after_scenario_tasks'],
  ],
  query: `
    with gone as (
      select rule.rule_id, rule.version, rule.tenant, rule.agent, rule.content, rule.status, min(transition.at) filter (where to_status in ('canary', 'live')) as from_at,
        min(transition.at) filter (where to_status = 'live') as live_at, max(transition.at) filter (where to_status = 'retired') as to_at
      from rule join transition using (rule_id, version) group by rule.rule_id, rule.version having bool_or(to_status in ('canary', 'live'))
    ), periods as (
      select gone.rule_id, gone.version, ended_task.task_id, ended_task.scenario, ended_task.first_attempt_passed, ended_task.started_at < from_at as before
      from gone join ended_task on ended_task.tenant = gone.tenant and ended_task.agent = gone.agent and (
        (ended_task.started_at < from_at and ended_task.started_at >= from_at - ${BEFORE})
        or (ended_task.started_at >= coalesce(live_at, from_at) and ended_task.started_at < coalesce(to_at, 'infinity'))
      )
    ), whole as (
      select rule_id, version, count(*) filter (where before) as before_tasks, count(*) filter (where before and first_attempt_passed) as before_passed,
        count(*) filter (where not before) as after_tasks, count(*) filter (where not before and first_attempt_passed) as after_passed
      from periods group by rule_id, version
    ), arms as (
      select item_id as rule_id, item_version as version, count(*) filter (where arm in ('treated', 'live')) as treated_tasks,
        count(*) filter (where arm in ('treated', 'live') and first_attempt_passed) as treated_passed, count(*) filter (where arm in ('control', 'left_out')) as control_tasks,
        count(*) filter (where arm in ('control', 'left_out') and first_attempt_passed) as control_passed
      from attempt_context join ended_task using (task_id) where item_kind = 'rule' and attempt_context.attempt = 1 group by 1, 2
    ), scenarios as (
      select rule_id, version, scenario, count(*) filter (where before) as before_tasks, count(*) filter (where not before) as after_tasks
      from periods group by rule_id, version, scenario
    ), kinds as (
      select rule_id, version, periods.scenario, failure.tool, failure.error_code, failure.evaluator, failure.issue_type, failure.signature,
        count(distinct task_id) filter (where before) as before_failed, count(distinct task_id) filter (where not before) as after_failed
      from periods join failure using (task_id) group by 1, 2, 3, 4, 5, 6, 7, 8
    )
    select rule_id, version, tenant, agent, content, status, from_at, live_at, to_at, coalesce(before_passed, 0), coalesce(whole.before_tasks, 0),
      before_passed::float8 / nullif(whole.before_tasks, 0), coalesce(after_passed, 0), coalesce(whole.after_tasks, 0), after_passed::float8 / nullif(whole.after_tasks, 0),
      coalesce(treated_passed, 0), coalesce(treated_tasks, 0), treated_passed::float8 / nullif(treated_tasks, 0),
      coalesce(control_passed, 0), coalesce(control_tasks, 0), control_passed::float8 / nullif(control_tasks, 0),
      kinds.scenario, tool, error_code, evaluator, issue_type, signature, coalesce(before_failed, 0), coalesce(scenarios.before_tasks, 0),
      before_failed::float8 / nullif(scenarios.before_tasks, 0), coalesce(after_failed, 0), coalesce(scenarios.after_tasks, 0),
      after_failed::float8 / nullif(scenarios.after_tasks, 0)
    from gone left join whole using (rule_id, version) left join arms using (rule_id, version) left join kinds using (rule_id, version)
      left join scenarios using (rule_id, version, scenario)
    order by rule_id, version, greatest(before_failed, after_failed) desc nulls last, signature`,
};
