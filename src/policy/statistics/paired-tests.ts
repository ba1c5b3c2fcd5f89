import { betaCdf, betaQuantile } from './beta.ts';
import { seededRandom } from './random.ts';

/** Whether a candidate is better, from one difference a case. */
export interface PairedTest {
  /** Mean of candidate minus base, on the scale of the scores. */
  delta: number;
  /** One-sided: how often chance alone would give at least this delta. */
  p: number;
  method: 'exact' | 'monte_carlo';
  wins: number;
  losses: number;
  ties: number;
}

/** Sums that the exact distribution may have; beyond it, signs are drawn. */
const MAX_SUMS = 200_000;
const DRAWS = 20_000;
/** Differences of means of floating-point scores are equal within this. */
const EPSILON = 1e-9;

/**
 * Paired sign-flip permutation test: under the null each case's difference is as likely to be negative (Fisher 1935; Good, Permutation
 * Tests, §3.2). Exact over all 2ⁿ signs when the differences are multiples of 1/`denominator`; else from 20,000 draws with (b + 1)/(m + 1)
 * (Phipson & Smyth 2010), which is never zero.
 * @param differences one a case: mean of the candidate's repeats minus mean of the base's
 * @param options.denominator the number of repeats, when scores are whole numbers
 * @param options.seed decides the draws
 */
export function signFlipTest(differences: readonly number[], options: { denominator?: number; seed?: number } = {}): PairedTest {
  const { denominator = 1, seed = 1 } = options;
  const moved = differences.filter((difference) => Math.abs(difference) > EPSILON);
  const wins = moved.filter((difference) => difference > 0).length;
  const common = { delta: differences.length === 0 ? 0 : sum(differences) / differences.length, wins, losses: moved.length - wins, ties: differences.length - moved.length };
  if (moved.length === 0) return { ...common, p: 1, method: 'exact' };
  const scaled = moved.map((difference) => difference * denominator);
  const whole = scaled.every((value) => Math.abs(value - Math.round(value)) < 1e-6);
  const reach = sum(scaled.map((value) => Math.abs(Math.round(value))));
  return whole && reach <= MAX_SUMS ? { ...common, p: exactTail(scaled.map(Math.round)), method: 'exact' } : { ...common, p: drawnTail(moved, seed), method: 'monte_carlo' };
}

/** P(Σ ± |dᵢ| ≥ Σ dᵢ), by adding one difference after the other to the distribution of the sum. */
function exactTail(differences: number[]): number {
  const sizes = differences.map(Math.abs);
  const reach = sum(sizes);
  let distribution = new Float64Array(2 * reach + 1);
  distribution[reach] = 1;
  for (const size of sizes) {
    const next = new Float64Array(2 * reach + 1);
    for (const [index, probability] of distribution.entries()) {
      if (probability === 0) continue;
      next[index - size]! += probability / 2;
      next[index + size]! += probability / 2;
    }
    distribution = next;
  }
  const tail = distribution.subarray(sum(differences) + reach);
  return Math.min(
    1,
    tail.reduce((total, probability) => total + probability, 0),
  );
}

function drawnTail(differences: number[], seed: number): number {
  const random = seededRandom(seed);
  const observed = sum(differences) - EPSILON;
  let atLeast = 0;
  for (let draw = 0; draw < DRAWS; draw += 1) {
    let total = 0;
    for (const difference of differences) total += random() < 0.5 ? difference : -difference;
    if (total >= observed) atLeast += 1;
  }
  return (atLeast + 1) / (DRAWS + 1);
}

/** P(X ≥ successes) for X ~ Binomial(n, probability). */
export function binomialTail(successes: number, n: number, probability = 0.5): number {
  if (successes <= 0) return 1;
  return successes > n ? 0 : betaCdf(probability, successes, n - successes + 1);
}

/** Exact McNemar for single binary repeats: only pairs that differ count, each a fair coin under the null (McNemar 1947). One-sided: more wins than losses. */
export function exactMcNemar(wins: number, losses: number): number {
  return binomialTail(wins, wins + losses);
}

/** P(|T| > t) / 2 inverted: the t at which the upper tail of Student's t with `degrees` is `tail`. */
function studentQuantile(tail: number, degrees: number): number {
  const x = betaQuantile(2 * tail, degrees / 2, 0.5);
  return Math.sqrt((degrees * (1 - x)) / x);
}

/** Student's interval of the mean difference. Null for fewer than two cases. @param level 0..1, default 0.9, which fits a one-sided test at 0.05 */
export function meanInterval(differences: readonly number[], level = 0.9): { low: number; high: number } | null {
  const n = differences.length;
  if (n < 2) return null;
  const mean = sum(differences) / n;
  const variance = sum(differences.map((difference) => (difference - mean) ** 2)) / (n - 1);
  const margin = studentQuantile((1 - level) / 2, n - 1) * Math.sqrt(variance / n);
  return { low: mean - margin, high: mean + margin };
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
