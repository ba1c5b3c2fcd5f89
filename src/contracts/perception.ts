import { z } from 'zod';
import { scalarSchema } from './tool-call.ts';

export const perceptionSchema = z.object({
  /** BCP 47 primary tag of the input: `zh` or `en`. */
  language: z.string(),
  intent: z.string().nullable(),
  entities: z.record(z.string(), scalarSchema),
  emotion: z.string().nullable(),
  /** What the agent needs and did not get, each with the question to ask. Empty when nothing is missing. */
  missing: z.array(
    z.object({ field: z.string(), question: z.string(), /** Nobody answers: `handoff` ends the task, `continue` goes on without. */ onTimeout: z.enum(['handoff', 'continue']) }),
  ),
});
export type Perception = z.infer<typeof perceptionSchema>;
