import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS, DEFAULT_PARAMETERS } from '../../../src/contracts/limits.ts';
import { OUTCOMES, REASONS } from '../../../src/contracts/reasons.ts';
import { closingOutcome, coolParameters, decideStop, isTerminal } from '../../../src/policy/stop.ts';
import type { StopInput } from '../../../src/policy/stop.ts';
import { usage } from './samples.ts';

const low = { passed: false, score: 50, hardFailed: false, judgeFailed: false };
const passed = { passed: true, score: 90, hardFailed: false, judgeFailed: false };

function stop(change: Partial<StopInput>) {
  return decideStop({
    limits: DEFAULT_LIMITS,
    attempt: 1,
    combined: low,
    used: usage(10),
    runMs: 0,
    repeatedIssue: null,
    oscillation: null,
    triedCooling: false,
    attemptProblem: null,
    ...change,
  });
}

describe('decideStop', () => {
  it('goes on while there are attempts', () => {
    expect(stop({})).toEqual({ action: 'continue' });
    expect(stop({ combined: null })).toEqual({ action: 'continue' });
  });

  const everything: Partial<StopInput> = {
    combined: passed,
    attemptProblem: { reason: 'refused', explanation: 'It refused.' },
    used: usage(DEFAULT_LIMITS.maxTotalTokens),
    repeatedIssue: 'Again.',
    oscillation: 'Round and round.',
    triedCooling: true,
    attempt: DEFAULT_LIMITS.maxAttempts,
  };
  it('looks in the order that it documents', () => {
    expect(stop(everything)).toMatchObject({ action: 'pass', reason: 'quality_reached' });
    expect(stop({ ...everything, combined: low })).toMatchObject({ action: 'stop', reason: 'refused' });
    expect(stop({ ...everything, combined: low, attemptProblem: null })).toMatchObject({ action: 'stop', reason: 'token_budget' });
    const within = { ...everything, combined: low, attemptProblem: null, used: usage(1) };
    expect(stop(within)).toMatchObject({ action: 'stop', reason: 'same_issue_twice', explanation: 'Again.' });
    expect(stop({ ...within, repeatedIssue: null })).toMatchObject({ action: 'stop', reason: 'oscillation' });
    expect(stop({ ...within, repeatedIssue: null, oscillation: null })).toMatchObject({ action: 'stop', reason: 'max_attempts' });
  });

  it('cools down once before it gives up on oscillation, if an attempt is left', () => {
    expect(stop({ oscillation: 'Round.' })).toMatchObject({ action: 'cool', explanation: expect.stringContaining('temperature') });
    expect(stop({ oscillation: 'Round.', triedCooling: true })).toMatchObject({ action: 'stop', reason: 'oscillation' });
    expect(stop({ oscillation: 'Round.', attempt: DEFAULT_LIMITS.maxAttempts })).toMatchObject({ action: 'stop', reason: 'oscillation' });
  });

  it('tries again after a cut answer, and keeps that as the reason when attempts run out', () => {
    const attemptProblem = { reason: 'truncated' as const, explanation: 'Cut at 2000 tokens.' };
    expect(stop({ combined: null, attemptProblem })).toEqual({ action: 'continue' });
    expect(stop({ combined: null, attemptProblem, attempt: DEFAULT_LIMITS.maxAttempts })).toEqual({ action: 'stop', ...attemptProblem });
  });

  it('ends at once for calls that go nowhere', () => {
    expect(stop({ combined: null, attemptProblem: { reason: 'no_progress', explanation: 'Again.' } })).toMatchObject({ action: 'stop', reason: 'no_progress' });
  });

  it('always stops at maxAttempts, whatever happens, and cools at most once', () => {
    const sentences = fc.oneof(fc.constant(null), fc.constant('A sentence.'));
    const rounds = fc.record({
      combined: fc.oneof(
        fc.constant(null),
        fc.record({ passed: fc.boolean(), score: fc.oneof(fc.constant(null), fc.integer({ min: 0, max: 100 })), hardFailed: fc.boolean(), judgeFailed: fc.boolean() }),
      ),
      tokens: fc.nat(300_000),
      cost: fc.nat(2_000_000),
      runMs: fc.nat(4_000_000),
      repeatedIssue: sentences,
      oscillation: sentences,
      attemptProblem: fc.oneof(
        fc.constant(null),
        fc.constantFrom(...REASONS).map((reason) => ({ reason, explanation: 'It happened.' })),
      ),
    });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), fc.array(rounds, { minLength: 50, maxLength: 50 }), (maxAttempts, all) => {
        let triedCooling = false;
        for (let attempt = 1; attempt <= 50; attempt += 1) {
          const { tokens, cost, ...round } = all[attempt - 1]!;
          const decision = stop({ ...round, used: usage(tokens, cost), attempt, triedCooling, limits: { ...DEFAULT_LIMITS, maxAttempts } });
          if (decision.action === 'pass' || decision.action === 'stop') {
            expect(decision.explanation).not.toBe('');
            expect(decision.action === 'pass').toBe(round.combined?.passed === true);
            return;
          }
          expect(attempt).toBeLessThan(maxAttempts);
          if (decision.action === 'cool') {
            expect(triedCooling).toBe(false);
            triedCooling = true;
          }
        }
        expect.unreachable('it did not stop');
      }),
    );
  });
});

