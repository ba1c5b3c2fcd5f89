import { z } from 'zod';
import { OUTCOMES, REASONS, TOOL_CALL_STATUSES } from './reasons.ts';
import { usageSchema } from './usage.ts';

export const attemptSummarySchema = z.object({
  attempt: z.number().int(),
  score: z.number().nullable(),
  passed: z.boolean(),
  turns: z.number().int(),
  issues: z.array(z.string()),
  /** One line of what the next attempt was told; null on the last. */
  correction: z.string().nullable(),
});
export type AttemptSummary = z.infer<typeof attemptSummarySchema>;

/** How a task ended: the result of the `agentTask` workflow. */
export const outcomeSchema = z.object({
  taskId: z.string(),
  agent: z.string(),
  outcome: z.enum(OUTCOMES),
  reason: z.enum(REASONS),
  /** A sentence on why, for operators. */
  explanation: z.string(),
  /** For the user; never empty, never raw tool markup. */
  text: z.string(),
  /** The best output by the agent's schema; null when there is none. Kept by reference (`outputHash`) alone when over 64 KB. */
  output: z.unknown(),
  outputHash: z.string().nullable(),
  bestAttempt: z.number().int().nullable(),
  score: z.number().nullable(),
  attempts: z.array(attemptSummarySchema),
  turns: z.number().int(),
  toolCalls: z.number().int(),
  /** The last calls, so that a task without an answer still says what it found. */
  calls: z.array(z.object({ callId: z.string(), tool: z.string(), subject: z.string(), status: z.enum(TOOL_CALL_STATUSES) })),
  usage: usageSchema,
  /** Run time, and the time waited for people, ms. */
  durationMs: z.number(),
  waitedMs: z.number(),
  /** Ids of the experiences that were put before the model. */
  lessons: z.array(z.string()),
  askedPerson: z.boolean(),
  oscillated: z.boolean(),
  /** The attempt at which the score reached its best and stayed near it; null when it did not. Rounds are attempts. */
  convergenceRound: z.number().int().nullable().optional(),
});
export type Outcome = z.infer<typeof outcomeSchema>;
