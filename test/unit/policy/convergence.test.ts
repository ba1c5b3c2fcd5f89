import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { convergenceRound } from '../../../src/policy/convergence.ts';

const rounds = (...scores: (number | null)[]) => scores.map((score, index) => ({ attempt: index + 1, score }));

describe('convergenceRound', () => {
  it.each<[(number | null)[], number | null]>([
    [[40, 80, 100], 3],
    [[85], 1],
    [[60, 90, 85, 90], 2],
    [[40, 80, 50], null],
    [[40, 80, 50, 80], null],
    [[null, 70, null], 2],
    [[null], null],
    [[], null],
    [[Number.NaN, 50], 2],
  ])('%j → %j', (scores, round) => expect(convergenceRound(rounds(...scores))).toBe(round));

  it('is a round with the best score, and rising scores converge at the last', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 1 }), (scores) => {
        const round = convergenceRound(rounds(...scores));
        if (round !== null) expect(scores[round - 1]).toBe(Math.max(...scores));
        const rising = [...new Set(scores)].toSorted((a, b) => a - b);
        expect(convergenceRound(rounds(...rising))).toBe(rising.length);
      }),
    );
  });
});
