import { z } from 'zod';
import { limitsSchema, parametersSchema } from './limits.ts';

/** What `agentTask` is started with. The workflow id is the task id. */
export const taskInputSchema = z.strictObject({
  agent: z.string().min(1),
  /** Fits the agent's input schema; checked by `loadSnapshot`. Absent after continue-as-new. */
  input: z.unknown(),
  /** Which versions of prompts and rules apply. */
  channel: z.enum(['live', 'preview']).default('live'),
  /** Who started it; a key or user id, no personal data. */
  startedBy: z.string().default('unknown'),
  limits: limitsSchema.partial().default({}),
  parameters: parametersSchema.partial().default({}),
  /** Set by continue-as-new: where the state of the run before is stored. */
  checkpoint: z.string().optional(),
});
export type TaskInput = z.infer<typeof taskInputSchema>;

/** Bytes of the input's JSON that the client accepts; larger inputs belong in a store, by reference. */
export const MAX_INPUT_BYTES = 512 * 1024;
