import { z } from 'zod';

/** What model calls used. `estimated`: a provider gave no usage, so the reserved amount was counted. */
export const usageSchema = z.object({
  inputTokens: z.number().int().min(0),
  outputTokens: z.number().int().min(0),
  /** micro-USD */
  costMicros: z.number().int().min(0),
  /** Model calls, failed ones that may have been paid included. */
  calls: z.number().int().min(0),
  estimated: z.boolean(),
});
export type Usage = z.infer<typeof usageSchema>;
