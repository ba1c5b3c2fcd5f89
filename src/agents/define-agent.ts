import type { z } from 'zod';
import type { Kysely } from 'kysely';
import type { Limits, ModelParameters } from '../contracts/limits.ts';
import type { Perception } from '../contracts/perception.ts';
import type { Reason, Risk } from '../contracts/reasons.ts';
import type { ApprovalPolicy } from '../contracts/snapshot.ts';
import type { Evaluator } from '../evaluation/define-evaluator.ts';
import type { Tool } from '../tools/define-tool.ts';

/** What an agent understood of its input; the kinds of intent, entity and emotion are its own. */
export interface Understood { intent: string | null; entities: Record<string, string | number | boolean | null>; emotion: string | null }

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
  understand?: (input: Input) => Understood;
  /** What is needed and absent. @param answers what people have answered so far, oldest first */
  missing: (perception: Perception, input: Input, answers: string[]) => Missing[];
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
  parameters: Partial<ModelParameters>;
  approvals: Record<Risk, ApprovalPolicy>;
  perceive: Perceive<Input> | null;
  /** Plan before the first attempt, and again when a result breaks the plan. */
  plan: boolean;
  /** Let the writer review its own draft before it is evaluated. */
  review: boolean;
  /** The task as the first user message. */
  renderInput: (input: Input) => string;
  /** The output as the user reads it. */
  renderOutput: (output: Output) => string;
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
