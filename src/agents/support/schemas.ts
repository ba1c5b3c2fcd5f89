import { z } from 'zod';

export const supportInputSchema = z.strictObject({
  /** What the customer wrote. */
  message: z.string().trim().min(1).max(4_000),
  /** Who the calling service has identified; null or absent for an anonymous customer. Then the caller answers for who may ask. */
  customerId: z.string().min(1).max(64).nullish(),
  /** Where it came in: "chat", "mail", … */
  channel: z.string().min(1).max(40).nullish(),
});
export type SupportInput = z.output<typeof supportInputSchema>;

const RESOLUTIONS = [
  'status_told',
  'refund_requested',
  'rejection_registered',
  'return_created',
  'ticket_created',
  'offered_alternatives',
  'explained',
  'not_found',
  'refused',
] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

export const supportOutputSchema = z.strictObject({
  reply: z.string().min(1).max(3_000).describe('What the customer reads, in the language of the customer.'),
  language: z.enum(['zh', 'en']),
  orderId: z.string().nullable().describe('The order it is about, or null.'),
  resolution: z.enum(RESOLUTIONS).describe('What was done. refund_requested, rejection_registered, return_created and ticket_created only after that tool succeeded.'),
  options: z.array(z.string()).max(6).describe('What the customer can choose from now, in their language; empty when nothing is open.'),
});
export type SupportOutput = z.output<typeof supportOutputSchema>;

const INTENTS = ['order_status', 'refund', 'return', 'parcel_rejection', 'complaint', 'person', 'other'] as const;
export type Intent = (typeof INTENTS)[number];
const EMOTIONS = ['calm', 'worried', 'upset', 'angry', 'pleased'] as const;
export type Emotion = (typeof EMOTIONS)[number];

export const supportPerceptionSchema = z.strictObject({
  intent: z.enum(INTENTS),
  entities: z.strictObject({
    orderId: z.string().nullable(),
    amount: z.string().nullable().describe('An amount the customer named, as digits ("120.00"), or null.'),
  }),
  emotion: z.enum(EMOTIONS),
});
export type SupportPerception = z.output<typeof supportPerceptionSchema>;

/** An order id as an argument: "a001" and "A001" are one order. */
export const orderIdArgument = z.string().trim().toUpperCase().min(1).max(40).describe('Order id, such as A001.');
export const reasonArgument = z.string().trim().min(5).max(500).describe('Why, in a sentence, at least 5 characters.');
