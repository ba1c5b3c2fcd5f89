import { sql, type Kysely } from 'kysely';
import { createTable, oneOf, quote, type TableDefinition } from './create-table.ts';

const tables: TableDefinition[] = [
  {
    name: 'prompt_version',
    comment: 'What a prompt of an agent is made of: its own instructions and the rules in it. Never changed; each rule that goes live or ceases to be makes the next version.',
    columns: [
      ['agent text not null', 'Agent'],
      ['tenant text not null', 'Whose rules are in it'],
      ['version integer not null', 'From 1'],
      ['content_hash text not null', 'sha256 of the hash of the instructions and of the rules with their texts'],
      ['instructions_hash text', "sha256 of the agent's own instructions; null: no task of the agent had started"],
      ['rules jsonb not null', 'Rules in it: id, version, kind, in their order'],
      ['parent integer', 'Version that it followed; null: the first'],
      ['created_by text not null', 'Whoever moved the rule, or the version of the agent that was deployed'],
      ['reason text not null', 'What changed, a sentence'],
      ['created_at timestamptz not null default now()', 'When'],
    ],
    constraints: ['primary key (agent, tenant, version)'],
  },
  {
    name: 'prompt_label',
    comment: 'Which version of a prompt is live, and which is in preview. Only a reviewer moves what is live.',
    columns: [
      ['agent text not null', 'Agent'],
      ['tenant text not null', 'Whose prompt'],
      [`label text not null ${oneOf('label', ['live', 'preview'])}`, '`live`: what tasks get; `preview`: with the rules in preview besides'],
      ['version integer not null', 'Version that has the label'],
      ['moved_by text not null', 'Who or what moved it last'],
      ['moved_at timestamptz not null default now()', 'When'],
    ],
    constraints: ['primary key (agent, tenant, label)', 'foreign key (agent, tenant, version) references prompt_version'],
  },
  {
    name: 'tool_version',
    comment: 'Implementations of tools that workers had, and the share of the tasks that each gets.',
    columns: [
      ['agent text not null', 'Agent'],
      ['tool text not null', 'Tool'],
      ['version text not null', 'Version of the implementation'],
      ['released_at text not null', 'ISO date of its release'],
      ['description text not null', 'What the model is told of it'],
      ['traffic_share double precision not null check (traffic_share between 0 and 1)', 'Share of the tasks that get it, 0..1; the rest get the version before'],
      [
        `status text not null ${oneOf('status', ['live', 'preview', 'retired'])}`,
        '`live`: tasks get it; `preview`: only tasks of the channel preview; `retired`: nobody does while there is another',
      ],
      ['salt text not null default md5(random()::text)', 'Decides with the task id who gets it'],
      ['changed_by text not null', 'Who or what set the share last'],
      ['reason text not null', 'Why'],
      ['changed_at timestamptz not null', 'When'],
    ],
    constraints: ['primary key (agent, tool, version)'],
  },
];

const credit: [column: string, comment: string][] = [
  ['rule_id', 'Rule'],
  ['version', 'Its version'],
  ['agent', 'Agent'],
  ['tenant', 'Whose rule'],
  ['status', 'Where it stands'],
  ['tasks_with', 'Ended tasks that had it by chance: arms treated and live'],
  ['passed_with', 'Of these, those whose first attempt passed'],
  ['tasks_without', 'Ended tasks that were kept from it by chance: arms control and left_out'],
  ['passed_without', 'Of these, those whose first attempt passed'],
  ['rate_with', 'passed_with / tasks_with; null without tasks'],
  ['rate_without', 'passed_without / tasks_without; null without tasks'],
  ['effect', 'rate_with - rate_without: what the rule is worth; null while one side is empty'],
  ['helped', 'Pairs, the k-th without against the k-th with in order of ending, in which only the task with it passed'],
  ['harmed', 'Pairs in which only the task without it passed'],
  ['pairs', 'All pairs'],
];

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const table of tables) await createTable(database, table);
  await sql`
    create view rule_credit as
    with exposed as (
      select context.item_id as rule_id, context.item_version as version, context.arm in ('treated', 'live') as has_it, coalesce(attempt.passed, false) as passed,
             row_number() over (partition by context.item_id, context.item_version, context.arm in ('treated', 'live') order by task.ended_at, task.task_id) as place
      from attempt_context context
      left join attempt on attempt.task_id = context.task_id and attempt.attempt = context.attempt
      join task on task.task_id = context.task_id
      where context.attempt = 1 and context.item_kind = 'rule' and context.arm in ('treated', 'control', 'live', 'left_out')
        and task.ended_at is not null and task.experiment_id is null
    ), counts as (
      select rule_id, version,
             count(*) filter (where has_it) as tasks_with, count(*) filter (where has_it and passed) as passed_with,
             count(*) filter (where not has_it) as tasks_without, count(*) filter (where not has_it and passed) as passed_without
      from exposed group by rule_id, version
    ), paired as (
      select treated.rule_id, treated.version, count(*) as pairs,
             count(*) filter (where treated.passed and not control.passed) as helped, count(*) filter (where control.passed and not treated.passed) as harmed
      from exposed treated
      join exposed control on control.rule_id = treated.rule_id and control.version = treated.version and control.place = treated.place and not control.has_it
      where treated.has_it
      group by treated.rule_id, treated.version
    )
    select rule.rule_id, rule.version, rule.agent, rule.tenant, rule.status,
           coalesce(tasks_with, 0) as tasks_with, coalesce(passed_with, 0) as passed_with,
           coalesce(tasks_without, 0) as tasks_without, coalesce(passed_without, 0) as passed_without,
           passed_with::double precision / nullif(tasks_with, 0) as rate_with,
           passed_without::double precision / nullif(tasks_without, 0) as rate_without,
           passed_with::double precision / nullif(tasks_with, 0) - passed_without::double precision / nullif(tasks_without, 0) as effect,
           coalesce(helped, 0) as helped, coalesce(harmed, 0) as harmed, coalesce(pairs, 0) as pairs
    from rule
    left join counts on counts.rule_id = rule.rule_id and counts.version = rule.version
    left join paired on paired.rule_id = rule.rule_id and paired.version = rule.version`.execute(database);
  await sql
    .raw(`comment on view rule_credit is 'What each rule is worth, from tasks that had it or not by chance (canary and leave-one-out), by their first attempt'`)
    .execute(database);
  for (const [column, comment] of credit) await sql.raw(`comment on column rule_credit.${column} is ${quote(comment)}`).execute(database);
}
