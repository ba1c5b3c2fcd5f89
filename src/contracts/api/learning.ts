import { z } from 'zod';
import { timeSchema } from './time.ts';

/** A sentence of policy learned from experience. */
export const ruleViewSchema = z
  .object({
    ruleId: z.string(),
    version: z.number().int(),
    agent: z.string(),
    content: z.string(),
    status: z.enum(['candidate', 'in_review', 'preview', 'canary', 'live', 'retired', 'rejected']),
    createdBy: z.string(),
    at: timeSchema,
    /** Where it comes from: verbatim quotes of attempts of the caller's tenant. */
    sources: z.array(z.object({ taskId: z.string(), attempt: z.number().int(), quote: z.string() })),
  })
  .meta({ id: 'Rule' });
export type RuleView = z.infer<typeof ruleViewSchema>;
export const rulesQuerySchema = z.strictObject({ agent: z.string().max(200).optional(), status: ruleViewSchema.shape.status.optional() });
export const ruleListSchema = z.object({ items: z.array(ruleViewSchema) }).meta({ id: 'RuleList' });
