import { z } from 'zod';

/** Characters of one `message`; longer ones are refused with `too_large`. */
export const MAX_MESSAGE_CHARS = 8_000;

export const messagePayloadSchema = z.strictObject({
  text: z.string().min(1).max(MAX_MESSAGE_CHARS),
  by: z.string().max(200).default('user'),
  /** Same id twice counts once. */ id: z.string().max(200).optional(),
});
export type MessagePayload = z.infer<typeof messagePayloadSchema>;

export const cancelPayloadSchema = z.strictObject({ reason: z.string().min(1).max(1_000), by: z.string().max(200).default('unknown') });
export type CancelPayload = z.infer<typeof cancelPayloadSchema>;

/** Limits and parameters that may change while a task runs. Ranges: policy/tuning.ts. */
export const TUNABLE = ['maxAttempts', 'maxTurns', 'passScore', 'temperature', 'maxTokens', 'modelTimeoutMs', 'evalInterval', 'maxTotalTokens', 'maxCostMicros'] as const;
export type Tunable = (typeof TUNABLE)[number];
export interface TunePayload {
  by: string;
  values: Partial<Record<Tunable, number>>;
}
export interface TuneChange {
  field: Tunable;
  from: number;
  to: number;
  by: string;
  at: number;
}

/** Makes an earlier attempt's output the current one of a running task. */
export const restorePayloadSchema = z.strictObject({
  /** From 1. */
  attempt: z.number().int().min(1),
  by: z.string().min(1).max(200),
  reason: z.string().max(1_000).default(''),
});
export type RestorePayload = z.infer<typeof restorePayloadSchema>;

/** A restore that was made. */
export interface RestoreChange {
  attempt: number;
  outputHash: string;
  by: string;
  reason: string;
  /** Unix ms, workflow time. */ at: number;
}
