import type { Kysely } from 'kysely';
import { createTable, oneOf, type TableDefinition } from './create-table.ts';

const TASK = 'task_id text not null references task on delete cascade';

const tables: TableDefinition[] = [
  {
    name: 'review_sample',
    comment: 'Outputs that people judge without seeing what the evaluators said: what the evaluators are measured by.',
    columns: [
      ['sample_id text primary key', 'Hash of task and attempt: an output is drawn once'],
      ['tenant text not null', 'Whose data this is'],
      ['agent text not null', 'Agent'],
      [TASK, 'Task'],
      ['attempt integer not null', 'Attempt'],
      ['high_score boolean not null', 'It passed; false: a control that did not, without which nobody could disagree downwards'],
      ['sampled_at timestamptz not null', 'When it was drawn'],
      ['passed boolean', 'The person would let it pass; null: not reviewed'],
      ['score double precision check (score between 0 and 100)', 'What the person gives it, 0..100'],
      ['comment text', 'Why, in their words'],
      ['reviewed_by text', 'Who reviewed it'],
      ['reviewed_at timestamptz', 'When'],
    ],
    constraints: ['check ((passed is null) = (reviewed_at is null))'],
    indexes: ['tenant, agent, sampled_at desc', 'task_id'],
  },
  {
    name: 'judge_repeat',
    comment: 'The judge asked again about one output: how much it varies by itself.',
    columns: [
      ['sample_id text not null references review_sample on delete cascade', 'Sample'],
      ['evaluator text not null', 'Evaluator of kind model'],
      ['repeat integer not null', 'From 1'],
      ['score double precision', 'Its score, 0..100; null: it gave no usable verdict'],
      ['passed boolean', 'Its verdict; null: it gave none'],
      ['at timestamptz not null default now()', 'When'],
    ],
    constraints: ['primary key (sample_id, evaluator, repeat)'],
  },
  {
    name: 'evaluator_health',
    comment: 'What an evaluator was measured at; the newest row of an evaluator counts.',
    columns: [
      ['seq bigint generated always as identity primary key', 'Order of the measurements'],
      ['tenant text not null', 'Whose data this is'],
      ['agent text not null', 'Agent'],
      ['evaluator text not null', 'Evaluator'],
      [`status text not null ${oneOf('status', ['active', 'quarantined'])}`, 'quarantined: it has no vote, and rules that rested on it are back in preview'],
      ['kappa double precision', "Cohen's κ with people, on passed or not; null: not measured"],
      ['ratings integer not null', 'Samples that both judged'],
      ['deviation double precision', 'Mean distance of its score from the person’s, points; null: none'],
      ['variance double precision', 'Mean variance of its score when asked again, points²; null: not measured'],
      ['repeats integer not null', 'Outputs that it was asked about more than once'],
      ['correlation double precision', "Spearman's ρ of its scores with what became of the outputs; null: not measured"],
      ['correlation_tasks integer not null', 'Tasks with a business outcome'],
      ['reason text not null', 'Why it stands so, a sentence'],
      ['actor text not null', 'Who or what measured or released it'],
      ['at timestamptz not null default now()', 'When'],
    ],
    indexes: ['tenant, agent, evaluator, seq desc'],
  },
];

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const table of tables) await createTable(database, table);
}
