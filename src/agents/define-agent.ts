import type { z } from 'zod';
import type { Kysely } from 'kysely';
import type { Limits, ModelParameters } from '../contracts/limits.ts';
import type { Perception } from '../contracts/perception.ts';
import type { Reason, Risk } from '../contracts/reasons.ts';
import type { ApprovalRule, ApprovalPolicy, Tuning } from '../contracts/snapshot.ts';
import type { Lesson, Reflection } from '../contracts/experience.ts';
import type { Evaluator, ObservedCall } from '../evaluation/define-evaluator.ts';
import type { Tool } from '../tools/define-tool.ts';

/** What an agent understood of its input; the kinds of intent, entity and emotion are its own. */
export interface Understood {
  intent: string | null;
  entities: Record<string, string | number | boolean | null>;
  emotion: string | null;
}

/** Something needed that the input lacks. */
export interface Missing {
  field: string;
  /** In the user's language. */
  question: string;
  /** When nobody answers: hand off (default), or go on without it. */
  onTimeout?: 'handoff' | 'continue';
}

/** How an agent reads its input before it plans. */
export interface Perceive<Input> {
  /** By a model: instructions and the schema of its answer. Null: `understand` reads the input by code, without a model. */
  model: { instructions: string; schema: z.ZodType<Understood> } | null;
  understand?: (
    input: Input,
    /** What people have answered so far, oldest first. */ answers: string[],
    /** What they said earlier in the chat session, oldest first. */ earlier: string[],
  ) => Understood;
  /** What is needed and absent. @param answers what people have answered so far, oldest first @param earlier what they said earlier in the chat session */
  missing: (perception: Perception, input: Input, answers: string[], earlier: string[]) => Missing[];
}

/** One attempt as an agent's memory and reflection see it. */
export interface AttemptFacts<Input = unknown, Output = unknown> {
  input: Input;
  attempt: number;
  /** Null when the attempt ended without a draft. */
  output: Output | null;
  passed: boolean;
  score: number | null;
  calls: ObservedCall[];
  issues: { type: string; message: string; evidence?: string }[];
  /** Why there is no draft. */
  problem: string | null;
}

/** What is known of an output when its task ends. */
export interface Ending {
  /** Of its attempt's verdicts: what each evaluator looked at and found. */
  verdicts: { evaluator: string; evidence: string }[];
  /** What was recalled and put before the model. */
  lessons: Lesson[];
}

/** How an agent learns from an attempt that failed, before the next one. */
export interface Reflect<Input, Output> {
  /** For the model; null: only `byRule` reflects. */
  instructions: string | null;
  /** What the model is shown of the attempt. */
  render: (facts: AttemptFacts<Input, Output>) => string;
  /** Without a model, or when its reflection is discarded. */
  byRule: (facts: AttemptFacts<Input, Output>) => Reflection | null;
}

/** What an agent keeps of its tasks, and finds again. */
export interface Memory<Input, Output> {
  /** What the task is like: what experiences are stored and searched under. */
  situation: (input: Input, perception: Perception | null) => string;
  /** The agent's reward for an attempt; null: none. */
  reward: (facts: AttemptFacts<Input, Output>) => number | null;
  /** One line on what solved it, kept as the fix of a success after failures. */
  fix: (facts: AttemptFacts<Input, Output>) => string | null;
}

/** An issue that learning looks at. */
export interface FoundFailure {
  evaluator: string;
  type: string;
  message: string;
  evidence: string | null;
  fix: string | null;
  subject: string | null;
}

/** What an agent's failures teach where no model reflects on them. */
export interface Learn {
  /** A general sentence that would have prevented the issue, true of any task; null: there is none. Absent hooks: the issue's `fix`, where several tasks have the same. */
  rule: (failure: FoundFailure) => string | null;
}

/** For whom a chat session speaks, whoever writes in it. */
export interface ChatPerson {
  /** Its owner, as authenticated. */
  subject: string;
  /** The owner works for the installation: asks about anybody's data, and answers for it. */
  isStaff: boolean;
}

export interface Agent<Input = unknown, Output = unknown> {
  name: string;
  version: string;
  /** One sentence, and what success is, measurably. */
  goal: { summary: string; success: string[] };
  input: z.ZodType<Input>;
  output: z.ZodType<Output>;
  /** The text of instructions.md. */
  instructions: string;
  tools: Tool<any, any>[];
  evaluators: Evaluator[];
  limits: Partial<Limits>;
  /** Limits that the input of a task asks for; over `limits`, under those that the task is started with. */
  limitsFor?: (input: Input) => Partial<Limits>;
  parameters: Partial<ModelParameters>;
  /** Narrower ranges than `TUNING_RANGES`: a start or a `tune` outside is refused. */
  tuning?: Tuning;
  /** Who approves calls of each risk: a policy alone, or with what differs from the usual (role `approver`, reject when nobody answers, no reminder, no escalation). */
  approvals: Record<Risk, ApprovalPolicy | (Pick<ApprovalRule, 'policy'> & Partial<ApprovalRule>)>;
  perceive: Perceive<Input> | null;
  /** Plan before the first attempt, and again when a result breaks the plan. */
  plan: boolean;
  /** Let the writer review its own draft before it is evaluated. */
  review: boolean;
  /** Reflect on a failed attempt before the next. */
  reflect?: Reflect<Input, Output> | null;
  /** Keep experiences and recall them. */
  memory?: Memory<Input, Output> | null;
  /** Show it chunks of documents that fit its tasks. */
  knowledge?: boolean;
  /** Turns issues into rules, for `learn`. */
  learn?: Learn | null;
  /** The task as the first user message. */
  renderInput: (input: Input) => string;
  /** The output as the user reads it. `ending`: at the end of a task, what is known of it besides. */
  renderOutput: (output: Output, ending?: Ending) => string;
  /** The input of a task that goes on with a chat: what the person wrote. Absent: the agent does not chat. */
  chat?: (text: string, who: ChatPerson) => Input;
  /** What a person can read of an output that the model has begun to write, as far as it goes; null: nothing yet. Absent: only outputs that are text are shown while they are written. */
  preview?: (partial: unknown) => string | null;
  /** Said to the user when the task did not pass. Language is `zh` or `en`. Never empty. */
  closingText: (reason: Reason, language: string) => string;
  language: (input: Input) => 'zh' | 'en';
  /** The agent's own tables and sample data: run once, under the migration lock, after the core's migrations. Names start with the agent's name. */
  migrations: Record<string, { up: (database: Kysely<any>) => Promise<void> }>;
}

/** Types an agent by its schemas; a definition is plain data and functions. */
export function defineAgent<Input, Output>(agent: Agent<Input, Output>): Agent<Input, Output> {
  return agent;
}

/** Any agent, for maps and loops. */
// oxlint-disable-next-line typescript/no-explicit-any -- a registry holds agents of every input and output type
export type AnyAgent = Agent<any, any>;
