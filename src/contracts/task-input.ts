import { z } from 'zod';
import { DEFAULT_TENANT } from './names.ts';
import { limitsSchema, parametersSchema } from './limits.ts';

/** A task that belongs to an experiment: its tools are replayed from the case's cassette, nobody is asked, nothing is learned from it. */
export const experimentPlaceSchema = z.strictObject({
  experimentId: z.string().min(1).max(200),
  arm: z.enum(['base', 'candidate']),
  caseId: z.string().min(1).max(200),
  /** From 1; also the seed that models are given. */
  repeat: z.number().int().min(1),
});
export type ExperimentPlace = z.infer<typeof experimentPlaceSchema>;

/** What `agentTask` is started with. The workflow id is the task id. */
export const taskInputSchema = z.strictObject({
  agent: z.string().min(1),
  /** Fits the agent's input schema; checked by `loadSnapshot`. Absent after continue-as-new. */
  input: z.unknown(),
  /** Which versions of prompts and rules apply. */
  channel: z.enum(['live', 'preview']).default('live'),
  /** Who started it; a key or user id, no personal data. */
  startedBy: z.string().default('unknown'),
  /** Whose data this is: it is never shown to, nor decided by, people of another. */
  tenant: z.string().min(1).max(200).default(DEFAULT_TENANT),
  /** Subjects who alone may decide this task's approvals; null: whoever holds the role. */
  approvers: z.array(z.string().min(1).max(200)).min(1).max(50).nullable().default(null),
  /** The chat session that this task goes on with; null: none. */
  sessionId: z.string().min(1).max(200).nullable().default(null),
  /** `withheld`: nothing of earlier tasks is recalled, and nothing of this one is kept: the control of a comparison. Default: `used`. */
  memory: z.enum(['used', 'withheld']).optional(),
  /** Set by the workflow `experiment` alone; the client does not take it. */
  experiment: experimentPlaceSchema.optional(),
  limits: limitsSchema.partial().default({}),
  parameters: parametersSchema.partial().default({}),
  /** Set by continue-as-new: where the state of the run before is stored. */
  checkpoint: z.string().optional(),
});
export type TaskInput = z.infer<typeof taskInputSchema>;

/** Bytes of the input's JSON that the client accepts; larger inputs belong in a store, by reference. */
export const MAX_INPUT_BYTES = 512 * 1024;
