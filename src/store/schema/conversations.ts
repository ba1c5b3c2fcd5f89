/** Content-addressed messages. */
import type { Message } from '../../contracts/conversation.ts';
import type { DefaultTime } from './columns.ts';

export const MESSAGE_ROLES = ['system', 'user', 'assistant', 'tool'] as const;

export const MESSAGE_LABELS = [
  'instructions',
  'task',
  'perception',
  'plan',
  'recall',
  'turn',
  'tool_result',
  'notice',
  'user',
  'draft',
  'correction',
  'summary',
  'answer',
  'history',
] as const satisfies readonly Message['label'][];

export interface BlobTable {
  hash: string;
  content: string;
  bytes: number;
  createdAt: DefaultTime;
}

export interface ConversationTable {
  conversationId: string;
  createdAt: DefaultTime;
}

export interface ConversationNodeTable {
  hash: string;
  conversationId: string;
  parentHash: string | null;
  sequence: number;
  bodyHash: string;
  totalTokens: number;
  createdAt: DefaultTime;
}

export interface MessageBodyTable {
  hash: string;
  role: Message['role'];
  content: string | null;
  toolCalls: string | null;
  toolCallId: string | null;
  label: Message['label'];
  pins: string[] | null;
  tokens: number;
  createdAt: DefaultTime;
}
