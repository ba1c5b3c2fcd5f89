import { z } from 'zod';

export const planStepSchema = z.strictObject({
  id: z.string().min(1).max(40),
  /** Name of the tool to call, or null when the step is to reply. */
  tool: z.string().nullable(),
  /** What the reply will say, or null when the step calls a tool. */
  reply: z.string().nullable(),
  why: z.string(),
  dependsOn: z.array(z.string()),
});
export type PlanStep = z.infer<typeof planStepSchema>;

export const planSchema = z.strictObject({ goal: z.string(), steps: z.array(planStepSchema).min(1).max(20) });
export type Plan = z.infer<typeof planSchema>;

export type PlanStepStatus = 'waiting' | 'done' | 'failed' | 'dropped';
export const versionedPlanSchema = planSchema.extend({
  version: z.number().int().min(1),
  status: z.record(z.string(), z.enum(['waiting', 'done', 'failed', 'dropped'])),
});
export type VersionedPlan = z.infer<typeof versionedPlanSchema>;
