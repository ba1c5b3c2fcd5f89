import { z } from 'zod';
import { experimentStartSchema } from '../experiment.ts';
import { GATE_DECISIONS } from '../reasons.ts';
import { orNull } from './or-null.ts';
import { timeSchema } from './time.ts';

const ruleRefSchema = z.object({ ruleId: z.string(), version: z.number().int() });
const variantSchema = z.object({
  rules: z.array(ruleRefSchema),
  evaluators: z.record(z.string(), z.object({ weight: z.number().optional(), hard: z.boolean().optional(), off: z.boolean().optional() })),
});
const armFiguresSchema = z.object({
  runs: z.number().int(),
  passRate: z.number().nullable(),
  firstAttemptPassRate: z.number().nullable(),
  meanScore: z.number().nullable(),
  meanCorrections: z.number().nullable(),
  meanCostMicros: z.number().nullable(),
  meanDurationMs: z.number().nullable(),
});

/** One comparison of two variants over a dataset. */
export const experimentViewSchema = z
  .object({
    experimentId: z.string(),
    agent: z.string(),
    dataset: z.string(),
    /** Rule that is tried; null: evaluators, or nothing (A/A). */
    rule: ruleRefSchema.nullable(),
    startedBy: z.string(),
    startedAt: timeSchema,
    /** Null: it runs. */
    endedAt: orNull(timeSchema),
    /** Null: it runs, or was given up. */
    decision: z.enum(GATE_DECISIONS).nullable(),
    why: z.string().nullable(),
    cases: z.number().int(),
    repeats: z.number().int(),
    wins: z.number().int().nullable(),
    losses: z.number().int().nullable(),
    ties: z.number().int().nullable(),
    excluded: z.number().int().nullable(),
    /** Mean over cases of candidate minus base, 0..1. */
    delta: z.number().nullable(),
    /** One-sided. */
    p: z.number().nullable(),
    /** Level that it is tested at. */
    alpha: z.number(),
  })
  .meta({ id: 'Experiment' });
export type ExperimentView = z.infer<typeof experimentViewSchema>;
export const experimentListSchema = z.object({ items: z.array(experimentViewSchema) }).meta({ id: 'ExperimentList' });
export const experimentsQuerySchema = z.strictObject({
  agent: z.string().max(200).optional(),
  ruleId: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});

/** With its plan, its runs and what came out of them. */
export const experimentDetailSchema = z
  .object({
    ...experimentViewSchema.shape,
    /** sha256 of the canonical plan, which was stored before anything ran. */
    planHash: z.string(),
    plan: z.object({
      datasetAsOf: timeSchema,
      measure: z.enum(['first_attempt_passed', 'passed']),
      test: z.enum(['sign_flip', 'mcnemar']),
      level: z.enum(['series', 'alone']),
      minCases: z.number().int(),
      criticalCaseIds: z.array(z.string()),
      base: variantSchema,
      candidate: variantSchema,
    }),
    result: z
      .object({
        interval: z.object({ low: z.number(), high: z.number() }).nullable(),
        compared: z.array(z.object({ caseId: z.string(), base: z.number(), candidate: z.number(), critical: z.boolean() })),
        criticalLosses: z.array(z.string()),
        excluded: z.array(z.object({ caseId: z.string(), reason: z.string() })),
        base: armFiguresSchema,
        candidate: armFiguresSchema,
      })
      .nullable(),
    runs: z.array(
      z.object({
        caseId: z.string(),
        repeat: z.number().int(),
        arm: z.enum(['base', 'candidate']),
        taskId: z.string(),
        value: z.number().nullable(),
        score: z.number().nullable(),
        corrections: z.number().int(),
        costMicros: z.number(),
        durationMs: z.number(),
        excluded: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'ExperimentDetail' });
export type ExperimentDetail = z.infer<typeof experimentDetailSchema>;
export const experimentParametersSchema = z.object({ experimentId: z.string().min(1).max(300) });

/** Who starts it, and whose data it is about, are the caller's. */
export const experimentBodySchema = experimentStartSchema.omit({ tenant: true, startedBy: true }).meta({ id: 'StartExperiment' });
export const experimentStartedSchema = z.object({ experimentId: z.string() }).meta({ id: 'ExperimentStarted' });
