import { describe, expect, it } from 'vitest';
import { runSummary, summaryLines } from '../../../src/cli/run-summary.ts';
import { createPaint } from '../../../src/cli/text/safe.ts';
import type { Outcome } from '../../../src/contracts/outcome.ts';

const OUTCOME: Outcome = {
  taskId: 't1',
  agent: 'weekly-report',
  outcome: 'handed_off',
  reason: 'same_issue_twice',
  explanation: 'x',
  text: 'x',
  output: null,
  outputHash: null,
  bestAttempt: 1,
  score: 60,
  attempts: [
    { attempt: 1, score: 60, passed: false, turns: 1, issues: ['x'], correction: 'Change: write\u001b[31m the line.' },
    { attempt: 2, score: null, passed: false, turns: 1, issues: ['x'], correction: null },
  ],
  turns: 2,
  toolCalls: 0,
  calls: [],
  usage: { inputTokens: 1, outputTokens: 1, costMicros: 0, calls: 2, estimated: false },
  durationMs: 1,
  waitedMs: 0,
  askedPerson: false,
  oscillated: false,
  lessons: [],
};
const textOf = (outcome: Outcome) => summaryLines(createPaint(false), runSummary(outcome)).map(({ text }) => text);

describe('a run in short', () => {
  it('as JSON', () => {
    expect(runSummary(OUTCOME)).toEqual({
      taskId: 't1',
      agent: 'weekly-report',
      outcome: 'handed_off',
      reason: 'same_issue_twice',
      modelCalls: 2,
      passed: false,
      attempts: [
        { attempt: 1, score: 60, passed: false, correction: OUTCOME.attempts[0]!.correction },
        { attempt: 2, score: null, passed: false, correction: null },
      ],
    });
  });
  it('as text, in which nothing steers the terminal', () => {
    const [head, first, second] = textOf(OUTCOME);
    expect(head).toBe('t1 · ■ handed off (same_issue_twice) · 2 model calls · score 60 → –');
    expect(first).toMatch(/^ {2}attempt 1: 60 of 100, not passed {2}→ Change: write.* the line\.$/);
    expect(first).not.toContain('\u001b');
    expect(second).toBe('  attempt 2: not evaluated, not passed');
  });
  it('of a task that passed', () => {
    expect(textOf({ ...OUTCOME, outcome: 'passed', reason: 'quality_reached', attempts: [{ ...OUTCOME.attempts[1]!, attempt: 1, score: 100, passed: true }] })).toEqual([
      't1 · ✓ passed (quality_reached) · 2 model calls · score 100',
      '  attempt 1: 100 of 100, passed',
    ]);
  });
});
