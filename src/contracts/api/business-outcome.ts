import { z } from 'zod';
import { businessOutcomeSchema } from '../business-outcome.ts';
import { timeSchema } from './time.ts';

const { kind, value, source } = businessOutcomeSchema.shape;

/** What became of a task in the business. */
export const businessOutcomeBodySchema = z
  .strictObject({
    kind,
    value,
    /** System or process that it comes from; left out: whoever sends it. */
    source: source.optional(),
    /** When it was so; left out: now. */
    observedAt: z.iso.datetime({ offset: true }).optional(),
  })
  .meta({ id: 'BusinessOutcomeBody' });
export const businessOutcomeViewSchema = z
  .object({ outcomeId: z.string(), kind: z.string(), value: z.number(), observedAt: timeSchema, source: z.string(), by: z.string(), recordedAt: timeSchema })
  .meta({ id: 'BusinessOutcome' });
export type BusinessOutcomeView = z.infer<typeof businessOutcomeViewSchema>;
