/** The Beta distribution, which binomial and t probabilities are made of. */

/** Lanczos' approximation with g = 7 and nine terms (Press et al., Numerical Recipes, §6.1): 15 digits for x > 0. */
const LANCZOS = [
  0.999_999_999_999_809_93, 676.520_368_121_885_1, -1_259.139_216_722_402_8, 771.323_428_777_653_13, -176.615_029_162_140_59, 12.507_343_278_686_905, -0.138_571_095_265_720_12,
  9.984_369_578_019_571_6e-6, 1.505_632_735_149_311_6e-7,
];

/** ln Γ(x) for x > 0. */
export function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
  const shifted = x - 1;
  const t = shifted + 7.5;
  const sum = LANCZOS.slice(1).reduce((total, term, index) => total + term / (shifted + index + 1), LANCZOS[0]!);
  return 0.5 * Math.log(2 * Math.PI) + (shifted + 0.5) * Math.log(t) - t + Math.log(sum);
}

/** ln B(a, b). */
export function logBeta(a: number, b: number): number {
  return logGamma(a) + logGamma(b) - logGamma(a + b);
}

const TINY = 1e-300;
const PRECISION = 1e-15;
const MAX_TERMS = 10_000;

/** Kept away from zero, so that the continued fraction can divide by it. */
const nonZero = (value: number): number => (Math.abs(value) < TINY ? TINY : value);

/** Lentz's continued fraction of the incomplete Beta function (Numerical Recipes, §6.4); converges fast for x < (a + 1) / (a + b + 2). */
function continuedFraction(x: number, a: number, b: number): number {
  let c = 1;
  let d = 1 / nonZero(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m <= MAX_TERMS; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / nonZero(1 + even * d);
    c = nonZero(1 + even / c);
    fraction *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / nonZero(1 + odd * d);
    c = nonZero(1 + odd / c);
    fraction *= d * c;
    if (Math.abs(d * c - 1) < PRECISION) break;
  }
  return fraction;
}

/** I_x(a, b): the probability that a Beta(a, b) variable is at most x. @param x 0..1 @param a above 0 @param b above 0 */
export function betaCdf(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(a * Math.log(x) + b * Math.log1p(-x) - logBeta(a, b));
  return x < (a + 1) / (a + b + 2) ? (front * continuedFraction(x, a, b)) / a : 1 - (front * continuedFraction(1 - x, b, a)) / b;
}

/** The x at which `betaCdf` is `probability`, by bisection to 1e-14. */
export function betaQuantile(probability: number, a: number, b: number): number {
  if (probability <= 0) return 0;
  if (probability >= 1) return 1;
  let low = 0;
  let high = 1;
  while (high - low > 1e-14) {
    const middle = (low + high) / 2;
    if (betaCdf(middle, a, b) < probability) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/**
 * How good something is at least, after it helped and harmed so often: the lower bound of Beta(helped + 1, harmed + 1), a uniform prior.
 * @param level probability that the truth is below it; default 0.05
 */
export function helpLowerBound(helped: number, harmed: number, level = 0.05): number {
  return betaQuantile(level, helped + 1, harmed + 1);
}
