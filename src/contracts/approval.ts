import { z } from 'zod';
import { APPROVAL_KINDS, DECISIONS, REFUSAL_CODES, RISKS } from './reasons.ts';

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
});
export type DecisionRecord = z.infer<typeof decisionRecordSchema>;

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
});
export type Decide = z.infer<typeof decideSchema>;

export const refusalSchema = z.object({
  /** Which message was refused. */
  message: z.enum(['decide', 'message', 'tune', 'cancel']),
  code: z.enum(REFUSAL_CODES),
  text: z.string(),
  at: z.number(),
});
export type Refusal = z.infer<typeof refusalSchema>;

/** The answer of the `decide` Update. */
export interface DecideResult {
  approvalId: string;
  status: Approval['status'];
  decision: DecisionRecord;
  /** True when the same decision had been taken before. */ repeated: boolean;
}
