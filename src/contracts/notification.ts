import { z } from 'zod';
import type { Approval } from './approval.ts';
import type { Outcome } from './outcome.ts';
import { APPROVAL_KINDS, OUTCOMES, REASONS, RISKS } from './reasons.ts';

/** What people are told of. */
export const NOTIFICATION_EVENTS = ['approval_opened', 'approval_reminder', 'approval_escalated', 'approval_expired', 'task_handed_off', 'task_failed'] as const;
export type NotificationEvent = (typeof NOTIFICATION_EVENTS)[number];

/** How a target is reached. */
export const NOTIFICATION_CHANNELS = ['webhook', 'email', 'slack'] as const;
export type NotificationChannel = (typeof NOTIFICATION_CHANNELS)[number];

/** Something that happened and that people are told of. `stage` tells repeated ones of one approval apart. */
export type NotificationFact =
  | { event: 'approval_opened' | 'approval_reminder' | 'approval_escalated' | 'approval_expired'; taskId: string; approval: Approval; stage?: string }
  | { event: 'task_handed_off' | 'task_failed'; taskId: string; outcome: Pick<Outcome, 'outcome' | 'reason' | 'explanation'> };

/** What a notification says. Holds no arguments: whoever may see them follows the link. */
export const notificationPayloadSchema = z.strictObject({
  agent: z.string(),
  startedBy: z.string(),
  /** One sentence on what happened. */
  summary: z.string(),
  approval: z
    .strictObject({
      kind: z.enum(APPROVAL_KINDS),
      risk: z.enum(RISKS),
      tool: z.string().nullable(),
      /** Who may decide. */ roles: z.array(z.string()),
      people: z.array(z.string()).nullable(),
      quorum: z.number().int(),
      /** Unix ms */ expiresAt: z.number(),
      onTimeout: z.string(),
    })
    .nullable(),
  outcome: z.strictObject({ outcome: z.enum(OUTCOMES), reason: z.enum(REASONS) }).nullable(),
});
export type NotificationPayload = z.infer<typeof notificationPayloadSchema>;

/** Who is told: by configuration. */
export interface NotificationRecipient {
  /** Unique among the targets. */
  target: string;
  channel: NotificationChannel;
}
/** Finds the targets that a fact concerns. */
export type NotificationRouter = (fact: { event: NotificationEvent; tenant: string; payload: NotificationPayload }) => NotificationRecipient[];
