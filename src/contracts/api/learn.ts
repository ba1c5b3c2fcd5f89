import { z } from 'zod';
import { PROPOSAL_TIERS } from '../reasons.ts';
import { orNull } from './or-null.ts';
import { timeSchema } from './time.ts';

const sourceSchema = z.object({ taskId: z.string(), attempt: z.number().int(), quote: z.string() });
const ruleRefSchema = z.object({ ruleId: z.string(), version: z.number().int() });

/** Failures of one kind. */
export const clusterViewSchema = z
  .object({
    clusterId: z.string(),
    agent: z.string(),
    /** evaluator|issue type|tool|error code */
    signature: z.string(),
    /** What its failures say. */
    label: z.string(),
    status: z.enum(['open', 'answered', 'closed']),
    firstSeen: timeSchema,
    lastSeen: timeSchema,
    /** In the window of the last run that saw it, like `tasks`. */
    issues: z.number().int(),
    tasks: z.number().int(),
  })
  .meta({ id: 'FailureCluster' });
export type ClusterView = z.infer<typeof clusterViewSchema>;
export const clusterListSchema = z.object({ items: z.array(clusterViewSchema) }).meta({ id: 'FailureClusterList' });
export const clustersQuerySchema = z.strictObject({ agent: z.string().max(200).optional(), status: clusterViewSchema.shape.status.optional() });

/** What a run found out about one cluster, and what it proposes. */
export const findingViewSchema = z
  .object({
    clusterId: z.string(),
    signature: z.string(),
    label: z.string(),
    issues: z.number().int(),
    tasks: z.number().int(),
    /** Of the agent's failed attempts in the window, 0..1. */
    share: z.number(),
    /** Tasks in the newer half of the window minus those in the older. */
    trend: z.number().int(),
    /** Word for word; none of a case that experiments use. */
    examples: z.array(sourceSchema),
    /** Null: nothing is proposed. `fine_tuning`: an export is recommended. */
    tier: z.enum(PROPOSAL_TIERS).nullable(),
    rule: orNull(ruleRefSchema),
    /** What was proposed and did not get to review. */
    refusals: z.array(z.object({ tier: z.enum(PROPOSAL_TIERS), by: z.string(), content: z.string(), code: z.string(), reason: z.string() })),
    /** What was done, in a sentence; null: not yet. */
    why: z.string().nullable(),
  })
  .meta({ id: 'LearnFinding' });
export type FindingView = z.infer<typeof findingViewSchema>;

export const learnRunViewSchema = z
  .object({
    learnId: z.string(),
    agent: z.string(),
    startedBy: z.string(),
    since: timeSchema,
    startedAt: timeSchema,
    /** Null: it runs. */
    endedAt: timeSchema.nullable(),
    attempts: z.number().int(),
    failedAttempts: z.number().int(),
    clusters: z.number().int(),
    proposed: z.number().int(),
    refused: z.number().int(),
    inputTokens: z.number().int(),
    outputTokens: z.number().int(),
    costMicros: z.number().int(),
  })
  .meta({ id: 'LearnRun' });
export type LearnRunView = z.infer<typeof learnRunViewSchema>;
export const learnRunListSchema = z.object({ items: z.array(learnRunViewSchema) }).meta({ id: 'LearnRunList' });
export const learnRunsQuerySchema = z.strictObject({ agent: z.string().max(200).optional() });
export const learnRunDetailSchema = learnRunViewSchema.extend({ findings: z.array(findingViewSchema) }).meta({ id: 'LearnRunDetail' });
export type LearnRunDetail = z.infer<typeof learnRunDetailSchema>;
export const learnParametersSchema = z.object({ learnId: z.string().min(1).max(300) });

export const learnBodySchema = z
  .strictObject({
    agent: z.string().min(1).max(200),
    /** Failures of so many days back. */
    days: z.int().min(1).max(365).default(7),
  })
  .meta({ id: 'LearnBody' });
export const learnStartedSchema = z.object({ learnId: z.string() }).meta({ id: 'LearnStarted' });
