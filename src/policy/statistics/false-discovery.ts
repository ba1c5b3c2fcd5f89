/**
 * Online control of the false discovery rate over an agent's series of candidates: what each may be tested at depends on those before.
 * A test that is not won spends, a promotion earns. Sources: LORD++, Ramdas, Yang, Wainwright & Jordan 2017 (arXiv:1710.00499);
 * SAFFRON, Ramdas, Zrnic, Wainwright & Jordan 2018 (arXiv:1802.09098). Spending plainly, 6α/(π²j²), loses its power after a few.
 */

/** One candidate that was tested: its p value, and whether it was promoted. */
export interface TestedCandidate {
  p: number;
  promoted: boolean;
}

/** Σ = 1 over all t ≥ 1 (constant as in the R package onlineFDR 2.x). */
function lordGamma(t: number): number {
  return t < 1 ? 0 : (0.077_208_38 * Math.log(Math.max(t, 2))) / (t * Math.exp(Math.sqrt(Math.log(t))));
}

/** 1/ζ(1.6): t^-1.6 then sums to 1. */
const SAFFRON_SCALE = 0.437_490_165_8;
function saffronGamma(t: number): number {
  return t < 1 ? 0 : SAFFRON_SCALE * t ** -1.6;
}

/** Positions, from 1, of the candidates that were promoted. */
function promotions(before: readonly TestedCandidate[]): number[] {
  return before.flatMap(({ promoted }, index) => (promoted ? [index + 1] : []));
}

/**
 * The level that the next candidate may be tested at, by LORD++.
 * @param before the agent's candidates so far, in the order they were tested
 * @param alpha false discovery rate to hold, default 0.10
 * @param w0 wealth at the start, default alpha / 10
 */
export function lordLevel(before: readonly TestedCandidate[], alpha = 0.1, w0 = alpha / 10): number {
  const t = before.length + 1;
  const [first, ...later] = promotions(before);
  const earned = first === undefined ? 0 : (alpha - w0) * lordGamma(t - first) + alpha * later.reduce((total, at) => total + lordGamma(t - at), 0);
  return w0 * lordGamma(t) + earned;
}

/**
 * The level that the next candidate may be tested at, by SAFFRON: only p values above `lambda` spend, since it counts false discoveries
 * by them, so that it keeps its power where many candidates are good.
 */
export function saffronLevel(before: readonly TestedCandidate[], alpha = 0.1, lambda = 0.5, w0 = ((1 - lambda) * alpha) / 2): number {
  const t = before.length + 1;
  const candidatesAfter = (position: number): number => before.slice(position).filter(({ p }) => p <= lambda).length;
  const [first, ...later] = promotions(before);
  const whole = (1 - lambda) * alpha;
  let level = w0 * saffronGamma(t - candidatesAfter(0));
  if (first !== undefined) level += (whole - w0) * saffronGamma(t - first - candidatesAfter(first));
  for (const at of later) level += whole * saffronGamma(t - at - candidatesAfter(at));
  return Math.min(lambda, level);
}
