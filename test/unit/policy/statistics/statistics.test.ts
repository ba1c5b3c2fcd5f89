/** Reference values are SciPy 1.17's; each formula's source stands beside it in the code. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cohenKappa, quarantineReason, ranks, spearman, variance } from '../../../../src/policy/statistics/agreement.ts';
import { betaCdf, betaQuantile, helpLowerBound, logGamma } from '../../../../src/policy/statistics/beta.ts';
import { canaryFraction, harmEvidence, isTreated, pairArms, shouldRollBack } from '../../../../src/policy/statistics/canary.ts';
import { lordLevel, saffronLevel, type TestedCandidate } from '../../../../src/policy/statistics/false-discovery.ts';
import { binomialTail, exactMcNemar, meanInterval, signFlipTest } from '../../../../src/policy/statistics/paired-tests.ts';
import { seededRandom } from '../../../../src/policy/statistics/random.ts';

describe('the Beta distribution', () => {
  it.each([
    [0.1, 2.252_712_651_734_206],
    [0.5, 0.572_364_942_924_7],
    [1, 0],
    [5.5, 3.957_813_967_618_716_5],
    [100, 359.134_205_369_575_4],
  ])('ln Γ(%d)', (x, expected) => expect(logGamma(x)).toBeCloseTo(expected, 10));

  it.each([
    [0.3, 2, 5, 0.579_825],
    [0.5, 31, 12, 0.001_443_623_987_142_928],
    [0.01, 0.5, 0.5, 0.063_768_560_858_519_85],
    [0.999, 200, 3, 0.998_833_436_846_883_4],
  ])('P(X ≤ %d) for Beta(%d, %d)', (x, a, b, expected) => expect(betaCdf(x, a, b)).toBeCloseTo(expected, 12));

  it.each([
    [0.05, 1, 1, 0.05],
    [0.05, 9, 3, 0.529_913_200_720_823_8],
    [0.05, 1, 6, 0.008_512_444_610_847_12],
    [0.5, 40, 40, 0.5],
  ])('quantile %d of Beta(%d, %d)', (probability, a, b, expected) => expect(betaQuantile(probability, a, b)).toBeCloseTo(expected, 10));

  it('more help raises the lower bound, more harm lowers it', () => {
    const count = fc.integer({ min: 0, max: 200 });
    fc.assert(
      fc.property(count, count, (helped, harmed) => {
        const bound = helpLowerBound(helped, harmed);
        expect(helpLowerBound(helped + 1, harmed)).toBeGreaterThan(bound);
        expect(helpLowerBound(helped, harmed + 1)).toBeLessThan(bound);
      }),
      { numRuns: 50 },
    );
  });
});

describe('paired tests', () => {
  it('sign flips: exact on a grid, drawn off it', () => {
    const thirds = [3, -1, 2, 0, 1, 1, -2, 4, 2, 1].map((value) => value / 3);
    expect(signFlipTest(thirds, { denominator: 3 })).toMatchObject({ method: 'exact', wins: 7, losses: 2, ties: 1 });
    expect(signFlipTest(thirds, { denominator: 3 }).p).toBeCloseTo(0.060_546_875, 10);
    const drawn = signFlipTest([0.51, -0.2, 0.33, 0.7, -0.11, 0.05, 0.4, 0.21]);
    expect(drawn.method).toBe('monte_carlo');
    expect(Math.abs(drawn.p - 0.035_156_25)).toBeLessThan(0.005);
    expect(signFlipTest([0, 0, 0])).toMatchObject({ p: 1, ties: 3 });
    expect(signFlipTest([])).toMatchObject({ p: 1, delta: 0 });
  });

  it('both ways of it agree, and p is a probability that falls as the candidate gets better', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 2, maxLength: 12 }), fc.nat(1000), (values, seed) => {
        const exact = signFlipTest(values);
        const drawn = signFlipTest(
          values.map((value) => value * Math.SQRT2),
          { seed },
        );
        expect(Math.abs(exact.p - drawn.p)).toBeLessThan(0.02);
        expect(exact.p).toBeGreaterThan(0);
        expect(exact.p).toBeLessThanOrEqual(1);
        expect(signFlipTest(values.map((value) => value + 1)).p).toBeLessThanOrEqual(exact.p + 1e-12);
      }),
      { numRuns: 15 },
    );
  });

  it('McNemar and the binomial tail', () => {
    expect(exactMcNemar(9, 3)).toBeCloseTo(0.072_998_046_875, 12);
    expect(exactMcNemar(5, 0)).toBeCloseTo(0.031_25, 12);
    expect(exactMcNemar(0, 0)).toBe(1);
    expect(binomialTail(3, 2)).toBe(0);
  });

  it("Student's interval", () => {
    const interval = meanInterval([3, -1, 2, 0, 1, 1, -2, 4, 2, 1].map((value) => value / 3))!;
    expect(interval.low).toBeCloseTo(0.020_412_001_609_377_45, 9);
    expect(interval.high).toBeCloseTo(0.712_921_331_723_955_8, 9);
    expect(meanInterval([1])).toBeNull();
  });
});

describe('false discovery over a series', () => {
  const lost: TestedCandidate = { p: 0.9, promoted: false };
  const promising: TestedCandidate = { p: 0.3, promoted: false };
  const won: TestedCandidate = { p: 0.001, promoted: true };

  it('starts with a tenth or half of the wealth, spends it, and earns by promotions', () => {
    expect(lordLevel([])).toBeCloseTo(0.01 * 0.077_208_38 * Math.log(2), 8);
    expect(saffronLevel([])).toBeCloseTo(0.025 * 0.437_490_165_8, 8);
    for (const level of [lordLevel, saffronLevel]) {
      expect(level([won])).toBeGreaterThan(level([lost]));
      expect(level([won, lost])).toBeLessThan(level([won]));
    }
    // what looks promising costs SAFFRON nothing
    expect(saffronLevel([promising, promising, promising, promising])).toBeCloseTo(saffronLevel([]), 12);
  });

  it('spends at most alpha while nothing is promoted', () => {
    const before: TestedCandidate[] = [];
    let [lord, saffron] = [0, 0];
    for (let t = 0; t < 300; t += 1) {
      lord += lordLevel(before);
      saffron += saffronLevel(before);
      before.push(lost);
    }
    expect(lord).toBeLessThanOrEqual(0.01);
    expect(saffron).toBeLessThanOrEqual(0.025);
  });
});

describe('canary', () => {
  it.each([
    [0, 0, 1],
    [3, 1, 1.3],
    [8, 2, 4.002_020_202_020_201],
    [12, 3, 8.906_456_043_956_045],
    [2, 9, 0.119_696_969_696_969_7],
  ])('evidence after %d harms and %d gains', (harms, gains, expected) => expect(harmEvidence(harms, gains)).toBeCloseTo(expected, 9));

  it('rolls back on evidence, and at once on a critical breach', () => {
    expect(shouldRollBack({ harms: 6, gains: 0 }, false)).toBe(false);
    expect(shouldRollBack({ harms: 9, gains: 0 }, false)).toBe(true);
    expect(shouldRollBack({ harms: 0, gains: 5 }, true)).toBe(true);
  });

  it('an arm is the same on every retry, and its share is what was asked for', () => {
    const ids = Array.from({ length: 4_000 }, (_, index) => `task-${index}`);
    const treated = ids.filter((id) => isTreated('salt', 'rule-1', 1, id, 0.2));
    expect(Math.abs(treated.length / ids.length - 0.2)).toBeLessThan(0.02);
    expect(canaryFraction('salt', 'rule-1', 1, 'task-7')).toBe(canaryFraction('salt', 'rule-1', 1, 'task-7'));
    const other = new Set(ids.filter((id) => isTreated('salt', 'rule-2', 1, id, 0.2)));
    expect(treated.filter((id) => other.has(id)).length / treated.length).toBeLessThan(0.3);
    expect(pairArms([true, true, false], [false, true])).toEqual({ harms: 1, gains: 0, pairs: 2 });
  });

  it('a harmless change is seldom rolled back, however often one looks; harm is found', () => {
    const random = seededRandom(11);
    const rolledBack = (control: number, treated: number): number | null => {
      let [harms, gains] = [0, 0];
      for (let pair = 1; pair <= 300; pair += 1) {
        const [before, after] = [random() < control, random() < treated];
        if (before && !after) harms += 1;
        if (!before && after) gains += 1;
        if (shouldRollBack({ harms, gains }, false)) return pair;
      }
      return null;
    };
    const falsely = Array.from({ length: 400 }, () => rolledBack(0.8, 0.8)).filter((pair) => pair !== null);
    expect(falsely.length / 400).toBeLessThan(0.05);
    const caught = Array.from({ length: 200 }, () => rolledBack(0.8, 0.6)).map((pair) => pair ?? 301);
    expect(caught.toSorted((one, other) => one - other)[100]).toBeLessThan(100);
  });
});

describe('agreement', () => {
  it("Cohen's κ", () => {
    const pairs = [
      ...Array.from({ length: 20 }, () => ['yes', 'yes'] as const),
      ...Array.from({ length: 5 }, () => ['yes', 'no'] as const),
      ...Array.from({ length: 10 }, () => ['no', 'yes'] as const),
      ...Array.from({ length: 15 }, () => ['no', 'no'] as const),
    ];
    expect(cohenKappa(pairs)).toBeCloseTo(0.4, 12);
    expect(cohenKappa([])).toBeNull();
    expect(cohenKappa([['yes', 'yes']])).toBeNull();
  });

  it("Spearman's ρ with its interval", () => {
    const iq = [86, 97, 99, 100, 101, 103, 106, 110, 112, 113];
    const hours = [2, 20, 28, 27, 50, 29, 7, 17, 6, 12];
    expect(spearman(iq.map((value, index) => [value, hours[index]!]))!.rho).toBeCloseTo(-0.175_757_575_757_575_75, 12);
    const tied = [1, 2, 2, 3, 4, 5, 5, 6].map((value, index) => [value, [2, 1, 4, 3, 5, 6, 8, 7][index]!] as const);
    const found = spearman(tied)!;
    expect(found.rho).toBeCloseTo(0.879_581_914_199_181, 12);
    expect(found.low).toBeCloseTo(0.328_986_090_360_199_4, 5);
    expect(found.high).toBeCloseTo(0.983_872_627_340_843_2, 5);
    expect(spearman([[1, 1]])).toBeNull();
    expect(spearman(Array.from({ length: 5 }, (_, index) => [index, 7] as const))).toBeNull();
    expect(ranks([10, 20, 10])).toEqual([1.5, 3, 1.5]);
    expect(variance([2, 4, 4, 4, 5, 5, 7, 9])).toBeCloseTo(32 / 7, 12);
  });

  it('a judge loses its vote on either, and not before there is enough to say so', () => {
    const floors = { kappa: 0.4, rho: 0.2, variance: 100, minPairs: 20 };
    const unmeasured = { variance: null, repeats: 0 };
    expect(quarantineReason({ ...unmeasured, kappa: 0.1, ratings: 10, correlation: null }, floors)).toBeNull();
    expect(quarantineReason({ ...unmeasured, kappa: 0.1, ratings: 20, correlation: null }, floors)).toContain('κ = 0.10');
    expect(quarantineReason({ ...unmeasured, kappa: 0.8, ratings: 50, correlation: { rho: 0.05, low: -0.2, high: 0.3, n: 40 } }, floors)).toContain('ρ = 0.05');
    expect(quarantineReason({ ...unmeasured, kappa: null, ratings: 0, correlation: null }, floors)).toBeNull();
    expect(quarantineReason({ kappa: 0.9, ratings: 30, correlation: null, variance: 144, repeats: 20 }, floors)).toContain('variance of 144');
    expect(quarantineReason({ kappa: 0.9, ratings: 30, correlation: null, variance: 144, repeats: 19 }, floors)).toBeNull();
  });
});
