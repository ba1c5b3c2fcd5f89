import { sql, type Kysely } from 'kysely';
import { MESSAGE_KINDS, REFUSAL_CODES } from '../../contracts/reasons.ts';
import { addColumns, replaceOneOf } from './add-columns.ts';

/** Whose a task is, and who decided what by which right. Rows from before belong to the default tenant. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await addColumns(database, 'task', [
    [`tenant text not null default 'default'`, 'Whose data this is; never shown to people of another tenant'],
    ['approvers jsonb', "Subjects who alone may decide the task's approvals; null: whoever holds the role"],
    ['session_id text', 'Chat session that the task belongs to; null: none'],
    ['last_event integer not null default 0', 'Number of its newest event'],
  ]);
  await sql`create index on task (tenant, started_at desc, task_id)`.execute(database);
  await addColumns(database, 'approval', [
    [`approvers jsonb not null default '{"quorum":1,"roles":["approver"],"people":null,"excludeRequester":false}'`, 'Who may decide: quorum, roles, people, excludeRequester'],
    [`votes jsonb not null default '[]'`, 'Approvals so far of one that needs two people'],
    ['remind_at timestamptz', 'When a reminder goes out; null: none'],
    ['escalation jsonb', 'From when (Unix ms) which roles may decide too; null: none'],
    [`decision_roles jsonb not null default '[]'`, 'Roles that the decider held, as signed; empty: not signed'],
    ['decision_token jsonb', 'Key, token id, expiry (Unix ms) and signature of the decision; null: not signed, or by timeout'],
  ]);
  await replaceOneOf(database, 'refusal', 'message', MESSAGE_KINDS);
  await replaceOneOf(database, 'refusal', 'code', REFUSAL_CODES);
}
