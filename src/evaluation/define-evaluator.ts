import type { ZodType } from 'zod';
import type { Json } from '../contracts/json.ts';
import type { Perception } from '../contracts/perception.ts';
import type { SandboxPort } from '../contracts/sandbox.ts';
import { EVALUATOR_KINDS, type Correction, type EvaluatorKind, type Issue } from '../contracts/verdict.ts';

/** One tool call of this task, with what went in and came out, whole. */
export interface ObservedCall {
  callId: string;
  tool: string;
  status: string;
  arguments: Json;
  result: Json | null;
  code: string | null;
  reason: string | null;
}

export interface JudgeRequest {
  /** Instructions and rubric. */ system: string;
  /** The material, delimited and escaped by the caller. */ user: string;
  schemaName: string;
  schema: ZodType;
  /** 1.. : a further try asks the model again. */ round: number;
  /** Who asks; filled in by whoever runs the evaluator. */ evaluator?: string;
}
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
  /** What that attempt was told to change and to keep, or null. */
  correction: Correction | null;
  /** Runs code that nobody trusts; null where no safe sandbox is here. */
  sandbox: SandboxPort | null;
  /** Keeps what happened as an event of the task, in the log and as a row. */
  emit: (type: string, detail: Record<string, unknown>) => Promise<void>;
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
  /** Whether a task with this input is judged by it; absent: every task. Asked once, when the task starts. */
  when?: (input: unknown) => boolean;
  /** Throws {@link JudgeFailure} when the judge, not the output, failed. */
  evaluate: (context: EvaluationContext) => Promise<Judgement> | Judgement;
}

/** The judge gave no usable verdict: prose, NaN, off the scale, or a quote that is not in the output. Never a score of 0. */
export class JudgeFailure extends Error {
  override readonly name = 'JudgeFailure';
}

/** An evaluator's definition is wrong; thrown where it is defined. */
export class EvaluatorDefinitionError extends Error {
  override readonly name = 'EvaluatorDefinitionError';
  readonly evaluator: string;
  /** The field of the definition. */
  readonly field: string;
  constructor(evaluator: string, field: string, problem: string, fix: string) {
    super(`evaluator ${evaluator}: ${field}: ${problem}. ${fix}`);
    this.evaluator = evaluator;
    this.field = field;
  }
}

/** Time an evaluator of each kind may take, ms, unless it says otherwise. A person's wait is the agent's `approvalTimeoutMs`. */
const DEFAULT_EVALUATOR_TIMEOUT_MS: Record<EvaluatorKind, number> = { rule: 2_000, tool: 10_000, model: 60_000, human: 2_000 };

/** What the author of an evaluator writes; the rest is filled in by {@link defineEvaluator}. */
export interface EvaluatorDefinition<Input, Output> {
  /** `^[a-z][a-z0-9_]{0,63}$`, unique in the agent: part of every issue's fingerprint. */
  name: string;
  kind: EvaluatorKind;
  /** Default: true for rules, else false. */
  hard?: boolean;
  /** Default 1. */
  weight?: number;
  /** ms; default by kind: rule and human 2,000, tool 10,000, model 60,000. */
  timeoutMs?: number;
  /** For tasks with such an input only ("ask an approver: yes"). Asked once, when the task starts. */
  when?: (input: Input) => boolean;
  /** Left out for kind `human`: the workflow asks a person with an approval of kind `output`. */
  evaluate?: (context: EvaluationContext & { input: Input; output: Output }) => Promise<Judgement> | Judgement;
}

/**
 * Checks an evaluator's definition and fills in its defaults. Type the context by the agent's schemas:
 * `defineEvaluator<SupportInput, SupportOutput>({...})`.
 * @throws {EvaluatorDefinitionError} naming the field and the fix.
 */
export function defineEvaluator<Input = unknown, Output = unknown>(definition: EvaluatorDefinition<Input, Output>): Evaluator {
  const { name, kind } = definition;
  const refuse = (field: string, problem: string, fix: string): never => {
    throw new EvaluatorDefinitionError(String(name), field, problem, fix);
  };
  if (!/^[a-z][a-z0-9_]{0,63}$/.test(name)) refuse('name', 'is not an evaluator name', 'Use a lower-case letter, then at most 63 of a-z, 0-9 and _.');
  if (!EVALUATOR_KINDS.includes(kind)) refuse('kind', `is ${String(kind)}`, `Use one of ${EVALUATOR_KINDS.join(', ')}.`);
  const hard = definition.hard ?? kind === 'rule';
  const weight = definition.weight ?? 1;
  if (!Number.isFinite(weight) || weight < 0) refuse('weight', 'is not a number of at least 0', 'Give its share in the score, such as 1.');
  if (weight === 0 && !hard) refuse('weight', 'is 0 for a soft evaluator, which then decides nothing', 'Give it a weight or make it hard.');
  const timeoutMs = definition.timeoutMs ?? DEFAULT_EVALUATOR_TIMEOUT_MS[kind];
  if (!Number.isInteger(timeoutMs) || timeoutMs < 1) refuse('timeoutMs', 'is not a positive whole number', 'Give a time in ms.');
  if (kind !== 'human' && typeof definition.evaluate !== 'function') refuse('evaluate', 'is missing', 'Give a function of the evaluation context.');
  const when = definition.when ? { when: definition.when as NonNullable<Evaluator['when']> } : {};
  return { name, kind, hard, weight, timeoutMs, ...when, evaluate: (definition.evaluate ?? askedElsewhere) as Evaluator['evaluate'] };
}

function askedElsewhere(): never {
  throw new JudgeFailure('a human evaluator is asked by the workflow, not run');
}
