import { z } from 'zod';

/** What became of a task in the business, told later by whoever knows. */
export const businessOutcomeSchema = z.strictObject({
  /** Idempotency key: given again, nothing is recorded again. */
  outcomeId: z.string().min(1).max(200),
  /** What was looked at: `ticket_solved`, `report_accepted`, `case_found_bug`, or another lower-case word with `_` or `-`. */
  kind: z
    .string()
    .max(80)
    .regex(/^[a-z][a-z0-9]*([_-][a-z0-9]+)*$/, 'lower-case words with _ or - between, as ticket_solved'),
  /** 0 (bad) to 1 (good); of what is yes or no: 0 or 1. */
  value: z.number().min(0).max(1),
  /** When it was so, Unix ms; left out: now. */
  observedAt: z.number().int().min(0).optional(),
  /** System or process that it comes from. */
  source: z.string().min(1).max(200),
  by: z.string().min(1).max(200),
});
export type BusinessOutcomeInput = z.input<typeof businessOutcomeSchema>;
export type BusinessOutcome = z.output<typeof businessOutcomeSchema>;
