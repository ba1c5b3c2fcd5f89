import { readFileSync } from 'node:fs';
import { defineAgent } from '../define-agent.ts';
import { codeRepairClosingText } from './closing-text.ts';
import { codeRepairEvaluators } from './evaluators.ts';
import { codeRepairLearn, codeRepairMemory, codeRepairReflect } from './learning.ts';
import { renderCodeRepairInput, renderCodeRepairOutput } from './render.ts';
import { codeRepairInputSchema, codeRepairOutputSchema, type CodeRepairInput, type CodeRepairOutput } from './schemas.ts';
import { codeRepairTools } from './tools.ts';

/**
 * Code that is right because it was run. Start: a task, with tests, an expected output or neither, and code to repair or none. State: the conversation, the best
 * code so far, what earlier tasks taught. Actions: write, or write again after a reflection. Feedback: one run in the sandbox an attempt, with the actual failing
 * output. Stops: right, 5 attempts, the same behaviour or the same code again, tokens, money, time; then a person.
 */
export const codeRepairAgent = defineAgent<CodeRepairInput, CodeRepairOutput>({
  name: 'code-repair',
  version: '1.0.0',
  goal: {
    summary: 'Write code from words, or repair given code, until a run in the sandbox shows that it is right.',
    success: [
      'Every test passes, or the program prints exactly what was expected: text trimmed, numbers within 1e-9, JSON by structure (evaluator runs_right: passes).',
      'It ends within its time (10 s at most) and within 256 MB, without network, environment, processes or host files.',
      'At most 5 attempts; reward 1 for the last one.',
    ],
  },
  input: codeRepairInputSchema,
  output: codeRepairOutputSchema,
  instructions: readFileSync(new URL('./instructions.md', import.meta.url), 'utf8'),
  tools: codeRepairTools,
  evaluators: codeRepairEvaluators,
  limits: { maxAttempts: 5, maxTurns: 3, passScore: 100, minConfidence: 0, attemptTimeoutMs: 120_000, escalationAfterFail: true },
  parameters: { temperature: 0.2, maxTokens: 6_000 },
  approvals: { read: 'auto', write: 'one', dangerous: 'never' },
  perceive: null,
  plan: false,
  review: false,
  reflect: codeRepairReflect,
  memory: codeRepairMemory,
  learn: codeRepairLearn,
  renderInput: renderCodeRepairInput,
  renderOutput: renderCodeRepairOutput,
  closingText: codeRepairClosingText,
  language: ({ task }) => (/\p{Script=Han}/u.test(task) ? 'zh' : 'en'),
  migrations: {},
});
