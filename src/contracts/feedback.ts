import { z } from 'zod';

/** What a person says of how a task went. `rating` has a value, 1 to 5; `correction`, `wrong_answer` and `comment` have a text. */
export const FEEDBACK_KINDS = ['solved', 'not_solved', 'rating', 'correction', 'wrong_answer', 'comment'] as const;
export type FeedbackKind = (typeof FEEDBACK_KINDS)[number];

/** What people show by what they do; recorded by code alone. */
export const IMPLICIT_FEEDBACK_KINDS = [
  'asked_again', // the same matter again in the chat session, soon after the answer
  'reopened', // the same again, after it had been said to be solved
  'abandoned', // a question in a chat was left unanswered
  'edited_output', // a person changed or rewrote the output that they were to approve
] as const;
export type ImplicitFeedbackKind = (typeof IMPLICIT_FEEDBACK_KINDS)[number];

export const FEEDBACK_SOURCES = ['explicit', 'implicit'] as const;
export type FeedbackSource = (typeof FEEDBACK_SOURCES)[number];

export const MAX_FEEDBACK_CHARS = 8_000;

export const feedbackSchema = z
  .strictObject({
    /** Idempotency key: given again, nothing is recorded again. */
    feedbackId: z.string().min(1).max(200),
    kind: z.enum(FEEDBACK_KINDS),
    /** Of a rating: 1 (bad) to 5 (good). */
    value: z.number().min(1).max(5).nullable().default(null),
    text: z.string().max(MAX_FEEDBACK_CHARS).nullable().default(null),
    /** The attempt that it is about; null: the task. */
    attempt: z.number().int().min(1).nullable().default(null),
    by: z.string().min(1).max(200),
  })
  .refine(({ kind, value }) => kind !== 'rating' || value !== null, { path: ['value'], error: 'a rating needs a value from 1 to 5' })
  .refine(({ kind, text }) => !['correction', 'wrong_answer', 'comment'].includes(kind) || (text ?? '').trim() !== '', { path: ['text'], error: 'say it in words' });
export type FeedbackInput = z.input<typeof feedbackSchema>;
export type Feedback = z.output<typeof feedbackSchema>;

/** Seen in what people did. `feedbackId` is made from what it was seen in, so that it counts once. */
export type ImplicitFeedback = Pick<Feedback, 'feedbackId' | 'text' | 'attempt' | 'by'> & { kind: ImplicitFeedbackKind };
