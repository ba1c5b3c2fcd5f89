import { z } from 'zod';
import { requestedCallSchema } from './tool-call.ts';

/** What the model chose in a turn. */
export const decisionSchema = z.object({
  type: z.enum(['tool', 'answer', 'ask', 'handoff']),
  calls: z.array(requestedCallSchema),
  /** For `answer`: where the output is (blob hash). */
  outputHash: z.string().nullable(),
  /** For `ask` and `handoff`: the sentence for the person. */
  text: z.string().nullable(),
  confidence: z.number().min(0).max(1).nullable(),
  reason: z.string(),
});
export type Decision = z.infer<typeof decisionSchema>;

/** A model answered, but not with something that can be used. */
export const modelProblemSchema = z.object({
  kind: z.enum(['refused', 'content_filter', 'empty', 'truncated', 'invalid_output', 'token_budget', 'cost_budget', 'context_limit', 'interrupted']),
  text: z.string(),
});
export type ModelProblem = z.infer<typeof modelProblemSchema>;
