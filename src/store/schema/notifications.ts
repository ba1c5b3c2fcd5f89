/** What people are told: an outbox. */
import type { Generated } from 'kysely';
import type { NotificationChannel, NotificationEvent, NotificationPayload } from '../../contracts/notification.ts';
import type { DefaultTime, OptionalTime } from './columns.ts';

/** `failed`: tried, and will be again. `dead`: given up. */
export const NOTIFICATION_STATUSES = ['pending', 'failed', 'sent', 'dead'] as const;

export interface NotificationTable {
  notificationId: string;
  tenant: string;
  event: NotificationEvent;
  taskId: string;
  approvalId: string | null;
  stage: Generated<string>;
  channel: NotificationChannel;
  target: string;
  payload: NotificationPayload;
  status: Generated<(typeof NOTIFICATION_STATUSES)[number]>;
  attempts: Generated<number>;
  nextAttemptAt: DefaultTime;
  lastError: string | null;
  createdAt: DefaultTime;
  sentAt: OptionalTime;
}
