import { z } from 'zod';
import { limitsSchema, parametersSchema } from './limits.ts';
import { TUNABLE } from './messages.ts';
import { ARMS, EXPOSURE_KINDS, RISKS } from './reasons.ts';
import { conditionSchema, requirementSchema } from './tool-call.ts';
import { EVALUATOR_KINDS } from './verdict.ts';

/** Who must approve a call of some risk: nobody, one person, two different ones who did not ask for it (four eyes). `never`: such calls are refused. */
export const approvalPolicySchema = z.enum(['auto', 'one', 'two', 'never']);
export type ApprovalPolicy = z.infer<typeof approvalPolicySchema>;

/** How calls of some risk are approved. */
export const approvalRuleSchema = z.strictObject({
  policy: approvalPolicySchema,
  /** Any of these roles or groups may decide. */
  roles: z.array(z.string().min(1)).min(1),
  /** How long an approval waits, ms; null: `limits.approvalTimeoutMs`. */
  waitMs: z.number().int().min(1).nullable(),
  /** When nobody answers. `approve` is refused for what is dangerous. */
  onTimeout: z.enum(['reject', 'approve', 'handoff']),
  /** A reminder goes out so long before it expires, ms; null: none. */
  remindBeforeMs: z.number().int().min(1).nullable(),
  /** After so long, ms, these roles may decide too, and are told; null: no escalation. */
  escalate: z.strictObject({ afterMs: z.number().int().min(1), roles: z.array(z.string().min(1)).min(1) }).nullable(),
});
export type ApprovalRule = z.infer<typeof approvalRuleSchema>;

/** A public key that decisions of this task may be signed with. */
export const decisionKeySchema = z.strictObject({
  keyId: z.string(),
  /** Ed25519, hex of 32 bytes. */
  publicKey: z.string(),
  /** The only approver that this key speaks for; null: a gateway's, which vouches for everybody it has authenticated. */
  subject: z.string().nullable(),
  /** The most that this key may claim; null: any role. */
  roles: z.array(z.string()).nullable(),
});
export type DecisionKey = z.infer<typeof decisionKeySchema>;

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

/** Something learned that the task has, or was kept from having, in its prompt. */
export const exposureSchema = z.strictObject({
  kind: z.enum(EXPOSURE_KINDS),
  id: z.string(),
  version: z.number().int(),
  arm: z.enum(ARMS),
});
export type Exposure = z.infer<typeof exposureSchema>;

/**
 * What a task needs of an agent, resolved once and recorded in history. Everything that the workflow decides by is here;
 * long texts (instructions, tool descriptions and schemas) are in the store under `definitionHash` and never change.
 */
export const snapshotSchema = z.strictObject({
  agent: z.string(),
  version: z.string(),
  channel: z.string(),
  tenant: z.string(),
  startedBy: z.string(),
  /** Subjects who alone may decide this task's approvals; null: whoever holds the role. */
  approvers: z.array(z.string()).nullable(),
  definitionHash: z.string(),
  instructionsVersion: z.string(),
  tools: z.array(snapshotToolSchema),
  evaluators: z.array(snapshotEvaluatorSchema),
  limits: limitsSchema,
  parameters: parametersSchema,
  tuning: tuningSchema.optional(),
  approvals: z.record(z.enum(RISKS), approvalRuleSchema),
  /** `unsigned`: development only; decisions on what is not dangerous count without a token. */
  decisions: z.strictObject({ keys: z.array(decisionKeySchema), unsigned: z.boolean() }),
  writer: modelRouteSchema,
  /** Null: no second model is configured, so rules and people decide. */
  judge: modelRouteSchema.nullable(),
  /** Rules, prompt and tool versions; written to `attempt_context` with each attempt. Absent: none. */
  exposure: z.array(exposureSchema).optional(),
  stages: z.strictObject({ perceive: z.boolean(), recall: z.boolean(), plan: z.boolean(), review: z.boolean(), reflect: z.boolean() }),
});
export type Snapshot = z.infer<typeof snapshotSchema>;
