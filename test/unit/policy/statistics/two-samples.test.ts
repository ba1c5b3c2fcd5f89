import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fisherExact, meanFell } from '../../../../src/policy/statistics/two-samples.ts';

describe("Fisher's exact test", () => {
  /** scipy.stats.fisher_exact(…, alternative='greater') of SciPy 1.17 */
  it.each([
    [3, 20, 18, 20, 1.678_975_901_542_038_3e-6],
    [3, 20, 20, 20, 1.284_762_130_145_889_9e-8],
    [10, 20, 12, 20, 0.375_593_153_727_829_7],
    [1, 9, 11, 14, 0.002_490_240_947_637_636],
    [0, 5, 5, 5, 0.003_968_253_968_253_969],
    [5, 5, 0, 5, 1],
    [17, 40, 36, 40, 5.699_144_753_611_08e-6],
  ])('%i of %i, then %i of %i', (first, of, second, ofSecond, p) => {
    expect(fisherExact({ successes: first, of }, { successes: second, of: ofSecond }) / p).toBeCloseTo(1, 9);
  });

  it('is a probability, and falls with each success of the second group', () => {
    const group = fc.integer({ min: 1, max: 60 }).chain((of) => fc.record({ successes: fc.integer({ min: 0, max: of - 1 }), of: fc.constant(of) }));
    fc.assert(
      fc.property(group, group, (before, after) => {
        const p = fisherExact(before, after);
        expect(p).toBeGreaterThan(0);
        expect(p).toBeLessThanOrEqual(1);
        expect(fisherExact(before, { ...after, successes: after.successes + 1 })).toBeLessThanOrEqual(p + 1e-12);
      }),
    );
  });

  it('refuses what is no proportion', () => {
    for (const successes of [-1, 4, 1.5]) expect(() => fisherExact({ successes, of: 3 }, { successes: 1, of: 3 })).toThrow(RangeError);
  });
});

describe('the permutation test of two means', () => {
  const before = [1, 1, 1, 1, 0, 1, 2, 1, 1, 0];
  const after = [0, 0, 1, 0, 0, 0, 1, 0, 0, 0];

  it('agrees with the exact distribution', () => {
    // scipy.stats.permutation_test, all permutations, alternative='less': 0.0093149884171556
    expect(Math.abs(meanFell(before, after) - 0.009_314_99)).toBeLessThan(0.003);
    expect(meanFell(after, before)).toBeGreaterThan(0.95);
  });

  it('is the same for the same seed, never zero, and says nothing of an empty group', () => {
    expect(meanFell(before, after, 7)).toBe(meanFell(before, after, 7));
    expect(
      meanFell(
        Array.from({ length: 30 }, () => 5),
        Array.from({ length: 30 }, () => 0),
      ),
    ).toBeGreaterThan(0);
    expect(meanFell([], after)).toBe(1);
  });
});
