import type { Kysely } from 'kysely';
import { PROPOSAL_TIERS } from '../../contracts/reasons.ts';
import { createTable, oneOf, type TableDefinition } from './create-table.ts';

const tables: TableDefinition[] = [
  {
    name: 'failure_cluster',
    comment: 'Failures of one kind: one signature, and texts that are near each other. It keeps its id from run to run of `learn`.',
    columns: [
      ['cluster_id text primary key', 'Id'],
      ['agent text not null', 'Agent'],
      ['tenant text not null', 'Whose data this is'],
      ['signature text not null', 'evaluator|issue type|tool|error code; parts that do not apply are empty'],
      ['label text not null', 'What its failures say: the text nearest to the centroid'],
      ['centroid real[] not null', 'Mean vector of its texts in the last run that saw it, of length 1'],
      ['embedder text not null', 'What made the vectors: those of another are not comparable'],
      ['first_seen timestamptz not null', 'First failure'],
      ['last_seen timestamptz not null', 'Latest failure'],
      ['issues integer not null', 'Failures in the window of the last run that saw it'],
      ['tasks integer not null', 'Tasks among them'],
      [
        `status text not null ${oneOf('status', ['open', 'answered', 'closed'])}`,
        'open: nothing answers it; answered: something proposed is on its way or live; closed: the last run did not see it',
      ],
    ],
    indexes: ['agent, tenant, signature'],
  },
  {
    name: 'learn_run',
    comment: 'One run of `learn` for an agent: the failures of a window, what was proposed, what was refused.',
    columns: [
      ['learn_id text primary key', 'Id of its workflow'],
      ['agent text not null', 'Agent'],
      ['tenant text not null', 'Whose data this is'],
      ['started_by text not null', 'Who started it: a subject, `schedule`'],
      ['since timestamptz not null', 'From when failures count'],
      ['started_at timestamptz not null', 'Until when failures count: its start'],
      ['ended_at timestamptz', 'When it was done; null: it runs'],
      ['attempts integer not null', 'Attempts that ended in the window, without those of experiments'],
      ['failed_attempts integer not null', 'Those that did not pass'],
      ['clusters integer not null', 'Clusters found'],
      ['input_tokens integer not null default 0', 'Tokens of input of the reflector'],
      ['output_tokens integer not null default 0', 'Tokens of its output'],
      ['cost_micros bigint not null default 0', 'Its cost, micro-USD'],
      ['summary jsonb', 'Proposals, refusals counted, clusters for which a fine-tuning export is recommended; null: it runs'],
    ],
    indexes: ['agent, tenant, started_at desc'],
  },
  {
    name: 'learn_finding',
    comment: 'What a run of `learn` found out about one cluster, and what it proposes.',
    columns: [
      ['learn_id text not null references learn_run on delete cascade', 'Run'],
      ['cluster_id text not null references failure_cluster on delete cascade', 'Cluster'],
      ['position integer not null', 'From 1: the largest share first'],
      ['share double precision not null', "Of the agent's failed attempts in the window, 0..1"],
      ['trend integer not null', 'Tasks in the newer half of the window minus those in the older'],
      ['issues integer not null', 'Failures in the window'],
      ['tasks integer not null', 'Tasks among them'],
      ['first_attempts integer not null', 'Tasks whose first attempt failed so'],
      ['examples jsonb not null', 'Task, attempt and verbatim quote of some; never of a case that experiments use'],
      [`texts text[] not null`, 'What its failures say, numbers and ids as #; never of a case that experiments use'],
      [`tier text ${oneOf('tier', PROPOSAL_TIERS)}`, 'Kind of change that is proposed; null: not yet, nothing fits, or it is answered'],
      ['rule_id text', 'Rule that was proposed; null: none'],
      ['rule_version integer', 'Its version'],
      [`refusals jsonb not null default '[]'`, 'Proposals that did not get to review: tier, by whom, text, code, reason'],
      ['why text', 'What was done, a sentence; null: not yet'],
      ['input_tokens integer not null default 0', 'Tokens of input of the reflector'],
      ['output_tokens integer not null default 0', 'Tokens of its output'],
      ['cost_micros bigint not null default 0', 'Its cost, micro-USD'],
    ],
    constraints: ['primary key (learn_id, cluster_id)'],
    indexes: ['cluster_id', 'rule_id'],
  },
];

/** Failures of a kind, and the runs that answer them. */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const table of tables) await createTable(database, table);
}
