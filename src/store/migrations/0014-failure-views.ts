import type { ViewDefinition } from './create-view.ts';

/** What went wrong, how tools were used, and what models cost. */
export const failureViews: ViewDefinition[] = [
  {
    name: 'failure',
    comment:
      'What went wrong in real work: an issue of a verdict that failed, in an attempt that did not pass; where no evaluator found any, the attempt itself; where no attempt was closed, the task. Tasks of experiments are left out; cancelled and running ones are here.',
    columns: [
      ['task_id', 'Task'],
      ['tenant', 'Whose data this is'],
      ['agent', 'Agent'],
      ['scenario', 'agent/intent, or the agent alone'],
      ['attempt', 'Attempt; null: none was closed'],
      ['at', 'When it ended'],
      ['evaluator', 'Evaluator that found it; empty: none did'],
      ['issue_type', 'Type of the issue, else why the attempt or the task stopped'],
      ['tool', 'Tool of the last call of the attempt that failed; null: none did'],
      ['error_code', 'How that call failed'],
      ['signature', 'evaluator|type|tool|error code'],
      ['message', 'What is wrong; null: no evaluator said it'],
      ['cluster_id', 'Cluster that learning put it into; null: none'],
      ['resolved_by_attempt', 'First later attempt that was free of it; null: none'],
    ],
    query: `
      with work as (
        select task_id, tenant, agent, agent || coalesce('/' || nullif(intent, ''), '') as scenario, outcome, reason, ended_at from task where experiment_id is null
      ), failed as (
        select work.task_id, work.tenant, work.agent, work.scenario, attempt.attempt, attempt.ended_at, coalesce(attempt.stop_reason, 'not_passed') as type,
          exists (
            select from issue join verdict using (task_id, attempt, evaluator) where issue.task_id = attempt.task_id and issue.attempt = attempt.attempt and not verdict.passed
          ) as explained
        from work join attempt using (task_id) where not attempt.passed and attempt.ended_at is not null
      )
      select failed.task_id, tenant, agent, scenario, failed.attempt, ended_at, issue.evaluator, issue.type, issue.tool, issue.error_code,
        coalesce(issue.signature, failure_signature(issue.evaluator, issue.type, issue.tool, issue.error_code)), issue.message, issue.cluster_id, issue.resolved_by_attempt
      from failed join issue using (task_id, attempt) join verdict using (task_id, attempt, evaluator) where not verdict.passed
      union all
      select failed.task_id, tenant, agent, scenario, failed.attempt, ended_at, '', type, bad.tool, bad.code, failure_signature('', type, bad.tool, bad.code), null, null, null
      from failed left join lateral (
        select tool, code from tool_call where tool_call.task_id = failed.task_id and tool_call.attempt = failed.attempt and status not in ('success', 'started')
        order by turn desc, tool_call.started_at desc, call_id desc limit 1
      ) bad on true where not explained
      union all
      select work.task_id, tenant, agent, scenario, null, ended_at, '', reason, bad.tool, bad.code, failure_signature('', reason, bad.tool, bad.code), null, null, null
      from work left join lateral (
        select tool, code from tool_call where tool_call.task_id = work.task_id and status not in ('success', 'started')
        order by attempt desc, turn desc, tool_call.started_at desc, call_id desc limit 1
      ) bad on true
      where outcome is not null and outcome not in ('passed', 'cancelled') and not exists (select from attempt where attempt.task_id = work.task_id and attempt.ended_at is not null)`,
  },
  {
    name: 'failing_scenario',
    comment:
      'Which scenario failed most in the last 7 days, with which tool and error: place 1 is the worst. A row for each kind of failure of a scenario; a task that failed in several ways is in several rows.',
    columns: [
      ['tenant', 'Whose data this is'],
      ['place', '1: most tasks failed at the first attempt; of as many, the one in which more failed in the end'],
      ['agent', 'Agent'],
      ['scenario', 'agent/intent, or the agent alone'],
      ['first_failed_tasks', 'Numerator: tasks of the scenario whose first attempt did not pass'],
      ['failed_tasks', 'Numerator: tasks of the scenario that ended otherwise than passed'],
      ['ended_tasks', 'Denominator: tasks of the scenario that ended in the 7 days'],
      ['first_failure_rate', 'first_failed_tasks / ended_tasks'],
      ['failure_rate', 'failed_tasks / ended_tasks'],
      ['first_failed_tasks_before', 'Numerator of the 7 days before those'],
      ['ended_tasks_before', 'Denominator of the 7 days before those'],
      ['tool', 'Tool of the call that failed; null: none did'],
      ['error_code', 'How that call failed'],
      ['evaluator', 'Evaluator that found it; empty: none did'],
      ['issue_type', 'Type of the issue, else why the attempt or the task stopped'],
      ['signature', 'evaluator|type|tool|error code'],
      ['tasks_with_it', 'Numerator: tasks of the scenario in which an attempt failed so'],
      ['share_with_it', 'tasks_with_it / ended_tasks'],
      ['example_task_id', 'The newest of them'],
    ],
    query: `
      with week as (
        select * from ended_task where ended_at >= now() - interval '7 days'
      ), before as (
        select tenant, scenario, count(*) as tasks, count(*) filter (where not first_attempt_passed) as first_failed
        from ended_task where ended_at >= now() - interval '14 days' and ended_at < now() - interval '7 days' group by tenant, scenario
      ), scenarios as (
        select tenant, agent, scenario, count(*) as tasks, count(*) filter (where not passed) as failed, count(*) filter (where not first_attempt_passed) as first_failed
        from week group by tenant, agent, scenario
      ), ranked as (
        select *, rank() over (partition by tenant order by first_failed desc, failed desc, tasks, scenario) as place from scenarios where first_failed > 0
      ), kinds as (
        select week.tenant, week.scenario, failure.tool, failure.error_code, failure.evaluator, failure.issue_type, failure.signature, count(distinct task_id) as tasks,
          (array_agg(task_id order by week.ended_at desc, task_id))[1] as example
        from week join failure using (task_id) group by 1, 2, 3, 4, 5, 6, 7
      )
      select ranked.tenant, place, agent, ranked.scenario, ranked.first_failed, ranked.failed, ranked.tasks, ranked.first_failed::float8 / ranked.tasks,
        ranked.failed::float8 / ranked.tasks, coalesce(before.first_failed, 0), coalesce(before.tasks, 0), kinds.tool, kinds.error_code, kinds.evaluator, kinds.issue_type,
        kinds.signature, kinds.tasks, kinds.tasks::float8 / ranked.tasks, kinds.example
      from ranked join kinds on kinds.tenant = ranked.tenant and kinds.scenario = ranked.scenario
        left join before on before.tenant = ranked.tenant and before.scenario = ranked.scenario
      order by ranked.tenant, place, kinds.tasks desc, kinds.signature`,
  },
  {
    name: 'tool_call_correctness',
    comment:
      'How often a call of a tool was right, by its step verdict, in real work. Calls that were not run count where the model was at fault; those that ran out of time for an approval or were cancelled do not.',
    columns: [
      ['day', 'Day on which the call began, UTC'],
      ['tenant', 'Whose data this is'],
      ['agent', 'Agent'],
      ['tool', 'Tool, as the model wrote it'],
      ['correct_calls', 'Numerator: calls whose step verdict passed; a call without one: that succeeded'],
      ['judged_calls', 'Denominator: calls that ended, those aside that nobody could judge'],
      ['correctness', 'correct_calls / judged_calls'],
      ['denied_calls', 'Of the judged: not run, because the call was not allowed or not valid'],
    ],
    query: `
      select (tool_call.started_at at time zone 'UTC')::date, task.tenant, task.agent, tool, count(*) filter (where coalesce((verdict ->> 'passed')::boolean, status = 'success')),
        count(*), (count(*) filter (where coalesce((verdict ->> 'passed')::boolean, status = 'success')))::float8 / count(*), count(*) filter (where status = 'denied')
      from tool_call join task using (task_id)
      where task.experiment_id is null and status <> 'started' and coalesce(code, '') not in ('approval_expired', 'cancelled')
      group by 1, 2, 3, 4`,
  },
  {
    name: 'case_tool_call_correctness',
    comment:
      "Tool calls of experiments against the expected calls of their cases: those of the case's cassette, by tool and arguments. Of a case without a cassette the step verdict counts. The only view that is about experiments.",
    columns: [
      ['experiment_id', 'Experiment'],
      ['tenant', 'Whose data this is'],
      ['agent', 'Agent'],
      ['arm', 'base or candidate'],
      ['case_id', 'Case'],
      ['by', "expected_calls: against the case's; step_verdict: it expects none"],
      ['correct_calls', 'Numerator: calls that the case expects, or whose step verdict passed'],
      ['made_calls', 'Denominator: calls that the tasks made'],
      ['correctness', 'correct_calls / made_calls; null: none was made'],
      ['expected_calls_made', 'Numerator: expected calls that were made, each once for each task'],
      ['expected_calls', "Denominator: the case's expected calls, once for each task; null: it expects none"],
      ['completeness', 'expected_calls_made / expected_calls'],
    ],
    query: `
      with run as (
        select task.task_id, task.tenant, task.agent, task.experiment_id, task.experiment ->> 'arm' as arm, task.experiment ->> 'caseId' as case_id, cassette.calls
        from task join experiment using (experiment_id)
        left join lateral (
          select dataset_case.cassette_hash from dataset_case
          where dataset_case.tenant = experiment.tenant and dataset_case.dataset = experiment.dataset and dataset_case.case_id = task.experiment ->> 'caseId'
            and dataset_case.valid_from <= experiment.started_at order by dataset_case.valid_from desc limit 1
        ) tried on true
        left join lateral (
          select array_agg(distinct (call ->> 'tool') || ' ' || (call ->> 'argumentsHash')) as calls
          from blob, jsonb_array_elements(blob.content::jsonb -> 'calls') call where blob.hash = tried.cassette_hash
        ) cassette on true
      ), made as (
        select run.task_id, count(*) as calls,
          count(*) filter (where case when run.calls is null then coalesce((verdict ->> 'passed')::boolean, status = 'success') else tool || ' ' || arguments_hash = any (run.calls) end) as correct,
          count(distinct tool || ' ' || arguments_hash) filter (where tool || ' ' || arguments_hash = any (run.calls)) as expected_made
        from run join tool_call using (task_id) where status <> 'started' group by run.task_id
      )
      select experiment_id, tenant, agent, arm, case_id, case when run.calls is null then 'step_verdict' else 'expected_calls' end,
        coalesce(sum(correct), 0)::bigint, coalesce(sum(made.calls), 0)::bigint, sum(correct)::float8 / nullif(sum(made.calls), 0),
        case when run.calls is not null then coalesce(sum(expected_made), 0)::bigint end, sum(cardinality(run.calls))::bigint,
        case when run.calls is not null then coalesce(sum(expected_made), 0)::float8 / nullif(sum(cardinality(run.calls)), 0) end
      from run left join made using (task_id) group by experiment_id, tenant, agent, arm, case_id, run.calls`,
  },
  {
    name: 'ineffective_iteration',
    comment: 'How many turns an effective tool call takes, and how many turns brought nothing. An effective call succeeded, and its step verdict passed.',
    columns: [
      ['day', 'Day of the turn, UTC'],
      ['tenant', 'Whose data this is'],
      ['agent', 'Agent'],
      ['turns', 'Numerator of turns_per_effective_call, denominator of ineffective_rate: turns'],
      ['effective_calls', 'Denominator: calls of those turns that succeeded and were right'],
      ['turns_per_effective_call', 'turns / effective_calls: the ineffective-iteration rate; null: there was none'],
      ['ineffective_turns', 'Numerator: turns without a decision that could be used, or with tool calls of which none was effective'],
      ['ineffective_rate', 'ineffective_turns / turns'],
    ],
    query: `
      with effective as (
        select task_id, attempt, turn, count(*) as calls from tool_call where status = 'success' and coalesce((verdict ->> 'passed')::boolean, true) group by task_id, attempt, turn
      ), each as (
        select (turn.created_at at time zone 'UTC')::date as day, task.tenant, task.agent, turn.decision_type, coalesce(effective.calls, 0) as effective
        from turn join task using (task_id) left join effective using (task_id, attempt, turn) where task.experiment_id is null
      )
      select day, tenant, agent, count(*), sum(effective)::bigint, count(*)::float8 / nullif(sum(effective), 0),
        count(*) filter (where decision_type is null or (decision_type = 'tool' and effective = 0)),
        (count(*) filter (where decision_type is null or (decision_type = 'tool' and effective = 0)))::float8 / count(*)
      from each group by day, tenant, agent`,
  },
  {
    name: 'cost_by_model',
    comment: 'What model calls cost, by day, task and model: group it as you like. Tasks of experiments are left out; cancelled and running ones are here.',
    columns: [
      ['day', 'Day on which the calls were sent, UTC'],
      ['tenant', 'Whose data this is; null: calls outside tasks'],
      ['agent', 'Agent; null: calls outside tasks'],
      ['task_id', 'Task; null: calls outside tasks'],
      ['model', 'Model'],
      ['calls', 'Calls, failed ones included'],
      ['estimated_calls', 'Of them: without usage, so that the reserved amount was counted'],
      ['input_tokens', 'Tokens sent, as reported'],
      ['output_tokens', 'Tokens written, as reported'],
      ['cost_micros', 'Cost, micro-USD'],
    ],
    query: `
      select (model_call.started_at at time zone 'UTC')::date, task.tenant, task.agent, model_call.task_id, model, count(*), count(*) filter (where estimated),
        coalesce(sum(model_call.input_tokens), 0)::bigint, coalesce(sum(model_call.output_tokens), 0)::bigint, sum(model_call.cost_micros)::bigint
      from model_call left join task using (task_id) where task.experiment_id is null group by 1, 2, 3, 4, 5`,
  },
];
