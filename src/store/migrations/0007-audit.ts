import { sql, type Kysely } from 'kysely';
import { createTable, type TableDefinition } from './create-table.ts';

const tables: TableDefinition[] = [
  {
    name: 'audit',
    comment: 'Who did what, when, and what it changed. Append-only: each row is chained to the one before by its hash, per tenant.',
    columns: [
      ['tenant text not null', 'Whose chain it is in'],
      ['seq bigint not null', 'Position in the chain, from 1 without gaps'],
      ['at timestamptz not null', 'When it happened'],
      ['key text not null', 'Idempotency key: what is told twice is written once'],
      ['actor text not null', 'Who did it: a subject, an agent, or system'],
      ['actor_via text not null', 'How the actor was known: key, session, oidc, local, token (signed decision), unsigned, agent, system'],
      ['action text not null', 'What was done, noun and verb: tool_call.success, approval.decided, key.revoked'],
      ['task_id text', 'Task it was done to; null: none. Outlives the task'],
      ['approval_id text', 'Approval it was done to or allowed by; null: none'],
      ['target text', 'What else was changed: id of a key, name of an agent; null: none'],
      ['before jsonb', 'State before; null: nothing, or not known'],
      ['after jsonb', 'State after, or what was done in detail; null: nothing'],
      ['previous_hash text not null', 'Hash of the row before; 64 zeros for the first'],
      ['hash text not null', 'sha256, hex, over all other columns as one JSON array, UTF-8'],
    ],
    constraints: ['primary key (tenant, seq)', 'unique (tenant, key)'],
    indexes: ['task_id'],
  },
  {
    name: 'audit_head',
    comment: 'Where the audit chain of a tenant begins and ends.',
    columns: [
      ['tenant text primary key', 'Whose chain'],
      ['seq bigint not null', 'Newest row; 0: none yet'],
      ['hash text not null', 'Hash of the newest row'],
      ['first_seq bigint not null', 'Oldest row that is kept; older ones were pruned'],
      ['first_previous_hash text not null', 'What the oldest kept row names as the hash before it'],
    ],
  },
];

/** Statement triggers, so that they hold for every role, and for statements that touch no row. */
const guards = [
  `create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and tg_table_name = 'audit' and current_setting('loopwright.audit_prune', true) = 'on' then
    return null;
  end if;
  raise exception '% is append-only: % is refused', tg_table_name, tg_op using errcode = 'insufficient_privilege', hint = 'Use audit prune for retention.';
end $$`,
  'create trigger audit_is_append_only before update or delete or truncate on audit for each statement execute function refuse_audit_change()',
  'create trigger audit_head_stays before delete or truncate on audit_head for each statement execute function refuse_audit_change()',
];

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const table of tables) await createTable(database, table);
  for (const guard of guards) await sql.raw(guard).execute(database);
}
