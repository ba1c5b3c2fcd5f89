import { sql, type Kysely } from 'kysely';
import { TUNABLE } from '../../contracts/messages.ts';
import { RULE_STATUSES, SANDBOX_STATUSES } from '../schema.ts';
import { createTable, oneOf, type TableDefinition } from './create-table.ts';

const tables: TableDefinition[] = [
  {
    name: 'experience',
    comment: 'What a task taught. Found again by terms, within one agent and tenant; unverified until a person reviewed it.',
    columns: [
      ['experience_id text primary key', 'Hash of task, attempt and outcome'],
      ['agent text not null', 'Agent; experience never crosses it'],
      ['tenant text not null', 'Tenant; experience never crosses it'],
      // no foreign key: what was learned outlives the task, which may be deleted when its retention ends
      ['task_id text not null', 'Task that taught it first; that task may have been deleted since'],
      ['attempt integer not null', 'Attempt that taught it first'],
      [`outcome text not null ${oneOf('outcome', ['success', 'failure'])}`, 'How that attempt ended'],
      ['situation text not null', 'What the task was like'],
      ['stage text', 'Part of the loop that failed'],
      ['error_type text', 'Kind of error'],
      ['root_cause text', 'Why it failed'],
      ['fix text', 'What mended it, or would'],
      ['evidence text', "Verbatim from the attempt's trace"],
      ['reward double precision', "The agent's reward for the attempt, on its own scale"],
      ['confidence double precision not null check (confidence between 0 and 1)', '0..1; the highest of the times it was seen'],
      ['verified boolean not null default false', 'A person reviewed it'],
      ['times_seen integer not null default 0', 'Attempts that taught it, each counted once; they are in experience_source'],
      [
        'merge_key text not null unique',
        'Hash of agent, tenant, outcome, situation, error type and fix (without a fix: root cause): the same lesson is one row, a contradicting one another',
      ],
      ['terms text[] not null', 'Words, and single Han characters and pairs, that it is found by'],
      ['created_at timestamptz not null', 'When it was learned first'],
      ['last_seen_at timestamptz not null', 'When it was learned last'],
      ['superseded_by text references experience', 'A better experience that stands for it; null while it counts itself'],
      ['retired_at timestamptz', 'Not recalled from this time on; null: no end is set'],
    ],
    indexes: ['agent, tenant, merge_key', 'agent, tenant, created_at', 'superseded_by'],
  },
  {
    name: 'experience_source',
    comment: 'Each attempt that taught an experience, also where it was known already.',
    columns: [
      ['source_id text primary key', 'Hash of task, attempt and outcome: writing it twice is once'],
      ['experience_id text not null references experience on delete cascade', 'The experience; its own id is that of its first source'],
      ['task_id text not null', 'Task; it may have been deleted since'],
      ['attempt integer not null', 'Attempt'],
      ['root_cause text', 'Why it failed, as seen then'],
      ['evidence text', "Verbatim from that attempt's trace"],
      ['reward double precision', "The agent's reward for that attempt, on its own scale"],
      ['created_at timestamptz not null', 'When that attempt ended'],
    ],
    indexes: ['experience_id', 'task_id'],
  },
  {
    name: 'agent_setting',
    comment: 'Settings of an agent that were changed without a deployment, oldest first; the newest of a field counts.',
    columns: [
      ['seq bigint generated always as identity primary key', 'Order of the changes'],
      ['agent text not null', 'Agent'],
      [`field text not null ${oneOf('field', TUNABLE)}`, 'Limit or parameter'],
      ['from_value double precision', "Stored value before, in the field's unit; null when there was none"],
      ['value double precision not null', 'Value from then on'],
      ['changed_by text not null', 'Who changed it'],
      ['changed_at timestamptz not null default now()', 'When'],
    ],
    indexes: ['agent, field, seq'],
  },
  {
    name: 'task_event',
    comment: "What an agent's run did, in the agent's own words: execution_start, reflection, lesson_used.",
    columns: [
      ['task_id text not null references task on delete cascade', 'Task'],
      ['key text not null', 'Names the event in the task, so that a retry does not repeat it'],
      ['type text not null', 'What happened'],
      ['attempt integer not null', 'Attempt'],
      ['detail jsonb not null', 'Facts of the event'],
      ['seq bigint generated always as identity', 'Order of recording'],
      ['at timestamptz not null default now()', 'When'],
    ],
    constraints: ['primary key (task_id, key)'],
    indexes: ['type'],
  },
  {
    name: 'rule',
    comment: 'A sentence of policy learned from experience. It changes nothing before it is live.',
    columns: [
      ['rule_id text not null', 'Hash of agent and first content'],
      ['version integer not null', 'From 1'],
      ['agent text not null', 'Agent it is for'],
      [`content text not null check (content <> '')`, 'The sentence'],
      ['content_hash text not null', 'sha256 of the sentence, white space evened out'],
      [`status text not null default 'candidate' ${oneOf('status', RULE_STATUSES)}`, 'Where it stands on the way to live'],
      ['created_by text not null', 'Who proposed it'],
      ['created_at timestamptz not null default now()', 'When'],
    ],
    constraints: ['primary key (rule_id, version)', 'unique (agent, content_hash)'],
    indexes: ['agent, status'],
  },
  {
    name: 'rule_source',
    comment: 'Where a rule comes from.',
    columns: [
      ['rule_id text not null', 'Rule'],
      ['version integer not null', 'Its version'],
      ['task_id text not null', 'Task that taught it; it may have been deleted since'],
      ['attempt integer not null', 'Attempt'],
      ['quote text not null', "Verbatim from that attempt's trace"],
    ],
    constraints: ['primary key (rule_id, version, task_id, attempt)', 'foreign key (rule_id, version) references rule on delete cascade'],
  },
  {
    name: 'sandbox_run',
    comment: 'Audit of code that was run in a sandbox; refused runs have a row too.',
    columns: [
      ['run_id text primary key', 'Random'],
      ['task_id text references task on delete set null', 'Task it ran for; null outside tasks, or when the task was deleted'],
      ['call_id text', 'Tool call it ran for; null when none asked'],
      ['code_hash text not null', 'sha256 of the code, hex; the code itself is not kept here'],
      ['driver text', 'Sandbox driver; null when nothing ran'],
      ['language text not null', 'python or javascript'],
      ['limits jsonb not null', 'Limits as applied: ms, bytes, counts'],
      [`status text not null ${oneOf('status', SANDBOX_STATUSES)}`, 'How it ended'],
      ['duration_ms bigint not null', 'Wall time, ms'],
      ['created_at timestamptz not null default now()', 'When it ran'],
    ],
    indexes: ['task_id', 'code_hash'],
  },
];

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const table of tables) await createTable(database, table);
  // without the pending list: it would be read through by every search
  await sql`create index experience_terms on experience using gin (terms) with (fastupdate = off)`.execute(database);
}
