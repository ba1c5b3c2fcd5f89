/** Upper tail of the standard normal at 2.5%, and at 5%. */
const QUANTILES = { 0.95: 1.959963984540054, 0.9: 1.6448536269514722 } as const;
export type Level = keyof typeof QUANTILES;

export interface Interval {
  low: number;
  high: number;
}

/** Score interval of a share (Wilson 1927). @throws RangeError without trials */
export function wilsonInterval(successes: number, trials: number, level: Level = 0.95): Interval {
  if (!(trials > 0)) throw new RangeError('a share needs trials');
  const z = QUANTILES[level];
  const share = successes / trials;
  const centre = share + (z * z) / (2 * trials);
  const margin = z * Math.sqrt((share * (1 - share)) / trials + (z * z) / (4 * trials * trials));
  const scale = 1 + (z * z) / trials;
  return { low: Math.max(0, (centre - margin) / scale), high: Math.min(1, (centre + margin) / scale) };
}

/** Interval of a difference of two independent shares, from their Wilson intervals (Newcombe 1998, method 10). Null while one side is empty. */
export function differenceInterval(one: { passed: number; tasks: number }, other: { passed: number; tasks: number }, level: Level = 0.95): Interval | null {
  if (one.tasks === 0 || other.tasks === 0) return null;
  const [first, second] = [one.passed / one.tasks, other.passed / other.tasks];
  const [a, b] = [wilsonInterval(one.passed, one.tasks, level), wilsonInterval(other.passed, other.tasks, level)];
  return {
    low: first - second - Math.hypot(first - a.low, b.high - second),
    high: first - second + Math.hypot(a.high - first, second - b.low),
  };
}
