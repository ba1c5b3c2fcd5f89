import { sql, type Kysely } from 'kysely';
import { DEFAULT_TENANT } from '../../contracts/names.ts';
import { GENESIS } from '../audit-hash.ts';
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

/**
 * In one statement, because the end of the chain stays locked until the transaction ends. The text that is hashed is that of `audit-hash.ts`: to_json escapes
 * as JSON.stringify does.
 */
const append = `create function append_audit(
  p_tenant text, p_at timestamptz, p_key text, p_actor text, p_actor_via text, p_action text, p_task_id text, p_approval_id text, p_target text, p_before jsonb, p_after jsonb
) returns boolean language plpgsql as $$
declare
  whose text := coalesce(p_tenant, (select tenant from task where task_id = p_task_id), '${DEFAULT_TENANT}');
  at_text text := to_char(p_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');
  head audit_head;
  hashed text;
  own_hash text;
begin
  insert into audit_head as kept (tenant, seq, hash, first_seq, first_previous_hash) values (whose, 0, '${GENESIS}', 1, '${GENESIS}')
    on conflict (tenant) do update set seq = kept.seq returning * into head;
  -- asked with the lock in hand: whoever had it before may have written the same
  if exists (select from audit where tenant = whose and key = p_key) then
    return false;
  end if;
  select '[' || to_json(whose) || ',' || (head.seq + 1) || ',' || string_agg(coalesce(to_json(part)::text, 'null'), ',' order by place) || ']' into hashed
    from unnest(array[at_text, p_key, p_actor, p_actor_via, p_action, p_task_id, p_approval_id, p_target, p_before::text, p_after::text, head.hash])
    with ordinality as parts(part, place);
  own_hash := encode(sha256(convert_to(hashed, 'UTF8')), 'hex');
  insert into audit (tenant, seq, at, key, actor, actor_via, action, task_id, approval_id, target, before, after, previous_hash, hash)
    values (whose, head.seq + 1, p_at, p_key, p_actor, p_actor_via, p_action, p_task_id, p_approval_id, p_target, p_before, p_after, head.hash, own_hash);
  update audit_head set seq = head.seq + 1, hash = own_hash where tenant = whose;
  return true;
end $$`;

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const table of tables) await createTable(database, table);
  for (const guard of [...guards, append]) await sql.raw(guard).execute(database);
}
