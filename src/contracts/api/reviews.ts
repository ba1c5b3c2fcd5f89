import { z } from 'zod';
import { timeSchema } from './time.ts';

/** An output that waits for a person's own judgement; what the evaluators said is kept from whoever judges it. */
export const reviewSchema = z
  .object({
    sampleId: z.string(),
    agent: z.string(),
    /** The task's input, JSON text. */
    input: z.string().nullable(),
    /** The output, JSON text. */
    output: z.string().nullable(),
    sampledAt: timeSchema,
    /** Null: nobody has reviewed it. */
    review: z.object({ passed: z.boolean(), score: z.number(), comment: z.string().nullable(), by: z.string(), at: timeSchema }).nullable(),
  })
  .meta({ id: 'Review' });
export type ReviewView = z.infer<typeof reviewSchema>;
export const reviewListSchema = z.object({ items: z.array(reviewSchema.omit({ input: true, output: true })) }).meta({ id: 'ReviewList' });
export const reviewsQuerySchema = z.strictObject({
  agent: z.string().max(200).optional(),
  status: z.enum(['pending', 'all']).default('pending'),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
export const reviewBodySchema = z
  .strictObject({
    /** Whether you would let it pass. */
    passed: z.boolean(),
    /** 0 (useless) to 100 (nothing to improve). */
    score: z.number().min(0).max(100),
    comment: z.string().max(8_000).nullable().default(null),
  })
  .meta({ id: 'ReviewBody' });

/** What an evaluator was last measured at. */
export const evaluatorHealthSchema = z
  .object({
    agent: z.string(),
    evaluator: z.string(),
    status: z.enum(['active', 'quarantined']),
    /** Cohen's κ with people. */
    kappa: z.number().nullable(),
    ratings: z.number().int(),
    /** Mean distance of its score from people's, points. */
    deviation: z.number().nullable(),
    /** Of its score when asked again, points². */
    variance: z.number().nullable(),
    repeats: z.number().int(),
    /** Spearman's ρ of its scores with business outcomes. */
    correlation: z.number().nullable(),
    correlationTasks: z.number().int(),
    reason: z.string(),
    at: timeSchema,
  })
  .meta({ id: 'EvaluatorHealth' });
export type EvaluatorHealthView = z.infer<typeof evaluatorHealthSchema>;
export const evaluatorHealthListSchema = z.object({ items: z.array(evaluatorHealthSchema) }).meta({ id: 'EvaluatorHealthList' });
export const releaseBodySchema = z.strictObject({ reason: z.string().trim().min(1).max(2_000) }).meta({ id: 'ReleaseBody' });
export const evaluatorCheckBodySchema = z
  .strictObject({
    agent: z.string().min(1).max(200),
    /** Outputs for people to review. */
    samples: z.number().int().min(0).max(200).default(20),
    /** Times that the judge is asked again about each of the newest. */
    repeats: z.number().int().min(0).max(10).default(3),
  })
  .meta({ id: 'EvaluatorCheckBody' });
export const evaluatorCheckStartedSchema = z.object({ checkId: z.string() }).meta({ id: 'EvaluatorCheckStarted' });
