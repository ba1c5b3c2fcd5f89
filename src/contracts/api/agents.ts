import { z } from 'zod';
import { TUNABLE } from '../messages.ts';
import { RISKS } from '../reasons.ts';
import { approvalRuleSchema } from '../snapshot.ts';
import { conditionSchema, requirementSchema } from '../tool-call.ts';
import { EVALUATOR_KINDS } from '../verdict.ts';
import { timeSchema } from './time.ts';

const jsonSchema = z.record(z.string(), z.unknown());

export const agentSummarySchema = z
  .object({
    name: z.string(),
    version: z.string(),
    /** One sentence. */
    summary: z.string(),
    /** What success is. */
    success: z.array(z.string()),
    tools: z.number().int(),
    evaluators: z.number().int(),
    /** Whether it can be talked to (`POST /v1/sessions`). */
    chats: z.boolean(),
    /** Of the caller's tenant. */
    running: z.number().int(),
    tasks: z.number().int(),
  })
  .meta({ id: 'AgentSummary' });
export type AgentSummary = z.infer<typeof agentSummarySchema>;
export const agentListSchema = z.object({ items: z.array(agentSummarySchema) }).meta({ id: 'AgentList' });

/** A limit or parameter of an agent. */
export const agentSettingViewSchema = z
  .object({
    field: z.string(),
    /** That applies to the next task. */
    value: z.union([z.number(), z.boolean()]).nullable(),
    /** By the agent's definition. */
    defined: z.union([z.number(), z.boolean()]).nullable(),
    /** Changed with PATCH and by `tune`; null for those that only a release changes. */
    tuning: z.object({ min: z.number(), max: z.number(), integer: z.boolean(), unit: z.string(), raise: z.string(), lower: z.string() }).nullable(),
    /** Who stored a value, and when; null: the definition's applies. */
    stored: z.object({ by: z.string(), at: timeSchema }).nullable(),
  })
  .meta({ id: 'AgentSetting' });
export type AgentSettingView = z.infer<typeof agentSettingViewSchema>;

export const agentDetailSchema = agentSummarySchema
  .omit({ tools: true, evaluators: true })
  .extend({
    instructions: z.string(),
    /** JSON Schemas. */
    inputSchema: jsonSchema,
    outputSchema: jsonSchema,
    /** Inputs to try it with. */
    samples: z.array(z.object({ id: z.string(), input: z.unknown() })),
    tools: z.array(
      z.object({
        name: z.string(),
        version: z.string(),
        description: z.string(),
        risk: z.enum(RISKS),
        riskWhen: z.array(z.object({ when: conditionSchema, risk: z.enum(RISKS) })),
        timeoutMs: z.number(),
        requires: z.array(requirementSchema),
        idempotent: z.boolean(),
        inputSchema: jsonSchema,
      }),
    ),
    evaluators: z.array(z.object({ name: z.string(), kind: z.enum(EVALUATOR_KINDS), hard: z.boolean(), weight: z.number() })),
    settings: z.array(agentSettingViewSchema),
    approvals: z.record(z.enum(RISKS), approvalRuleSchema),
    /** Definitions that tasks have run with, newest first. */
    versions: z.array(z.object({ hash: z.string(), version: z.string(), firstSeenAt: timeSchema, tasks: z.number().int(), current: z.boolean() })),
    /** Changes of stored settings, newest first. */
    changes: z.array(z.object({ field: z.enum(TUNABLE), from: z.number().nullable(), to: z.number(), by: z.string(), at: timeSchema })),
  })
  .meta({ id: 'AgentDetail' });
export type AgentDetail = z.infer<typeof agentDetailSchema>;

export const settingsBodySchema = z.strictObject({ values: z.partialRecord(z.enum(TUNABLE), z.number()) }).meta({ id: 'SettingsBody' });
export const settingsResultSchema = z
  .object({ changes: z.array(z.object({ field: z.enum(TUNABLE), from: z.number().nullable(), to: z.number() })), settings: z.array(agentSettingViewSchema) })
  .meta({ id: 'SettingsResult' });
export type SettingsResult = z.infer<typeof settingsResultSchema>;
