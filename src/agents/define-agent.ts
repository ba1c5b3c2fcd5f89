import type { z } from 'zod';
import type { Kysely } from 'kysely';
import type { Limits, ModelParameters } from '../contracts/limits.ts';
import type { Perception } from '../contracts/perception.ts';
import type { Reason, Risk } from '../contracts/reasons.ts';
import type { ApprovalPolicy } from '../contracts/snapshot.ts';
import type { Evaluator } from '../evaluation/define-evaluator.ts';
import type { Tool } from '../tools/define-tool.ts';

/** How an agent reads its input before it plans. */
export interface Perceive<Input> {
  instructions: string;
  /** What the model returns: `{intent, entities, emotion}` of the agent's own kinds. */
  schema: z.ZodType<{ intent: string | null; entities: Record<string, string | number | boolean | null>; emotion: string | null }>;
  /** What is needed and absent, with the question to ask in the user's language. */
  missing: (perception: Perception, input: Input) => { field: string; question: string }[];
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
