import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** Agents that the demo of learning shows. */
export const LEARNING_AGENTS = ['code-repair', 'support'] as const;
export type LearningAgent = (typeof LEARNING_AGENTS)[number];

const learningTaskSchema = z.strictObject({
  /** 1: before anything was learned. 2: afterwards; no task of run 1 is among them. */
  run: z.union([z.literal(1), z.literal(2)]),
  /** What the model gets wrong in tasks of this kind at first; `right`: nothing. For people who read the file: nothing reads it at run time. */
  kind: z.string(),
  /** Fits the agent's input schema. */
  input: z.record(z.string(), z.unknown()),
});
export type LearningTask = z.output<typeof learningTaskSchema>;

/** Tasks of one run, in the order of the file. */
export function learningTasks(agent: LearningAgent, run: 1 | 2): LearningTask[] {
  const text = readFileSync(new URL(`./tasks/${agent}.jsonl`, import.meta.url), 'utf8');
  const tasks = text.split('\n').flatMap((line) => (line === '' ? [] : [learningTaskSchema.parse(JSON.parse(line))]));
  return tasks.filter((task) => task.run === run);
}
