import type { Kysely } from 'kysely';
import { MESSAGE_LABELS, MESSAGE_ROLES } from '../schema.ts';
import { createTable, oneOf, type TableDefinition } from './create-table.ts';

const tables: TableDefinition[] = [
  {
    name: 'blob',
    comment: 'Texts kept once under the hash of their content: inputs, outputs, tool arguments and results.',
    columns: [
      ['hash text primary key', 'sha256 of the content, hex'],
      ['content text not null', 'The text, exactly as hashed; JSON texts stay byte for byte'],
      ['bytes integer not null', 'Length of the content in UTF-8 bytes'],
      ['created_at timestamptz not null default now()', 'When it was first stored'],
    ],
  },
  {
    name: 'conversation',
    comment: 'An append-only conversation; its messages are nodes that chain back to its root.',
    columns: [
      ['conversation_id text primary key', 'Name of the conversation'],
      ['created_at timestamptz not null default now()', 'When it was created'],
    ],
  },
  {
    name: 'message_body',
    comment: 'What a message says, kept once however many conversations and forks contain it.',
    columns: [
      ['hash text primary key', 'sha256 over role, content, tool calls, call id, label and pins, hex'],
      [`role text not null ${oneOf('role', MESSAGE_ROLES)}`, 'Chat role'],
      ['content text', 'Text of the message; null when an assistant message holds tool calls alone'],
      ['tool_calls text', 'JSON text of the calls the assistant asked for; text, so that arguments stay exact'],
      ['tool_call_id text', "Tool messages: which call this answers (the provider's id)"],
      [`label text not null ${oneOf('label', MESSAGE_LABELS)}`, 'What the message is for; never sent to the model'],
      ['pins jsonb', 'Key fields that compaction must keep, as name=value'],
      ['tokens integer not null', 'Tokens of the message by the o200k_base encoding'],
      ['created_at timestamptz not null default now()', 'When it was first stored'],
    ],
  },
  {
    name: 'conversation_node',
    comment: 'One message in one place of a conversation. Several nodes may share a parent: those are forks.',
    columns: [
      ['hash text primary key', 'sha256 over parent hash and body hash, hex: names the whole prefix up to here'],
      ['conversation_id text not null references conversation', 'Conversation it belongs to'],
      ['parent_hash text references conversation_node', 'The node before; null for a first message, whose parent is the root hash of its conversation'],
      ['sequence integer not null check (sequence >= 1)', 'Position, 1 for a first message'],
      ['body_hash text not null references message_body', 'What the message says'],
      ['total_tokens integer not null', 'Tokens from the first message to this one'],
      ['created_at timestamptz not null default now()', 'When it was appended'],
    ],
    indexes: ['conversation_id, sequence', 'parent_hash'],
  },
];

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const table of tables) await createTable(database, table);
}
