import { z } from 'zod';

export const LANGUAGES = ['python', 'javascript'] as const;
export type CodeLanguage = (typeof LANGUAGES)[number];
export const LANGUAGE_NAMES: Record<CodeLanguage, string> = { python: 'Python', javascript: 'JavaScript' };

const codeTestSchema = z.strictObject({
  /** Of one call. */
  args: z.array(z.json()).max(20),
  /** What it returns: structure and values are compared, numbers with a tolerance. */
  expected: z.json(),
});
export type CodeTest = z.output<typeof codeTestSchema>;

/** What the code is to do, and how to tell that it does. Without `tests` and `expectedOutput` nobody can say more than that it runs and prints. */
export const codeRepairInputSchema = z
  .strictObject({
    task: z.string().trim().min(1).max(8_000),
    language: z.enum(LANGUAGES),
    /** Calls of `entryPoint`; the code is a function then, else a program. */
    tests: z.array(codeTestSchema).min(1).max(200).optional(),
    /** The function that `tests` call; absent: the last one that the code defines. */
    entryPoint: z
      .string()
      .regex(/^[A-Za-z_][A-Za-z0-9_]{0,99}$/)
      .optional(),
    /** What the program prints: a text (trimmed), a number (with a tolerance) or JSON (its structure). */
    expectedOutput: z.json().optional(),
    /** Code to repair. */
    code: z.string().max(50_000).optional(),
    /** What the program reads from standard input, as JSON. */
    data: z.json().optional(),
    /** Wall time of one run, ms; the sandbox's own limit stays above it. */
    timeoutMs: z.int().min(100).max(10_000).optional(),
    /** `withheld`: the next attempt learns only that the one before was not right, and nothing is recalled: the control of an experiment. */
    feedback: z.enum(['full', 'withheld']).default('full'),
  })
  .refine(({ tests, expectedOutput }) => tests === undefined || expectedOutput === undefined, 'give tests or expectedOutput, not both');
export type CodeRepairInput = z.output<typeof codeRepairInputSchema>;

export const codeRepairOutputSchema = z.strictObject({
  language: z.enum(LANGUAGES).describe('The language that was asked for; the other one only after a run said that the first cannot run here.'),
  code: z.string().min(1).max(50_000).describe('The whole code, as it will be run.'),
  approach: z.string().min(1).max(400).describe('One sentence: what makes this code right, or what was changed and why.'),
  lessons: z.array(z.string().max(80)).max(3).describe('Ids of the recalled experiences that this code rests on; empty for none.'),
});
export type CodeRepairOutput = z.output<typeof codeRepairOutputSchema>;
