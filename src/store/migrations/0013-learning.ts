import { sql, type Kysely } from 'kysely';
import { ARMS, CASE_KINDS, EXPOSURE_KINDS, GATE_DECISIONS, RULE_KINDS, RULE_STATUSES } from '../../contracts/reasons.ts';
import { addColumns } from './add-columns.ts';
import { createTable, oneOf, type TableDefinition } from './create-table.ts';

const TASK = 'task_id text not null references task on delete cascade';

const tables: TableDefinition[] = [
  {
    name: 'transition',
    comment: 'Every step of a rule on its way: who, why, and by which experiment. Never changed.',
    columns: [
      ['seq bigint generated always as identity primary key', 'Order of the steps'],
      ['rule_id text not null', 'Rule'],
      ['version integer not null', 'Its version'],
      [`from_status text ${oneOf('from_status', RULE_STATUSES)}`, 'Where it stood; null: it was proposed'],
      [`to_status text not null ${oneOf('to_status', RULE_STATUSES)}`, 'Where it went'],
      ['actor text not null', 'Who or what moved it: a subject, `experiment`, `canary`, `learn`'],
      [`reason text not null check (reason <> '')`, 'Why, a sentence'],
      ['experiment_id text', 'Experiment that the step rests on; null: none'],
      ['detail jsonb', 'Figures that it rests on'],
      ['at timestamptz not null default now()', 'When'],
    ],
    constraints: ['foreign key (rule_id, version) references rule on delete cascade'],
    indexes: ['rule_id, version, seq'],
  },
  {
    name: 'attempt_context',
    comment: 'What was learned that an attempt was exposed to, or kept from: without it nothing can be credited.',
    columns: [
      [TASK, 'Task'],
      ['attempt integer not null', 'Attempt'],
      [`item_kind text not null ${oneOf('item_kind', EXPOSURE_KINDS)}`, 'What it is'],
      ['item_id text not null', 'Id of the rule, experience, chunk, prompt version or tool'],
      ['item_version integer not null default 1', 'Its version'],
      [`arm text not null ${oneOf('arm', ARMS)}`, 'Whether it was in the prompt, and by what chance'],
      ['rank integer', 'Position among what was retrieved, from 1; null: not retrieved'],
      ['retrieval_score double precision', 'Score of the retrieval; null: not retrieved'],
      ['cited boolean not null default false', 'The output names it'],
    ],
    constraints: ['primary key (task_id, attempt, item_kind, item_id)'],
    indexes: ['item_kind, item_id, item_version'],
  },
  {
    name: 'dataset',
    comment: 'Cases that an agent is measured by.',
    columns: [
      ['tenant text not null', 'Whose data this is'],
      ['dataset text not null', 'Name; `<agent>-regression` is the regression set of an agent'],
      ['agent text not null', 'Agent'],
      ['title text not null', 'One line for people'],
      ['created_at timestamptz not null default now()', 'When it was made'],
    ],
    constraints: ['primary key (tenant, dataset)'],
  },
  {
    name: 'dataset_case',
    comment: 'One example; a change ends a row and begins another, so that an old experiment can be run again as it was.',
    columns: [
      ['tenant text not null', 'Whose data this is'],
      ['dataset text not null', 'Dataset'],
      ['case_id text not null', 'Unique in the dataset'],
      ['valid_from timestamptz not null', 'From when it counts'],
      ['valid_to timestamptz', 'Until when it counted; null: it counts'],
      [`kind text not null ${oneOf('kind', CASE_KINDS)}`, 'happy, boundary, adversarial, or a failure that was fixed'],
      [`split text not null default 'gate'`, '`gate`: for experiments, never shown to who proposes; `train`: for proposals and examples'],
      ['critical boolean not null default false', 'A candidate that loses it is rejected, whatever it wins'],
      ['input jsonb not null', "Fits the agent's input schema"],
      ['expected jsonb', "Fields of the output that must be so; null: the agent's evaluators decide alone"],
      ['cassette_hash text', 'Blob of the recorded tool results; null: none'],
      ['source_task_id text', 'Task that it was made from; null: written by hand'],
      ['created_by text not null', 'Who added it'],
    ],
    constraints: ['primary key (tenant, dataset, case_id, valid_from)', 'foreign key (tenant, dataset) references dataset on delete cascade'],
  },
  {
    name: 'experiment',
    comment: 'One comparison of two variants over a dataset. The plan is stored before anything runs.',
    columns: [
      ['experiment_id text primary key', 'Id of its workflow'],
      ['agent text not null', 'Agent'],
      ['tenant text not null', 'Whose data this is'],
      ['dataset text not null', 'Dataset'],
      ['plan jsonb not null', 'Cases, repeats, test, level, both variants'],
      ['plan_hash text not null', 'sha256 of the canonical plan'],
      ['rule_id text', 'Rule that is tried; null: none'],
      ['rule_version integer', 'Its version'],
      ['started_by text not null', 'Who started it'],
      ['started_at timestamptz not null', 'When'],
      ['ended_at timestamptz', 'When it was decided; null: it runs'],
      [`decision text ${oneOf('decision', GATE_DECISIONS)}`, 'What it concluded; null: it runs'],
      ['why text', 'The decision in a sentence'],
      ['wins integer', 'Cases that the candidate did better'],
      ['losses integer', 'Cases that it did worse'],
      ['ties integer', 'Cases without a difference'],
      ['excluded integer', 'Cases left out'],
      ['delta double precision', 'Mean over cases of candidate minus base'],
      ['interval_low double precision', 'Lower end of its 90% interval'],
      ['interval_high double precision', 'Upper end of its 90% interval'],
      ['p_value double precision', 'One-sided'],
      ['alpha double precision', 'Level that it was tested at'],
      ['result jsonb', 'The whole result, with the figures of both arms'],
    ],
    indexes: ['agent, tenant, started_at desc', 'rule_id, rule_version'],
  },
  {
    name: 'experiment_run',
    comment: 'One task of an experiment.',
    columns: [
      ['experiment_id text not null references experiment on delete cascade', 'Experiment'],
      ['case_id text not null', 'Case'],
      ['repeat integer not null', 'From 1'],
      [`arm text not null ${oneOf('arm', ['base', 'candidate'])}`, 'Variant'],
      ['task_id text not null', 'Task'],
      ['value double precision', "1 or 0 by the plan's measure; null: it does not count"],
      ['passed boolean not null', 'The task passed in the end'],
      ['first_attempt_passed boolean not null', 'Its first attempt passed'],
      ['score double precision', 'Score of its best output, 0..100'],
      ['corrections integer not null', 'Attempts after the first'],
      ['cost_micros bigint not null', 'Cost, micro-USD'],
      ['duration_ms bigint not null', 'From start to end, ms'],
      ['excluded text', 'Why it does not count'],
      ['at timestamptz not null default now()', 'When it was recorded'],
    ],
    constraints: ['primary key (experiment_id, case_id, repeat, arm)'],
    indexes: ['task_id'],
  },
];

