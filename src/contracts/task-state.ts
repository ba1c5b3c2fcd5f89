import { z } from 'zod';
import { approvalSchema, refusalSchema } from './approval.ts';
import { attemptSummarySchema, outcomeSchema } from './outcome.ts';
import { versionedPlanSchema } from './plan.ts';
import { PHASES } from './reasons.ts';
import { TUNABLE } from './messages.ts';
import { usageSchema } from './usage.ts';

/** The answer of the `state` query: small, typed, safe to poll. */
export const taskStateSchema = z.object({
  taskId: z.string(),
  agent: z.string(),
  agentVersion: z.string().nullable(),
  phase: z.enum(PHASES),
  /** One line on what happens now. */
  detail: z.string(),
  attempt: z.number().int(),
  turn: z.number().int(),
  plan: versionedPlanSchema.nullable(),
  attempts: z.array(attemptSummarySchema),
  best: z.object({ attempt: z.number().int(), score: z.number() }).nullable(),
  /** All that wait, and the newest 20 of the others. */
  approvals: z.array(approvalSchema),
  usage: usageSchema,
  limits: z.record(z.string(), z.union([z.number(), z.boolean()])),
  parameters: z.record(z.string(), z.number().nullable()),
  lastDecision: z.object({ type: z.string(), reason: z.string(), confidence: z.number().nullable(), tools: z.array(z.string()) }).nullable(),
  /** Experiences of earlier tasks that were put before the model. */
  lessons: z.array(z.object({ experienceId: z.string(), summary: z.string(), score: z.number() })),
  messages: z.object({ received: z.number().int(), waiting: z.array(z.string()) }),
  changes: z.array(z.object({ field: z.enum(TUNABLE), from: z.number(), to: z.number(), by: z.string(), at: z.number() })),
  /** Earlier attempts that people made the current one; the newest. */
  restores: z.array(z.object({ attempt: z.number().int(), outputHash: z.string(), by: z.string(), reason: z.string(), at: z.number() })),
  refusals: z.array(refusalSchema),
  outcome: outcomeSchema.nullable(),
  /** Unix ms */
  startedAt: z.number(),
  /** True when it comes from Postgres because no worker answered. */
  stale: z.boolean(),
});
export type TaskState = z.infer<typeof taskStateSchema>;
