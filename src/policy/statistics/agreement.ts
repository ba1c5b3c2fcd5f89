import { betaQuantile } from './beta.ts';

/** Cohen's κ of two raters' labels: agreement beyond what their own habits give by chance (Cohen 1960). Null without pairs, or when chance alone explains all. */
export function cohenKappa(pairs: readonly (readonly [string, string])[]): number | null {
  const n = pairs.length;
  if (n === 0) return null;
  const labels = new Set(pairs.flat());
  const share = (rater: 0 | 1, label: string): number => pairs.filter((pair) => pair[rater] === label).length / n;
  const observed = pairs.filter(([one, other]) => one === other).length / n;
  const expected = [...labels].reduce((total, label) => total + share(0, label) * share(1, label), 0);
  return expected === 1 ? null : (observed - expected) / (1 - expected);
}

/** Ranks from 1; equal values share their mean rank. */
export function ranks(values: readonly number[]): number[] {
  const order = values.map((value, index) => ({ value, index })).toSorted((one, other) => one.value - other.value);
  const ranked = Array.from({ length: values.length }, () => 0);
  let start = 0;
  while (start < order.length) {
    let end = start;
    while (end + 1 < order.length && order[end + 1]!.value === order[start]!.value) end += 1;
    for (let at = start; at <= end; at += 1) ranked[order[at]!.index] = (start + end) / 2 + 1;
    start = end + 1;
  }
  return ranked;
}

export interface RankCorrelation {
  rho: number;
  low: number;
  high: number;
  n: number;
}

/**
 * Spearman's ρ with its interval by Fisher's z and the standard error of Bonett & Wright (2000): √((1 + ρ²/2)/(n − 3)).
 * Null for fewer than four pairs, or when one side does not vary.
 * @param level 0..1, default 0.95
 */
export function spearman(pairs: readonly (readonly [number, number])[], level = 0.95): RankCorrelation | null {
  const n = pairs.length;
  if (n < 4) return null;
  const rho = pearson(ranks(pairs.map(([one]) => one)), ranks(pairs.map(([, other]) => other)));
  if (rho === null) return null;
  if (Math.abs(rho) > 1 - 1e-12) return { rho: Math.sign(rho), low: Math.sign(rho), high: Math.sign(rho), n };
  const margin = normalQuantile((1 + level) / 2) * Math.sqrt((1 + rho ** 2 / 2) / (n - 3));
  const z = Math.atanh(rho);
  return { rho, low: Math.tanh(z - margin), high: Math.tanh(z + margin), n };
}

function pearson(left: number[], right: number[]): number | null {
  const mean = (values: number[]): number => values.reduce((total, value) => total + value, 0) / values.length;
  const [meanLeft, meanRight] = [mean(left), mean(right)];
  let [product, squareLeft, squareRight] = [0, 0, 0];
  for (const [index, value] of left.entries()) {
    const other = right[index]! - meanRight;
    product += (value - meanLeft) * other;
    squareLeft += (value - meanLeft) ** 2;
    squareRight += other ** 2;
  }
  return squareLeft === 0 || squareRight === 0 ? null : product / Math.sqrt(squareLeft * squareRight);
}

/** Of the standard normal, through Student's t with so many degrees of freedom that they are the same to seven digits. */
function normalQuantile(probability: number): number {
  const degrees = 1e8;
  const x = betaQuantile(2 * (1 - probability), degrees / 2, 0.5);
  return Math.sqrt((degrees * (1 - x)) / x);
}

/** Sample variance, n − 1 below; null for fewer than two. */
export function variance(values: readonly number[]): number | null {
  if (values.length < 2) return null;
  const mean = values.reduce((total, value) => total + value, 0) / values.length;
  return values.reduce((total, value) => total + (value - mean) ** 2, 0) / (values.length - 1);
}

/** What a judge must reach to keep its vote, once there is enough to say so. */
export interface JudgeFloors {
  /** Agreement with people, at least. */ kappa: number;
  /** Correlation of its scores with what became of the outputs, at least. */ rho: number;
  /** Variance of its score when it is asked again, at most; points². */ variance: number;
  /** Pairs (outputs, for the variance) below which nothing is concluded. */ minPairs: number;
}

/** κ of 0.4 is the lower end of what Landis & Koch (1977) call moderate; a judge that varies by 10 points decides by chance near the passing score. */
const JUDGE_FLOORS: JudgeFloors = { kappa: 0.4, rho: 0, variance: 100, minPairs: 10 };

/** What is known of a judge; null: not measured. */
export interface JudgeMeasure {
  kappa: number | null;
  ratings: number;
  /** Mean distance from people's scores, points. */ deviation: number | null;
  variance: number | null;
  repeats: number;
  correlation: RankCorrelation | null;
}

/** One judge from its pairs. @param ratings its verdict and a person's, of the same outputs @param repeats its scores of one output each, asked again */
export function measureJudge(
  ratings: readonly { evaluatorPassed: boolean; evaluatorScore: number; personPassed: boolean; personScore: number }[],
  repeats: readonly (readonly number[])[],
  outcomes: readonly (readonly [score: number, value: number])[],
): JudgeMeasure {
  const mean = (values: readonly number[]): number | null => (values.length === 0 ? null : values.reduce((total, value) => total + value, 0) / values.length);
  const variances = repeats.map(variance).filter((value) => value !== null);
  return {
    kappa: cohenKappa(ratings.map(({ evaluatorPassed, personPassed }) => [String(evaluatorPassed), String(personPassed)] as const)),
    ratings: ratings.length,
    deviation: mean(ratings.map(({ evaluatorScore, personScore }) => Math.abs(evaluatorScore - personScore))),
    variance: mean(variances),
    repeats: variances.length,
    correlation: spearman(outcomes),
  };
}

/** Why the judge loses its vote, or null. What is not measured yet is no reason. */
export function quarantineReason(measured: Omit<JudgeMeasure, 'deviation'>, floors: JudgeFloors = JUDGE_FLOORS): string | null {
  const { kappa, ratings, correlation, variance: varies, repeats } = measured;
  if (kappa !== null && ratings >= floors.minPairs && kappa < floors.kappa)
    return `Its agreement with people is κ = ${kappa.toFixed(2)} over ${ratings} ratings, below ${floors.kappa}.`;
  if (varies !== null && repeats >= floors.minPairs && varies > floors.variance)
    return `Asked again about one output its score has a variance of ${varies.toFixed(0)} points² over ${repeats} outputs, above ${floors.variance}.`;
  if (correlation !== null && correlation.n >= floors.minPairs && correlation.rho < floors.rho)
    return `Its scores follow what became of the outputs with ρ = ${correlation.rho.toFixed(2)} over ${correlation.n} tasks, below ${floors.rho}.`;
  return null;
}
