/** Chat sessions and what people think of tasks. */
import type { Generated } from 'kysely';
import type { FeedbackKind, FeedbackSource, ImplicitFeedbackKind } from '../../contracts/feedback.ts';
import type { DefaultTime, OptionalTime, Time } from './columns.ts';

export const CHAT_ROLES = ['user', 'assistant'] as const;
export type ChatRole = (typeof CHAT_ROLES)[number];
/** How a person's message reached a task: it began one, was told to one that ran, or answered its question. */
export const CHAT_WAYS = ['start', 'message', 'answer'] as const;
export type ChatWay = (typeof CHAT_WAYS)[number];

export interface ChatSessionTable {
  sessionId: string;
  tenant: string;
  agent: string;
  subject: string;
  title: Generated<string>;
  taskId: string | null;
  lastMessage: Generated<number>;
  sending: string | null;
  sendingUntil: OptionalTime;
  createdAt: DefaultTime;
  updatedAt: DefaultTime;
}

export interface ChatMessageTable {
  sessionId: string;
  number: number;
  messageId: string;
  role: ChatRole;
  text: string;
  taskId: string | null;
  way: ChatWay | null;
  approvalId: string | null;
  delivered: Generated<boolean>;
  at: DefaultTime;
}

export interface FeedbackTable {
  tenant: string;
  feedbackId: string;
  taskId: string;
  attempt: number | null;
  kind: FeedbackKind | ImplicitFeedbackKind;
  source: Generated<FeedbackSource>;
  value: number | null;
  text: string | null;
  by: string;
  at: DefaultTime;
}

export interface BusinessOutcomeTable {
  tenant: string;
  outcomeId: string;
  taskId: string;
  kind: string;
  value: number;
  observedAt: Time;
  source: string;
  by: string;
  recordedAt: DefaultTime;
}