it('coolParameters lowers the temperature and fixes the seed', () => {
  expect(coolParameters({ ...DEFAULT_PARAMETERS, temperature: 1.5 })).toEqual({ ...DEFAULT_PARAMETERS, temperature: 0.1, seed: 1 });
  expect(coolParameters({ ...DEFAULT_PARAMETERS, temperature: 0.1, seed: 7 })).toEqual({ ...DEFAULT_PARAMETERS, temperature: 0.05, seed: 7 });
  fc.assert(
    fc.property(fc.double({ min: 0, max: 2, noNaN: true }), (temperature) => {
      const cooled = coolParameters({ ...DEFAULT_PARAMETERS, temperature });
      expect(cooled.temperature).toBeLessThanOrEqual(Math.min(temperature, 0.1));
      expect(cooled.seed).not.toBeNull();
    }),
  );
});

describe('closingOutcome', () => {
  it.each([
    ['quality_reached', 'passed'],
    ['accepted_by_person', 'passed'],
    ['answered_by_person', 'passed'],
    ['rejected_by_person', 'rejected'],
    ['cancelled', 'cancelled'],
    ['refused', 'failed'],
    ['content_filter', 'failed'],
    ['model_unavailable', 'failed'],
    ['model_rejected', 'failed'],
    ['invalid_input', 'failed'],
    ['unknown_agent', 'failed'],
    ['unrecorded_call', 'failed'],
    ['internal_error', 'failed'],
    ['max_attempts', 'handed_off'],
    ['no_progress', 'handed_off'],
    ['question_unanswered', 'handed_off'],
    ['asked_for_person', 'handed_off'],
  ] as const)('%s ends as %s', (reason, outcome) => {
    expect(closingOutcome(reason, true, true)).toBe(outcome);
  });

  it('returns the best when there is one and nobody is to be asked', () => {
    expect(closingOutcome('max_attempts', true, false)).toBe('best_effort');
    expect(closingOutcome('max_attempts', false, false)).toBe('failed');
    expect(closingOutcome('indeterminate_side_effect', true, false)).toBe('handed_off');
  });

  it('knows an outcome and whether to go on for every reason', () => {
    for (const reason of REASONS) {
      expect(OUTCOMES).toContain(closingOutcome(reason, false, false));
      expect(typeof isTerminal(reason)).toBe('boolean');
      if (['failed', 'passed', 'rejected', 'cancelled'].includes(closingOutcome(reason, true, true))) expect(isTerminal(reason)).toBe(true);
    }
  });
});
