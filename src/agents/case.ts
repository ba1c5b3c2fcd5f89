import { z } from 'zod';
import { limitsSchema, parametersSchema } from '../contracts/limits.ts';
import { OUTCOMES, REASONS } from '../contracts/reasons.ts';

/** One line of an agent's `cases.jsonl`: a sample task, how it should end, and what the people in it do. */
const agentCaseSchema = z.strictObject({
  /** Unique in the agent, kebab-case; part of the demo's task ids. */
  name: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
  /** One line for people: what this case shows. */
  title: z.string().min(1),
  /** Fits the agent's input schema. */
  input: z.unknown(),
  expected: z.strictObject({
    outcome: z.enum(OUTCOMES),
    reason: z.enum(REASONS),
    /** Fields of the output that must be so, where the outcome has one. */
    output: z.record(z.string(), z.unknown()).optional(),
    /** Texts that the user must read in the outcome. */
    textIncludes: z.array(z.string()).optional(),
    /** Attempts the scripted model needs. */
    attempts: z.int().min(1).optional(),
  }),
  /** In the order in which they are asked; a tool's approval that is named here is decided so. */
  approvals: z
    .array(
      z.strictObject({
        tool: z.string(),
        decision: z.enum(['approve', 'reject', 'edit']),
        reason: z.string().default(''),
        /** For `edit`: the new arguments. */
        value: z.unknown().optional(),
      }),
    )
    .default([]),
  /** Answers to the agent's questions, in order; one that has none here waits until it expires. */
  answers: z.array(z.string().min(1)).default([]),
  /** What the approver says of outputs that a human evaluator shows, in order. */
  reviews: z
    .array(
      z.strictObject({
        decision: z.enum(['approve', 'reject']),
        /** 0..100 */
        score: z.number().min(0).max(100).optional(),
        reason: z.string().default(''),
      }),
    )
    .default([]),
  /** Name of a case before this one in the file that must have ended first: this one builds on what it taught. */
  after: z.string().optional(),
  /** Other than the agent's own, for this task. */
  limits: limitsSchema.partial().default({}),
  parameters: parametersSchema.partial().default({}),
});
export type AgentCase = z.output<typeof agentCaseSchema>;

/** Reads a `cases.jsonl`. @throws Error that names the line. */
export function parseCases(text: string): AgentCase[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const parsed = agentCaseSchema.safeParse(readJson(line));
    if (!parsed.success) throw new Error(`cases, line ${index + 1}: ${z.prettifyError(parsed.error)}`);
    return [parsed.data];
  });
}

function readJson(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return line;
  }
}
