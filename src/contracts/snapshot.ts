import { z } from 'zod';
import { limitsSchema, parametersSchema } from './limits.ts';
import { TUNABLE } from './messages.ts';
import { RISKS } from './reasons.ts';
import { conditionSchema, requirementSchema } from './tool-call.ts';
import { EVALUATOR_KINDS } from './verdict.ts';

/** Who must approve a call of some risk. `never`: such calls are refused. */
export const approvalPolicySchema = z.enum(['auto', 'one', 'never']);
export type ApprovalPolicy = z.infer<typeof approvalPolicySchema>;

export const snapshotToolSchema = z.strictObject({
  name: z.string(),
  version: z.string(),
  risk: z.enum(RISKS),
  /** Raise the risk of a call whose arguments fit (`field` is an argument path). */
  riskWhen: z.array(z.strictObject({ when: conditionSchema, risk: z.enum(RISKS) })),
  timeoutMs: z.number().int().min(1),
  requires: z.array(requirementSchema),
  idempotent: z.boolean(),
  /** May be called again with the same arguments (waiting for a change). */
  polling: z.boolean(),
});
export type SnapshotTool = z.infer<typeof snapshotToolSchema>;

export const snapshotEvaluatorSchema = z.strictObject({
  name: z.string(),
  kind: z.enum(EVALUATOR_KINDS),
  hard: z.boolean(),
  weight: z.number().min(0),
  timeoutMs: z.number().int().min(1),
});
export type SnapshotEvaluator = z.infer<typeof snapshotEvaluatorSchema>;

/** How far an agent lets its limits and parameters be set, both ends allowed; a field that is not named has the general range. */
export const tuningSchema = z.partialRecord(z.enum(TUNABLE), z.strictObject({ min: z.number(), max: z.number() }));
export type Tuning = z.infer<typeof tuningSchema>;

/** A model as a task uses it. Holds no secret: the key is found by the route's name inside the activity. */
export const modelRouteSchema = z.strictObject({
  route: z.string(),
  model: z.string(),
  /** micro-USD per million tokens */
  inputMicrosPerMillion: z.number().min(0),
  outputMicrosPerMillion: z.number().min(0),
  /** Tokens of input and output together. */
  contextWindow: z.number().int().min(1),
});
export type ModelRoute = z.infer<typeof modelRouteSchema>;

/**
 * What a task needs of an agent, resolved once and recorded in history. Everything that the workflow decides by is here;
 * long texts (instructions, tool descriptions and schemas) are in the store under `definitionHash` and never change.
 */
export const snapshotSchema = z.strictObject({
  agent: z.string(),
  version: z.string(),
  channel: z.string(),
  definitionHash: z.string(),
  instructionsVersion: z.string(),
  tools: z.array(snapshotToolSchema),
  evaluators: z.array(snapshotEvaluatorSchema),
  limits: limitsSchema,
  parameters: parametersSchema,
  tuning: tuningSchema.optional(),
  approvals: z.record(z.enum(RISKS), approvalPolicySchema),
  writer: modelRouteSchema,
  /** Null: no second model is configured, so rules and people decide. */
  judge: modelRouteSchema.nullable(),
  stages: z.strictObject({ perceive: z.boolean(), recall: z.boolean(), plan: z.boolean(), review: z.boolean(), reflect: z.boolean() }),
});
export type Snapshot = z.infer<typeof snapshotSchema>;
