import { z } from 'zod';
import { reflectionSchema } from './experience.ts';

export const EVALUATOR_KINDS = ['rule', 'tool', 'model', 'human'] as const;
export type EvaluatorKind = (typeof EVALUATOR_KINDS)[number];

/** Machine readable, specific, actionable. */
export const issueSchema = z.object({
  type: z.string(),
  message: z.string(),
  evidence: z.string().optional(),
  fix: z.string().optional(),
  severity: z.enum(['low', 'medium', 'high']),
  /** What it is about ("A001", "key metrics"); part of the fingerprint. */
  subject: z.string().default(''),
  /** agent + evaluator + type + subject: equal for the same issue in two attempts. */
  fingerprint: z.string(),
});
export type Issue = z.infer<typeof issueSchema>;

export const verdictSchema = z.object({
  evaluator: z.string(),
  kind: z.enum(EVALUATOR_KINDS),
  hard: z.boolean(),
  weight: z.number().min(0),
  /** `skipped`: a hard rule had failed already. `judge_failed`: the judge, not the output, failed; it has no score. */
  status: z.enum(['judged', 'skipped', 'judge_failed']),
  passed: z.boolean(),
  /** 0..100; null unless judged. */
  score: z.number().min(0).max(100).nullable(),
  issues: z.array(issueSchema),
  /** Parts of the output that are right and must stay. */
  keep: z.array(z.string()).default([]),
  evidence: z.string(),
});
export type Verdict = z.infer<typeof verdictSchema>;

/** What a model's score rests on, beside what it judged. */
export interface JudgeTerms {
  model: string;
  /** sha256 of its instructions: rubric, scale, what it must know. */
  promptVersion: string;
  temperature: number;
}

/** What the next attempt is told. */
export const correctionSchema = z.object({
  change: z.array(z.object({ type: z.string(), message: z.string(), fix: z.string().optional(), evidence: z.string().optional() })),
  keep: z.array(z.string()),
  /** The best output so far (blob hash) and its score, or null. */
  best: z.object({ outputHash: z.string(), score: z.number() }).nullable(),
  /** Said when a strategy must change (oscillation). */
  strategy: z.string().nullable(),
  /** What the failed attempt taught, where the agent reflects. */
  reflection: reflectionSchema.nullable(),
});
export type Correction = z.infer<typeof correctionSchema>;