export async function up(database: Kysely<unknown>): Promise<void> {
  await addColumns(database, 'rule', [
    [`tenant text not null default 'default'`, 'Whose tasks it was learned from, and whom alone it is for'],
    [`kind text not null default 'sentence' ${oneOf('kind', RULE_KINDS)}`, 'What it puts into the prompt'],
    ['payload jsonb', 'example: situation, wrong, right. instructions: text and the hash they replace. tool_description: tool and text. sentence: null'],
    [`scope_terms text[] not null default '{}'`, 'Only tasks whose situation has one of these terms; empty: every task of the agent'],
    ['signature text', 'Kind of failure that it answers'],
    ['expected_effect text', 'What should become better'],
    [`salt text not null default md5(random()::text)`, 'Decides with the task id which arm a task is in'],
    ['traffic_share double precision not null default 0 check (traffic_share between 0 and 1)', 'Share of the tasks in scope that have it, 0..1'],
    ['canary_pairs integer not null default 60', 'Pairs of tasks after which a canary without harm goes live'],
    ['forced boolean not null default false', 'It went live without the gate'],
    ['reviewed_by text', 'Who found it worth testing'],
    ['experiment_id text', 'Experiment that it passed'],
  ]);
  await addColumns(database, 'task', [
    ['experiment_id text', 'Experiment that it belongs to: its tools were replayed; null: real work'],
    ['experiment jsonb', 'Its place in it: arm, case, repeat'],
  ]);
  // one sentence may be learned by two tenants
  await sql`alter table rule drop constraint rule_agent_content_hash_key, add constraint rule_content_key unique (tenant, agent, content_hash)`.execute(database);
  for (const table of tables) await createTable(database, table);
}
