import type { Kysely } from 'kysely';
import { FEEDBACK_KINDS } from '../../contracts/feedback.ts';
import { CHAT_ROLES, CHAT_WAYS, MESSAGE_LABELS } from '../schema.ts';
import { replaceOneOf } from './add-columns.ts';
import { createTable, oneOf, type TableDefinition } from './create-table.ts';

const tables: TableDefinition[] = [
  {
    name: 'chat_session',
    comment: 'A conversation of a person with an agent, over several tasks.',
    columns: [
      ['session_id text primary key', 'Id'],
      ['tenant text not null', 'Whose data this is; never shown to people of another tenant'],
      ['agent text not null', 'Agent that answers'],
      ['subject text not null', 'Who chats'],
      [`title text not null default ''`, 'Beginning of the first message; empty before that'],
      ['task_id text', 'Newest task; null before the first. It may not have a row yet'],
      ['last_message integer not null default 0', 'Number of the newest message'],
      ['sending text', 'Message that is on its way to a task: one at a time; null: none'],
      ['sending_until timestamptz', 'From when on its sender is taken for dead'],
      ['created_at timestamptz not null default now()', 'When it was opened'],
      ['updated_at timestamptz not null default now()', 'When its newest message came'],
    ],
    indexes: ['tenant, subject, updated_at desc'],
  },
  {
    name: 'chat_message',
    comment: 'What was said in a chat session.',
    columns: [
      ['session_id text not null references chat_session on delete cascade', 'Session'],
      ['number integer not null', 'From 1, without gaps'],
      ['message_id text not null', "Given by the sender, so that sending it again changes nothing; of an answer: the task's id and what it is"],
      [`role text not null ${oneOf('role', CHAT_ROLES)}`, 'Who speaks'],
      ['text text not null', 'What was said'],
      ['task_id text', 'Task that it went to, or that it comes from; null while nobody knows. The task may not have a row yet'],
      [`way text ${oneOf('way', CHAT_WAYS)}`, "How a person's message reaches the task: start, message, answer; null for the agent's"],
      ['approval_id text', 'Question that it answers, or that the agent asks; null: none'],
      ['delivered boolean not null default false', 'The task has it'],
      ['at timestamptz not null default now()', 'When it came'],
    ],
    constraints: ['primary key (session_id, number)', 'unique (session_id, message_id)'],
    indexes: ['task_id'],
  },
  {
    name: 'feedback',
    comment: 'What people say of how tasks went.',
    columns: [
      ['tenant text not null', 'Whose data this is'],
      ['feedback_id text not null', 'Given by the sender, so that sending it again changes nothing'],
      ['task_id text not null references task on delete cascade', 'Task'],
      ['attempt integer', 'Attempt that it is about; null: the task'],
      [`kind text not null ${oneOf('kind', FEEDBACK_KINDS)}`, 'What is said'],
      ['value double precision', 'Of a rating: 1 (bad) to 5 (good); else null'],
      ['text text', 'In their words; of a correction: what would be right'],
      ['by text not null', 'Who says it'],
      ['at timestamptz not null default now()', 'When'],
    ],
    constraints: ['primary key (tenant, feedback_id)'],
    indexes: ['task_id'],
  },
];

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const table of tables) await createTable(database, table);
  // earlier messages of the session have a label of their own
  await replaceOneOf(database, 'message_body', 'label', MESSAGE_LABELS);
}
