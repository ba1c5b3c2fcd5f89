import { z } from 'zod';
import { approvalSchema, decisionRecordSchema } from '../approval.ts';
import { DECISIONS, RISKS, TOOL_CALL_STATUSES, REFUSAL_CODES } from '../reasons.ts';
import { verdictSchema } from '../verdict.ts';
import { orNull } from './or-null.ts';
import { cutTextSchema, pageOf, pageQuerySchema } from './page.ts';
import { timeSchema } from './time.ts';

export const decisionViewSchema = decisionRecordSchema
  .extend({
    at: timeSchema,
    token: z.object({ keyId: z.string(), tokenId: z.string(), expiresAt: timeSchema, signature: z.string() }).nullable(),
  })
  .meta({ id: 'Decision' });
export type DecisionView = z.infer<typeof decisionViewSchema>;

/** An approval's own fields, with times as texts: as it stands in a task's state. */
export const approvalFieldsSchema = approvalSchema
  .extend({
    createdAt: timeSchema,
    expiresAt: timeSchema,
    remindAt: timeSchema.nullable(),
    escalation: z.object({ at: timeSchema, roles: z.array(z.string()) }).nullable(),
    decision: orNull(decisionViewSchema),
    votes: z.array(decisionViewSchema),
  })
  .meta({ id: 'ApprovalFields' });
export type ApprovalFields = z.infer<typeof approvalFieldsSchema>;

/** What an approver goes by. */
export const evidenceSchema = z
  .object({
    /** What the model gave as its reason for asking this. */
    decisionReason: z.string().nullable(),
    /** 0..1 as the model stated it; null when it did not. */
    confidence: z.number().nullable(),
    /** Earlier calls of this attempt and their results, oldest first. */
    toolCalls: z.array(
      z.object({ callId: z.string(), tool: z.string(), arguments: orNull(cutTextSchema), status: z.enum(['started', ...TOOL_CALL_STATUSES]), result: orNull(cutTextSchema) }),
    ),
    /** Of the output in question, or of the latest attempt that was evaluated. */
    verdicts: z.array(verdictSchema),
  })
  .meta({ id: 'Evidence' });
export type Evidence = z.infer<typeof evidenceSchema>;

export const approvalViewSchema = approvalFieldsSchema
  .extend({
    taskId: z.string(),
    agent: z.string(),
    startedBy: z.string(),
    /** `zh` or `en`, of the task's input. */
    language: z.string().nullable(),
    /** Exactly what is approved, as canonical JSON text; only its beginning when `payloadCut`. */
    payload: z.string(),
    payloadCut: z.boolean(),
    evidence: evidenceSchema,
    /** JSON Schema of a tool call's arguments (`edit`), or of the output; null: free text or nothing to edit. */
    argumentsSchema: z.record(z.string(), z.unknown()).nullable(),
    /** Decisions that fit this kind of approval, whoever takes them. */
    allowed: z.array(z.enum(DECISIONS)),
    /** Further approvals that it needs: 1 or 2 while pending, else 0. */
    needs: z.number().int(),
    /** Whether the caller may decide it now. */
    canDecide: z.boolean(),
    /** Why not, in a sentence; null when the caller may. */
    whyNot: z.string().nullable(),
    /** The same as a code, for other languages. */
    whyNotCode: z.enum(REFUSAL_CODES).nullable(),
  })
  .meta({ id: 'Approval' });
export type ApprovalView = z.infer<typeof approvalViewSchema>;

export const approvalsQuerySchema = pageQuerySchema.extend({
  status: z.enum(['pending', 'decided', 'all']).default('pending'),
  taskId: z.string().max(200).optional(),
  agent: z.string().max(200).optional(),
  risk: z.enum(RISKS).optional(),
});
export type ApprovalsQuery = z.infer<typeof approvalsQuerySchema>;
export const approvalPageSchema = pageOf(approvalViewSchema, 'ApprovalPage');

export const approvalQuerySchema = z.strictObject({
  waitMs: z.coerce
    .number()
    .int()
    .min(0)
    .max(60_000)
    .default(0)
    .meta({ description: 'Answers when it is no longer pending, or after so many ms with what it is then. Waiting decides nothing' }),
});

export const decideBodySchema = z
  .strictObject({
    decision: z.enum(DECISIONS),
    /** That of the approval as it was seen; left out for questions only. */
    hash: z.string().max(200).nullish(),
    reason: z.string().max(4_000).nullish(),
    /** `edit`: the whole new arguments or output. `respond`: the answer. */
    value: z.unknown().optional(),
  })
  .meta({ id: 'DecideBody' });
export type DecideBody = z.infer<typeof decideBodySchema>;

export const decideResultSchema = z
  .object({
    approvalId: z.string(),
    status: approvalSchema.shape.status,
    decision: decisionViewSchema,
    /** How many more people must approve; 0 when it is decided. */
    needs: z.number().int(),
    /** True: the same person had decided the same before; nothing happened twice. */
    repeated: z.boolean(),
  })
  .meta({ id: 'DecideResult' });
export type DecideResultView = z.infer<typeof decideResultSchema>;

export const batchDecideBodySchema = z
  .strictObject({
    items: z
      .array(
        z.strictObject({
          taskId: z.string().min(1).max(200),
          approvalId: z.string().min(1).max(200),
          decision: z.enum(['approve', 'reject']),
          hash: z.string().max(200),
          reason: z.string().max(4_000).nullish(),
        }),
      )
      .min(1)
      .max(50),
  })
  .meta({ id: 'BatchDecideBody' });
export type BatchDecideBody = z.infer<typeof batchDecideBodySchema>;

/** One answer an item, in the same order; each stands for itself. */
export const batchDecideResultSchema = z
  .object({
    items: z.array(
      z.object({
        taskId: z.string(),
        approvalId: z.string(),
        /** As if it had been sent alone: 200, 403, 404, 409, 410 … */
        status: z.number().int(),
        result: orNull(decideResultSchema),
        problem: z.object({ code: z.string(), detail: z.string() }).nullable(),
      }),
    ),
  })
  .meta({ id: 'BatchDecideResult' });
export type BatchDecideResult = z.infer<typeof batchDecideResultSchema>;
