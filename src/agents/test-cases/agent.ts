import { readFileSync } from 'node:fs';
import { defineAgent } from '../define-agent.ts';
import { testCasesClosingText } from './closing-text.ts';
import { testCasesEvaluators } from './evaluators.ts';
import { languageOf } from './language.ts';
import { renderTestCasesInput, renderTestCasesOutput } from './render.ts';
import { testCasesInputSchema, testCasesOutputSchema, type TestCasesInput, type TestCasesOutput } from './schemas.ts';
import { testCasesTools } from './tools.ts';

/**
 * Test cases for a requirement. Start: a requirement and its coverage points. State: the conversation, the best set so far, the ids to keep. Actions: write, or
 * write again with the correction. Feedback: rules over the cases, the reference implementation's results where there is one, a judge point by point.
 * Stops: passed, 5 attempts, tokens, money, time, the same issue twice, oscillation; then the best set is returned.
 */
export const testCasesAgent = defineAgent<TestCasesInput, TestCasesOutput>({
  name: 'test-cases',
  version: '1.0.0',
  goal: {
    summary: 'Write numbered test cases that cover a requirement and its boundaries, with results that are right.',
    success: [
      'Every coverage point has a case whose own words show it (evaluator coverage: share of points, 100 of 200 to 250 points).',
      'Where the requirement has a reference implementation, it gives exactly the expected result for the data of every case (evaluator oracle_confirms: share of pairs, 50 points).',
      'Numbered without a gap, no two alike, kept cases byte for byte as they were (evaluator case_format: passes).',
      'Empty, maximum and wrong type, and where the requirement speaks of them negative numbers and permission, are in data (evaluator boundary_values: 30 points).',
      'The whole set scores at least 80 of 100, or the passScore of the input.',
    ],
  },
  input: testCasesInputSchema,
  output: testCasesOutputSchema,
  instructions: readFileSync(new URL('./instructions.md', import.meta.url), 'utf8'),
  tools: testCasesTools,
  evaluators: testCasesEvaluators,
  limits: { maxAttempts: 5, passScore: 80, modelTimeoutMs: 45_000, evalInterval: 1, maxTurns: 3, minConfidence: 0, escalationAfterFail: false },
  limitsFor: ({ passScore }) => (passScore === undefined ? {} : { passScore }),
  parameters: { temperature: 0.4, maxTokens: 8_000 },
  tuning: { temperature: { min: 0.2, max: 0.7 }, modelTimeoutMs: { min: 30_000, max: 60_000 } },
  approvals: { read: 'auto', write: 'one', dangerous: 'never' },
  perceive: null,
  plan: false,
  review: false,
  renderInput: renderTestCasesInput,
  renderOutput: renderTestCasesOutput,
  closingText: testCasesClosingText,
  language: ({ requirement }) => languageOf(requirement),
  migrations: {},
});
