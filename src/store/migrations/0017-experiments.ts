import { sql, type Kysely } from 'kysely';
import { createTable, quote } from './create-table.ts';

/** The levels that an agent's candidates are tested at, and experiments that were given up. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await createTable(database, {
    name: 'gate_ledger',
    comment: 'The candidates of an agent in the order in which their level was reserved: what each is tested at depends on those before. Never shortened.',
    columns: [
      ['tenant text not null', 'Whose data this is'],
      ['agent text not null', 'Agent'],
      ['seq integer not null', 'Place among the candidates of the agent, from 1'],
      ['experiment_id text not null unique references experiment', 'Experiment that tests it'],
      ['rule_id text not null', 'Rule that is tried'],
      ['rule_version integer not null', 'Its version'],
      ['alone boolean not null', 'Tested for itself at 0.10, outside the series: it neither spends nor earns there'],
      ['level double precision not null check (level >= 0 and level <= 1)', 'Level that was reserved when the experiment opened'],
      ['p double precision check (p between 0 and 1)', 'What the test gave, one-sided; 1 when it was given up; null: it runs'],
      ['promoted boolean not null default false', 'The gate let it pass'],
      ['at timestamptz not null', 'When the level was reserved'],
      ['settled_at timestamptz', 'When the result came in; null: it runs, and counts as not promoted'],
    ],
    constraints: ['primary key (tenant, agent, seq)'],
    indexes: ['rule_id, rule_version'],
  });
  const comments: [column: string, comment: string][] = [
    ['ended_at', 'When it was decided or given up; null: it runs'],
    ['decision', 'What it concluded; null: it runs, or was given up'],
    ['why', 'The decision in a sentence, or why it was given up'],
  ];
  for (const [column, comment] of comments) await sql.raw(`comment on column experiment.${column} is ${quote(comment)}`).execute(database);
  await sql`create index on experiment (tenant, started_at desc, experiment_id)`.execute(database);
  // a running experiment is looked at by its tasks
  await sql`create index task_experiment on task (experiment_id) where experiment_id is not null`.execute(database);
}
