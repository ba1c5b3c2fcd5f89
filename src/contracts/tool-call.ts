import { z } from 'zod';
import { CALL_PROBLEM_CODES, FAILURE_STAGES, RISKS, TOOL_CALL_STATUSES } from './reasons.ts';

export const scalarSchema = z.union([z.string(), z.number(), z.boolean(), z.null()]);
export type Scalar = z.infer<typeof scalarSchema>;

/** Fields by dotted path ("order.status"), cut to what the snapshot's predicates name. */
export type Fields = Record<string, Scalar>;

/**
 * A test of one field. With `argument` the field is compared with that argument of the call being guarded;
 * else with `value` (a list for `in` and `not_in`).
 */
export const conditionSchema = z.strictObject({
  field: z.string(),
  op: z.enum(['equals', 'not_equals', 'in', 'not_in', 'at_least', 'at_most', 'above', 'below', 'exists']),
  value: z.union([scalarSchema, z.array(scalarSchema)]).optional(),
  argument: z.string().optional(),
});
export type Condition = z.infer<typeof conditionSchema>;

/** Before a tool runs, `tool` must have succeeded in this task, and its latest result for the same arguments must fit `where`. */
export const requirementSchema = z.strictObject({
  tool: z.string(),
  where: z.array(conditionSchema).default([]),
  /** Said to the model and the operator when it does not hold. */
  because: z.string(),
});
export type Requirement = z.infer<typeof requirementSchema>;

export const callProblemSchema = z.object({ code: z.enum(CALL_PROBLEM_CODES), message: z.string() });
export type CallProblem = z.infer<typeof callProblemSchema>;

/** A tool call as the model asked for it, after its arguments were parsed, coerced and hashed. Small: the arguments are in the store. */
export const requestedCallSchema = z.object({
  /** Unique in the task: `a1.t2.c1` (attempt, turn, position). */
  callId: z.string(),
  providerCallId: z.string(),
  tool: z.string(),
  /** sha256 of the canonical JSON of the coerced arguments; also its key in the blob store. Null when they could not be read. */
  argumentsHash: z.string().nullable(),
  /** After the tool's risk predicates over the arguments. */
  risk: z.enum(RISKS),
  /** 0..1 as the model stated it; null when it did not. */
  confidence: z.number().min(0).max(1).nullable(),
  reason: z.string(),
  /** The argument fields that requirements compare. */
  fields: z.record(z.string(), scalarSchema),
  /** The first arguments, for people: "A001". At most 60 characters. */
  subject: z.string(),
  /** How arguments that were no valid JSON were read, as canonical JSON, cut. Only a read runs on such a guess. Absent for valid ones. */
  repaired: z.string().optional(),
  problem: callProblemSchema.nullable(),
});
export type RequestedCall = z.infer<typeof requestedCallSchema>;

/** What the workflow learns of a tool call; the result itself is in the store. */
export const toolCallResultSchema = z.object({
  callId: z.string(),
  tool: z.string(),
  status: z.enum(TOOL_CALL_STATUSES),
  fields: z.record(z.string(), scalarSchema),
  code: z.enum(CALL_PROBLEM_CODES).nullable(),
  reason: z.string().nullable(),
  retryable: z.boolean(),
  stage: z.enum(FAILURE_STAGES).nullable(),
  /** sha256 of the result's text, or null. Used to see whether a repeated call brought something new. */
  resultHash: z.string().nullable(),
});
export type ToolCallResult = z.infer<typeof toolCallResultSchema>;
