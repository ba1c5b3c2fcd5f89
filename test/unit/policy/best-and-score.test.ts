import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keepBest, replacesRestored, restoredBest } from '../../../src/policy/best.ts';
import type { Best } from '../../../src/policy/best.ts';
import { combineVerdicts } from '../../../src/policy/score.ts';
import { verdict } from './samples.ts';

describe('keepBest', () => {
  const best: Best = { attempt: 1, outputHash: 'a', score: 80, passed: false };

  it('takes one that passed, then the higher score, then the earlier', () => {
    expect(keepBest(null, best)).toBe(best);
    expect(keepBest(best, { ...best, attempt: 2, score: 10, passed: true })?.attempt).toBe(2);
    expect(keepBest(best, { ...best, attempt: 2, score: 81 })?.attempt).toBe(2);
    expect(keepBest(best, { ...best, attempt: 2 })?.attempt).toBe(1);
    expect(keepBest(best, { ...best, attempt: 2, score: Number.NaN })?.attempt).toBe(1);
  });

  it('never loses the best, whatever the order', () => {
    const attempts = fc.array(fc.record({ score: fc.oneof(fc.integer({ min: 0, max: 100 }), fc.constant(Number.NaN)), passed: fc.boolean() }), { minLength: 1 });
    fc.assert(
      fc.property(attempts, (all) => {
        const candidates = all.map((each, index): Best => ({ attempt: index + 1, outputHash: `h${index}`, ...each }));
        const kept = candidates.reduce<Best | null>(keepBest, null)!;
        const backwards = candidates.toReversed().reduce<Best | null>(keepBest, null)!;
        expect(backwards).toEqual(kept);
        for (const other of candidates) {
          if (other.passed !== kept.passed) expect(kept.passed).toBe(true);
          else if (!Number.isNaN(other.score)) expect(kept.score).toBeGreaterThanOrEqual(other.score);
        }
      }),
    );
  });
});

describe('an output that a person restored', () => {
  it('stays until a later attempt passes, or scores higher than every attempt before the restore', () => {
    const scores = fc.array(fc.option(fc.integer({ min: 0, max: 100 })), { minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(scores, fc.nat(9), fc.integer({ min: 0, max: 100 }), fc.boolean(), (before, chosen, score, passed) => {
        const attempt = (chosen % before.length) + 1;
        const restored = restoredBest({ attempt, outputHash: 'r', score: before[attempt - 1] ?? 0, passed: false }, before);
        const later: Best = { attempt: before.length + 1, outputHash: 'n', score, passed };
        expect(replacesRestored(restored, later)).toBe(passed || (before.every((each) => score > (each ?? -1)) && score > restored.score));
      }),
    );
  });
});

describe('combineVerdicts', () => {
  it('is the weighted mean of what was judged', () => {
    expect(combineVerdicts([verdict('rule', { weight: 60, score: 100 }), verdict('judge', { kind: 'model', weight: 40, score: 50 })], 80)).toEqual({
      passed: true,
      score: 80,
      hardFailed: false,
      judgeFailed: false,
    });
  });

  it('scores by the rules while a hard one fails, and does not pass', () => {
    const verdicts = [verdict('template', { hard: true, passed: false, score: 60 }), verdict('judge', { kind: 'model', status: 'skipped', passed: false, score: null })];
    expect(combineVerdicts(verdicts, 50)).toEqual({ passed: false, score: 60, hardFailed: true, judgeFailed: false });
  });

  it('does not count a failed judge as 0', () => {
    const judge = verdict('judge', { kind: 'model', status: 'judge_failed', passed: false, score: null });
    expect(combineVerdicts([verdict('rule', { score: 90 }), judge], 80)).toEqual({ passed: true, score: 90, hardFailed: false, judgeFailed: true });
    expect(combineVerdicts([verdict('rule', { score: 90 }), { ...judge, hard: true }], 80)).toEqual({ passed: false, score: 90, hardFailed: false, judgeFailed: true });
    expect(combineVerdicts([judge], 0)).toEqual({ passed: false, score: null, hardFailed: false, judgeFailed: true });
    expect(combineVerdicts([], 0)).toEqual({ passed: false, score: null, hardFailed: false, judgeFailed: false });
  });

  it('takes a score that is no number as a failed judge', () => {
    expect(combineVerdicts([verdict('judge', { score: Number.NaN }), verdict('rule', { score: 70 })], 60)).toEqual({
      passed: true,
      score: 70,
      hardFailed: false,
      judgeFailed: true,
    });
  });

  it('stays between the lowest and highest score, and never passes with a hard failure', () => {
    const verdicts = fc.array(
      fc
        .record({
          hard: fc.boolean(),
          passed: fc.boolean(),
          weight: fc.oneof(fc.constant(0), fc.double({ min: 0, noNaN: true, max: 1e9 })),
          score: fc.oneof(fc.double({ min: 0, max: 100, noNaN: true }), fc.constant(Number.NaN)),
          status: fc.constantFrom('judged' as const, 'skipped' as const, 'judge_failed' as const),
        })
        .map((change) => verdict('some', { ...change, score: change.status === 'judged' ? change.score : null })),
    );
    fc.assert(
      fc.property(verdicts, fc.integer({ min: 0, max: 100 }), (all, passScore) => {
        const combined = combineVerdicts(all, passScore);
        const scores = all.map((each) => each.score).filter((score): score is number => score !== null && !Number.isNaN(score));
        if (scores.length === 0) expect(combined.score).toBeNull();
        else {
          expect(combined.score).toBeGreaterThanOrEqual(Math.min(...scores) - 0.01);
          expect(combined.score).toBeLessThanOrEqual(Math.max(...scores) + 0.01);
        }
        if (combined.passed) {
          expect(combined.score).toBeGreaterThanOrEqual(passScore);
          expect(all.every((each) => !each.hard || (each.status === 'judged' && each.passed))).toBe(true);
        }
      }),
    );
  });
});
