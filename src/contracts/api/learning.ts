import { z } from 'zod';
import { GATE_DECISIONS, RULE_KINDS, RULE_STATUSES } from '../reasons.ts';
import { timeSchema } from './time.ts';

const text = (max: number) => z.string().trim().min(1).max(max);
const reason = text(1_000).meta({ description: 'Why, in a sentence; it is kept with the step' });

/** What a rule of another kind than `sentence` holds beside its line. */
export const rulePayloadSchema = z
  .union([
    z.strictObject({ situation: text(2_000), wrong: text(8_000), right: text(8_000) }),
    z.strictObject({ instructions: text(40_000), base: text(200) }),
    z.strictObject({ tool: text(200), description: text(4_000) }),
    z.null(),
  ])
  .meta({ description: 'example: situation, wrong, right; instructions: text, and the hash of those they replace; tool_description: tool and text; sentence: null' });

export const ruleSourceSchema = z
  .strictObject({
    taskId: text(200),
    attempt: z.number().int().min(1).max(10_000),
    quote: text(4_000).meta({ description: 'Stands word for word in what was asked, answered, returned or found in that attempt' }),
  })
  .meta({ id: 'RuleSource' });

/** One version of something learned that goes into prompts. */
export const ruleViewSchema = z
  .object({
    ruleId: z.string(),
    version: z.number().int(),
    agent: z.string(),
    kind: z.enum(RULE_KINDS),
    content: z.string(),
    payload: rulePayloadSchema,
    status: z.enum(RULE_STATUSES),
    /** Only tasks whose situation has one of these; empty: every task of the agent. */
    scopeTerms: z.array(z.string()),
    /** Of the tasks in its scope that have it, 0..1. */
    share: z.number(),
    /** Of tasks without harm, until a canary is live. */
    pairs: z.number().int(),
    /** It went live without the gate. */
    forced: z.boolean(),
    signature: z.string().nullable(),
    expectedEffect: z.string().nullable(),
    createdBy: z.string(),
    reviewedBy: z.string().nullable(),
    /** That it passed. */
    experimentId: z.string().nullable(),
    at: timeSchema,
    /** Where it comes from: verbatim quotes of attempts. */
    sources: z.array(ruleSourceSchema),
  })
  .meta({ id: 'Rule' });
export type RuleView = z.infer<typeof ruleViewSchema>;
export const rulesQuerySchema = z.strictObject({ agent: z.string().max(200).optional(), status: ruleViewSchema.shape.status.optional() });
export const ruleListSchema = z.object({ items: z.array(ruleViewSchema) }).meta({ id: 'RuleList' });

/** A step on the way, by whom, why, and by which experiment. */
export const ruleStepSchema = z
  .object({
    version: z.number().int(),
    /** Null: it was proposed, or an edit made it. */
    from: z.enum(RULE_STATUSES).nullable(),
    to: z.enum(RULE_STATUSES),
    actor: z.string(),
    reason: z.string(),
    experimentId: z.string().nullable(),
    detail: z.record(z.string(), z.unknown()).nullable(),
    at: timeSchema,
  })
  .meta({ id: 'RuleStep' });
export const ruleExperimentSchema = z
  .object({
    experimentId: z.string(),
    version: z.number().int(),
    dataset: z.string(),
    /** Null: it runs. */
    decision: z.enum(GATE_DECISIONS).nullable(),
    why: z.string().nullable(),
    wins: z.number().int().nullable(),
    losses: z.number().int().nullable(),
    ties: z.number().int().nullable(),
    /** Mean over cases of candidate minus base. */
    delta: z.number().nullable(),
    p: z.number().nullable(),
    alpha: z.number().nullable(),
    startedAt: timeSchema,
    endedAt: timeSchema.nullable(),
  })
  .meta({ id: 'RuleExperiment' });
const sideSchema = z.object({ tasks: z.number().int(), passed: z.number().int() });
/** What live traffic says of a version: first attempts that passed with it and without it, by chance's own comparison. */
export const ruleWorthSchema = z
  .object({
    version: z.number().int(),
    with: sideSchema,
    without: sideSchema,
    /** Pairs in which only the task with it passed. */
    helped: z.number().int(),
    /** Pairs in which only the task without it passed. */
    harmed: z.number().int(),
    pairs: z.number().int(),
    /** Difference of the shares, -1..1; null while one side is empty. */
    effect: z.number().nullable(),
    /** 95% of the effect. */
    interval: z.object({ low: z.number(), high: z.number() }).nullable(),
  })
  .meta({ id: 'RuleWorth' });
export type RuleWorth = z.infer<typeof ruleWorthSchema>;
/** Knowledge that a version rests on, as it stands now. */
export const citedChunkSchema = z
  .object({
    version: z.number().int(),
    chunkId: z.string(),
    /** Null, and the two that follow: nothing like it is known. */
    document: z.string().nullable(),
    /** Of the document, that brought the chunk. */
    documentVersion: z.number().int().nullable(),
    heading: z.string().nullable(),
    /** From then on the rule goes no further; null: it holds. */
    expiredAt: timeSchema.nullable(),
  })
  .meta({ id: 'CitedChunk' });
export const ruleDetailSchema = z
  .object({
    ruleId: z.string(),
    /** Newest first. */
    versions: z.array(ruleViewSchema),
    /** Oldest first. */
    steps: z.array(ruleStepSchema),
    experiments: z.array(ruleExperimentSchema),
    /** Of the versions that are or were on live traffic. */
    worth: z.array(ruleWorthSchema),
    /** Knowledge that the versions rest on. */
    chunks: z.array(citedChunkSchema),
  })
  .meta({ id: 'RuleDetail' });
export type RuleDetail = z.infer<typeof ruleDetailSchema>;

export const ruleProposalBodySchema = z
  .strictObject({
    agent: text(200),
    kind: z.enum(RULE_KINDS).default('sentence'),
    content: text(500).meta({ description: 'The sentence; of the other kinds, one line on what changes' }),
    payload: rulePayloadSchema.default(null),
    sources: z.array(ruleSourceSchema).min(1).max(50),
    chunks: z.array(text(200)).max(50).default([]).meta({ description: 'Knowledge that it rests on' }),
    signature: text(500).nullable().default(null),
    expectedEffect: text(500).nullable().default(null),
    scopeTerms: z.array(text(100)).max(50).default([]),
  })
  .meta({ id: 'RuleProposal' });
export const ruleMoveBodySchema = z
  .strictObject({
    to: z.enum(RULE_STATUSES),
    reason,
    force: z.boolean().default(false).meta({ description: 'Live without the gate: an admin alone' }),
    experimentId: text(200).optional().meta({ description: 'To canary: the experiment that it passed' }),
    share: z.number().gt(0).max(0.9).optional().meta({ description: 'Of the tasks in its scope; default 0.2 for canary, 0.5 where forced' }),
    pairs: z.number().int().min(1).max(10_000).optional().meta({ description: 'Of tasks without harm, until a canary is live; default 60' }),
  })
  .meta({ id: 'RuleMove' });
export const ruleEditBodySchema = z
  .strictObject({
    content: text(500),
    payload: rulePayloadSchema.optional().meta({ description: 'Left out: as it was' }),
    reason,
  })
  .meta({ id: 'RuleEdit' });
