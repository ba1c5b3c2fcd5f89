import { z } from 'zod';
import { DEFAULT_TENANT } from './names.ts';

const ratioSchema = z.number().min(0).max(1_000);

/** Changes of evaluation by evaluator. */
export const evaluatorChangesSchema = z.record(
  z.string().min(1).max(200),
  z.strictObject({ weight: ratioSchema.optional(), hard: z.boolean().optional(), off: z.boolean().optional() }),
);

/** What `experiment` is started with. The workflow id is the experiment id. Without a rule and without changed evaluators it is an A/A experiment. */
export const experimentStartSchema = z.strictObject({
  /** Null: the rule's. */
  agent: z.string().min(1).max(200).nullable().default(null),
  tenant: z.string().min(1).max(200).default(DEFAULT_TENANT),
  startedBy: z.string().min(1).max(200).default('unknown'),
  /** Null: `<agent>-regression`. */
  dataset: z.string().min(1).max(200).nullable().default(null),
  /** The rule that is tried, its newest version unless said. */
  rule: z
    .strictObject({ ruleId: z.string().min(1).max(200), version: z.number().int().min(1).nullable().default(null) })
    .nullable()
    .default(null),
  /** Of the candidate; empty: as they are. */
  evaluators: evaluatorChangesSchema.default({}),
  /** Per arm and case. */
  repeats: z.number().int().min(1).max(20).default(3),
  /** At most this many of the dataset's cases, the critical ones first; null: all. */
  cases: z.number().int().min(1).max(1_000).nullable().default(null),
  /** What counts as a success of one run. */
  measure: z.enum(['first_attempt_passed', 'passed']).default('first_attempt_passed'),
  /** Tests the rule for itself at 0.10, outside its agent's series: once a rule, whatever its words became. */
  alone: z.boolean().default(false),
  /** Tasks at a time. */
  concurrency: z.number().int().min(1).max(50).default(4),
  /** Cases that must count; null: 20. Fewer only as the declared size of a dataset that is smaller. */
  minCases: z.number().int().min(5).max(1_000).nullable().default(null),
});
export type ExperimentStart = z.infer<typeof experimentStartSchema>;
export type ExperimentStartInput = z.input<typeof experimentStartSchema>;

/** A candidate that is judged by others than the base would pass for that alone. */
export const RULE_ALONE = 'Rule and evaluators are tried one after the other: a rule that other evaluators judge than what there is would be promoted for that alone.';
