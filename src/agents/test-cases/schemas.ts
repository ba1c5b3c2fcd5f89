import { z } from 'zod';

export const FORMATS = ['markdown', 'json', 'gherkin'] as const;
export type Format = (typeof FORMATS)[number];

export const testCasesInputSchema = z.strictObject({
  /** What is to be tested, as its author wrote it. */
  requirement: z.string().trim().min(1).max(40_000),
  /** What must be covered, one point each. Absent: the sentences of the requirement that state a rule. */
  coveragePoints: z.array(z.string().trim().min(1).max(400)).min(1).max(60).optional(),
  /** How the cases are written out. Default `markdown`, which holds the JSON too. */
  format: z.enum(FORMATS).default('markdown'),
  /** Score, 0..100, at which the cases pass; the task's limit. */
  passScore: z.number().min(0).max(100).optional(),
});
export type TestCasesInput = z.output<typeof testCasesInputSchema>;

const testCaseSchema = z.strictObject({
  id: z.string().min(1).max(20).describe('TC-001, TC-002, …: in order, without a gap.'),
  title: z.string().min(1).max(300).describe('What this case shows, in one line.'),
  preconditions: z.string().max(1_000).describe('What holds before the first step; empty when nothing has to.'),
  steps: z.array(z.string().min(1).max(600)).max(30).describe('What is done, one action each.'),
  data: z.string().max(8_000).describe('The input as one JSON value, such as {"value": "059"}. Real values, no description of them.'),
  expected: z.string().max(8_000).describe('The result for exactly this data, as one JSON value where there is one, else a sentence that can be checked.'),
  covers: z.array(z.string().min(1).max(400)).max(60).describe('The coverage points that this case covers, word for word.'),
});
export type TestCase = z.output<typeof testCaseSchema>;

export const testCasesOutputSchema = z.strictObject({
  /** The requirement in one line. */
  subject: z.string().min(1).max(300),
  format: z.enum(FORMATS),
  cases: z.array(testCaseSchema).min(1).max(100),
});
export type TestCasesOutput = z.output<typeof testCasesOutputSchema>;
