import type { Json } from '../contracts/json.ts';
import type { Perception } from '../contracts/perception.ts';
import type { EvaluatorKind, Issue } from '../contracts/verdict.ts';

/** One tool call of this task, with what went in and came out, whole. */
export interface ObservedCall { callId: string; tool: string; status: string; arguments: Json; result: Json | null; code: string | null; reason: string | null }

export interface JudgeRequest { /** Instructions and rubric. */ system: string; /** The material, delimited and escaped by the caller. */ user: string; schemaName: string; schema: import('zod').ZodType; /** 1.. : a further try asks the model again. */ round: number }
export type JudgeReply = { ok: true; value: unknown; raw: string } | { ok: false; error: string; raw: string };

export interface EvaluationContext {
  taskId: string;
  agent: string;
  attempt: number;
  /** The task's input by the agent's schema. */
  input: unknown;
  /** The output by the agent's schema, and as the user will read it. */
  output: unknown;
  text: string;
  perception: Perception | null;
  calls: ObservedCall[];
  /** The output of the attempt before, or null. */
  previous: unknown;
  signal: AbortSignal;
  /** Asks the judge model; only for kind `model`. Paid for and stored under a key. */
  judge: (request: JudgeRequest) => Promise<JudgeReply>;
}

/** An issue before it gets its fingerprint. */
export type FoundIssue = Omit<Issue, 'fingerprint' | 'subject'> & { subject?: string };

export interface Judgement {
  passed: boolean;
  /** 0..100 */
  score: number;
  issues: FoundIssue[];
  keep?: string[];
  /** Never empty: what was looked at and found. */
  evidence: string;
}

export interface Evaluator {
  name: string;
  kind: EvaluatorKind;
  /** A failed hard evaluator fails the output whatever its score, and skips what is dearer. */
  hard: boolean;
  /** Share in the score, relative to the others. */
  weight: number;
  /** ms */
  timeoutMs: number;
  /** Throws {@link JudgeFailure} when the judge, not the output, failed. */
  evaluate: (context: EvaluationContext) => Promise<Judgement> | Judgement;
}

/** The judge gave no usable verdict: prose, NaN, off the scale, or a quote that is not in the output. Never a score of 0. */
export class JudgeFailure extends Error {
  override readonly name = 'JudgeFailure';
}
