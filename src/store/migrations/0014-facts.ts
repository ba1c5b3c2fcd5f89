import { sql, type Kysely } from 'kysely';
import { FEEDBACK_KINDS, FEEDBACK_SOURCES, IMPLICIT_FEEDBACK_KINDS } from '../../contracts/feedback.ts';
import { addColumns, replaceOneOf } from './add-columns.ts';
import { oneOf, createTable } from './create-table.ts';
import { createView } from './create-view.ts';
import { failureViews } from './0014-failure-views.ts';
import { opinionViews } from './0014-opinion-views.ts';
import { ruleView } from './0014-rule-view.ts';
import { workViews } from './0014-work-views.ts';

/** What is counted of the facts, and what was still missing to count it. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await signIssues(database);
  await nameIntents(database);
  await addColumns(database, 'feedback', [
    [`source text not null default 'explicit' ${oneOf('source', FEEDBACK_SOURCES)}`, 'explicit: somebody said it; implicit: seen in what they did'],
  ]);
  await replaceOneOf(database, 'feedback', 'kind', [...FEEDBACK_KINDS, ...IMPLICIT_FEEDBACK_KINDS]);
  await createTable(database, {
    name: 'business_outcome',
    comment: 'What became of a task in the business, told later by whoever knows: a ticket that stayed solved, a report that was accepted.',
    columns: [
      ['tenant text not null', 'Whose data this is'],
      ['outcome_id text not null', 'Given by the sender, so that sending it again changes nothing'],
      ['task_id text not null references task on delete cascade', 'Task'],
      [`kind text not null check (kind ~ '^[a-z][a-z0-9]*([_-][a-z0-9]+)*$')`, 'What was looked at: ticket_solved, report_accepted, case_found_bug or another'],
      ['value double precision not null check (value between 0 and 1)', '0 (bad) to 1 (good); of what is yes or no: 0 or 1'],
      ['observed_at timestamptz not null', 'When it was so'],
      ['source text not null', 'System or process that it comes from'],
      ['by text not null', 'Who told it'],
      ['recorded_at timestamptz not null default now()', 'When it was told'],
    ],
    constraints: ['primary key (tenant, outcome_id)'],
    indexes: ['task_id', 'tenant, kind, observed_at'],
  });
  await sql`create index on task (tenant, ended_at) where experiment_id is null`.execute(database);
  for (const view of [...workViews, ...failureViews, ruleView, ...opinionViews]) await createView(database, view);
  // these were said of the task so far; they are written for the attempt alone
  await sql`comment on column attempt.input_tokens is 'Tokens sent in this attempt'`.execute(database);
  await sql`comment on column attempt.output_tokens is 'Tokens written in this attempt'`.execute(database);
  await sql`comment on column attempt.cost_micros is 'Cost of this attempt, micro-USD'`.execute(database);
}

/** The kind of failure that an issue is: its evaluator and type, and the last tool call of the attempt that failed. */
async function signIssues(database: Kysely<unknown>): Promise<void> {
  await addColumns(database, 'issue', [
    ['tool text', 'Tool of the last call of the attempt that failed; null: none did, or the attempt is not closed'],
    ['error_code text', 'How that call failed'],
    ['signature text', 'evaluator|type|tool|error code: equal for failures of one kind, whatever the task; null until the attempt is closed'],
    ['cluster_id text', 'Cluster of failures that learning put it into; null: none yet'],
    ['resolved_by_attempt integer', 'First later attempt in which the same evaluator judged and this fingerprint was gone; null: none'],
  ]);
  await sql`create index on issue (signature)`.execute(database);
  await sql.raw(SIGNATURE).execute(database);
  await sql`
    update issue set tool = signed.tool, error_code = signed.code, signature = failure_signature(issue.evaluator, issue.type, signed.tool, signed.code)
    from (
      select attempt.task_id, attempt.attempt, bad.tool, bad.code
      from attempt left join lateral (
        select tool, code from tool_call where tool_call.task_id = attempt.task_id and tool_call.attempt = attempt.attempt and status not in ('success', 'started')
        order by turn desc, started_at desc, call_id desc limit 1
      ) bad on true
    ) signed where signed.task_id = issue.task_id and signed.attempt = issue.attempt`.execute(database);
  await sql`
    update issue set resolved_by_attempt = (
      select min(verdict.attempt) from verdict
      where verdict.task_id = issue.task_id and verdict.evaluator = issue.evaluator and verdict.attempt > issue.attempt and verdict.status = 'judged'
        and not exists (select from issue later where later.task_id = verdict.task_id and later.attempt = verdict.attempt and later.fingerprint = issue.fingerprint)
    )`.execute(database);
}

/** The same as `signatureOf` in src/policy/signature.ts, which a test compares. */
const SIGNATURE = `
create function failure_signature(evaluator text, type text, tool text, code text) returns text language sql immutable
return btrim(replace(coalesce(evaluator, ''), '|', '/')) || '|' || btrim(replace(coalesce(type, ''), '|', '/')) || '|'
  || btrim(replace(coalesce(tool, ''), '|', '/')) || '|' || btrim(replace(coalesce(code, ''), '|', '/'))`;

async function nameIntents(database: Kysely<unknown>): Promise<void> {
  await addColumns(database, 'task', [['intent text', 'What kind of request it was understood as; null: the agent reads none']]);
  await sql`
    update task set intent = understood.intent
    from (select distinct on (task_id) task_id, detail ->> 'intent' as intent from task_event where type = 'perceived' order by task_id, number desc) understood
    where understood.task_id = task.task_id`.execute(database);
}
