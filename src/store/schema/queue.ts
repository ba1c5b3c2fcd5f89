/** Tasks that came by a message queue. */
import type { Generated } from 'kysely';
import type { DefaultTime, OptionalTime } from './columns.ts';

export const QUEUE_REQUEST_STATUSES = ['waiting', 'replied', 'dead'] as const;

export interface QueueRequestTable {
  tenant: string;
  queue: string;
  messageId: string;
  bodyHash: string;
  taskId: string;
  replyTo: string | null;
  correlationId: string | null;
  status: Generated<(typeof QUEUE_REQUEST_STATUSES)[number]>;
  attempts: Generated<number>;
  nextAttemptAt: DefaultTime;
  checkedAt: DefaultTime;
  lastError: string | null;
  receivedAt: DefaultTime;
  repliedAt: OptionalTime;
}
