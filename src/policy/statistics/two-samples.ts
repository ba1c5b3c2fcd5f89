import { logBeta } from './beta.ts';
import { sum } from './paired-tests.ts';
import { seededRandom } from './random.ts';

/** Two groups of tasks, none of which is in both. */

const DRAWS = 20_000;
/** Differences of means are equal within this. */
const EPSILON = 1e-12;

/**
 * Fisher's exact test of two proportions (Fisher 1935), one-sided: with the margins fixed the successes of the second group are hypergeometric, and
 * p = P(X ≥ what was seen).
 * @param before @param after successes of so many
 * @throws {RangeError} when there are more successes than tries, or a count is no whole number from 0
 */
export function fisherExact(before: { successes: number; of: number }, after: { successes: number; of: number }): number {
  for (const { successes, of } of [before, after])
    if (!Number.isInteger(successes) || !Number.isInteger(of) || successes < 0 || successes > of) throw new RangeError(`${successes} of ${of} is no proportion`);
  const total = before.of + after.of;
  const successes = before.successes + after.successes;
  const all = logChoose(total, successes);
  const most = Math.min(after.of, successes);
  let p = 0;
  for (let seen = after.successes; seen <= most; seen += 1) p += Math.exp(logChoose(after.of, seen) + logChoose(before.of, successes - seen) - all);
  return Math.min(1, p);
}

/**
 * Permutation test of two means, one-sided: how often a random division of the same values gives the second group a mean at least as far below the first's
 * (Good, Permutation Tests, §3.1). 20,000 draws, (b + 1)/(m + 1), which is never zero (Phipson & Smyth 2010).
 * @param seed decides the draws
 */
export function meanFell(before: readonly number[], after: readonly number[], seed = 1): number {
  if (before.length === 0 || after.length === 0) return 1;
  const random = seededRandom(seed);
  const values = [...before, ...after];
  const observed = sum(after);
  let atMost = 0;
  for (let draw = 0; draw < DRAWS; draw += 1) {
    let drawn = 0;
    for (let index = 0; index < after.length; index += 1) {
      const other = index + Math.floor(random() * (values.length - index));
      [values[index], values[other]] = [values[other]!, values[index]!];
      drawn += values[index]!;
    }
    if (drawn <= observed + EPSILON) atMost += 1;
  }
  return (atMost + 1) / (DRAWS + 1);
}

/** n over k by the Beta function; none for a k that is out of range. */
function logChoose(n: number, k: number): number {
  return k < 0 || k > n ? -Infinity : -Math.log(n + 1) - logBeta(n - k + 1, k + 1);
}
