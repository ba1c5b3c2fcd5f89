import { z } from 'zod';
import { APPROVAL_KINDS, DECISIONS, MESSAGE_KINDS, REFUSAL_CODES, RISKS } from './reasons.ts';

/** Who may decide an approval. */
export const approversSchema = z.object({
  /** How many different people must approve; one rejection is enough. */
  quorum: z.union([z.literal(1), z.literal(2)]),
  /** Any of these roles (or group names) may decide; grows by escalation. */
  roles: z.array(z.string()).min(1),
  /** Only these subjects, who must hold a role too; null: everybody who holds one. */
  people: z.array(z.string()).nullable(),
  /** Whoever started the task may not approve. */
  excludeRequester: z.boolean(),
});
export type Approvers = z.infer<typeof approversSchema>;

/** A question to a person. */
export const approvalSchema = z.object({
  /** Unique in the task, and the same on every replay: `a1.t2.c1`, `question.1`, `output.1`, `handoff`. */
  id: z.string(),
  kind: z.enum(APPROVAL_KINDS),
  risk: z.enum(RISKS),
  /** One sentence: what is asked, and why. */
  summary: z.string(),
  /** Exactly what is approved, as canonical JSON text: for a tool call `{"tool":…,"arguments":…}`. Cut only for display; `hash` is over the whole. */
  payload: z.string(),
  /** sha256 of the arguments or of the payload: a decision must name it. Null for questions. */
  hash: z.string().nullable(),
  tool: z.string().nullable(),
  /** Unix ms */
  createdAt: z.number(),
  expiresAt: z.number(),
  /** What happens when nobody answers in time. */
  onTimeout: z.enum(['reject', 'approve', 'handoff', 'continue']),
  status: z.enum(['pending', 'approved', 'rejected', 'edited', 'responded', 'expired', 'withdrawn']),
  decision: z.lazy(() => decisionRecordSchema).nullable(),
  approvers: approversSchema,
  /** Approvals so far of one that needs two; the one that completes it is `decision`. */
  votes: z.array(z.lazy(() => decisionRecordSchema)),
  /** When a reminder goes out, Unix ms; null: none (any more). */
  remindAt: z.number().nullable(),
  /** When `roles` are added to those who may decide, Unix ms; null: none (any more). */
  escalation: z.object({ at: z.number(), roles: z.array(z.string()).min(1) }).nullable(),
});
export type Approval = z.infer<typeof approvalSchema>;

/** A person's answer to an approval. */
export const decisionRecordSchema = z.object({
  decision: z.enum(DECISIONS),
  by: z.string(),
  /** Unix ms, workflow time. */
  at: z.number(),
  reason: z.string(),
  via: z.enum(['update', 'signal', 'timeout']),
  /** `respond`: the answer. `edit`: canonical JSON text of the new arguments or output. Else null. */
  value: z.string().nullable(),
  /** Set when `value` is only the beginning of a long one: sha256 of the whole, which is a blob. */
  valueHash: z.string().optional(),
  /** Roles that the decider held, as signed; empty when nobody signed. */
  roles: z.array(z.string()),
  /** Null: not signed (development), or by timeout. */
  token: z.object({ keyId: z.string(), tokenId: z.string(), expiresAt: z.number(), signature: z.string() }).nullable(),
});
export type DecisionRecord = z.infer<typeof decisionRecordSchema>;

/** Proves who decided what. What is signed: `policy/decision-token.ts`. */
export const decisionTokenSchema = z.strictObject({
  keyId: z.string().min(1).max(200),
  /** Random; counts once. */
  tokenId: z.string().min(1).max(200),
  /** That the approver held, and the gateway vouches for. */
  roles: z.array(z.string().min(1).max(200)).max(50),
  /** Unix ms */
  expiresAt: z.number().int(),
  /** Ed25519, hex. */
  signature: z.string().regex(/^[0-9a-f]{128}$/),
});
export type DecisionToken = z.infer<typeof decisionTokenSchema>;

/** The payload of the `decide` Update and signal. */
export const decideSchema = z.strictObject({
  approvalId: z.string().min(1),
  decision: z.enum(DECISIONS),
  /** Must equal the approval's hash; may be left out for questions only. */
  hash: z.string().nullish(),
  by: z.string().min(1).max(200),
  reason: z.string().max(4_000).nullish(),
  /** `edit`: the new arguments (object). `respond`: the answer (string). */
  value: z.unknown().optional(),
  /** Needed wherever the snapshot does not allow unsigned decisions, and always for what is dangerous. */
  token: decisionTokenSchema.nullish(),
});
export type Decide = z.infer<typeof decideSchema>;

export const refusalSchema = z.object({
  /** Which message was refused. */
  message: z.enum(MESSAGE_KINDS),
  code: z.enum(REFUSAL_CODES),
  text: z.string(),
  at: z.number(),
  /** Who it says it is from; nobody has proven it. */
  by: z.string().optional(),
});
export type Refusal = z.infer<typeof refusalSchema>;

/** The answer of the `decide` Update. */
export interface DecideResult {
  approvalId: string;
  status: Approval['status'];
  decision: DecisionRecord;
  /** How many more people must approve; 0 when it is decided. */
  needs: number;
  /** True when the same decision had been taken before. */ repeated: boolean;
}
