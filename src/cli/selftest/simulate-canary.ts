/** The canary's own error rates, by simulation: it looks after every pair. */
import { shouldRollBack } from '../../policy/statistics/canary.ts';
import type { Random } from '../../policy/statistics/random.ts';

export interface CanaryTimes {
  /** Share of the canaries that were rolled back within so many pairs. */ rolledBack: number;
  /** Pairs until the roll back, the median over all; null: most were not. */ medianPairs: number | null;
}

/** @param rates share of tasks that pass, of the control and of the treated */
export function canaryTimes(rates: { control: number; treated: number }, { times, pairs }: { times: number; pairs: number }, random: Random): CanaryTimes {
  const ends = Array.from({ length: times }, () => pairsUntilRollBack(rates, pairs, random));
  const caught = ends.filter((end) => end !== null);
  const middle = ends.map((end) => end ?? Infinity).toSorted((one, other) => one - other)[Math.floor(times / 2)]!;
  return { rolledBack: caught.length / times, medianPairs: Number.isFinite(middle) ? middle : null };
}

function pairsUntilRollBack({ control, treated }: { control: number; treated: number }, most: number, random: Random): number | null {
  let harms = 0;
  let gains = 0;
  for (let pair = 1; pair <= most; pair += 1) {
    const withoutIt = random() < control;
    const withIt = random() < treated;
    if (withoutIt === withIt) continue;
    if (withoutIt) harms += 1;
    else gains += 1;
    if (shouldRollBack({ harms, gains }, false)) return pair;
  }
  return null;
}
