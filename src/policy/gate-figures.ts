import type { ArmFigures, ExperimentRun } from '../contracts/learning.ts';

/** Figures of one arm over its runs that count; null where there is nothing to take a mean of. Money in micro-USD, time in ms. */
export function armFigures(runs: readonly ExperimentRun[]): ArmFigures {
  const counted = runs.filter(({ excluded }) => excluded === null);
  const mean = (of: (run: ExperimentRun) => number | null): number | null => {
    const values = counted.map(of).filter((value) => value !== null);
    return values.length === 0 ? null : values.reduce((total, value) => total + value, 0) / values.length;
  };
  return {
    runs: counted.length,
    passRate: mean(({ passed }) => (passed ? 1 : 0)),
    firstAttemptPassRate: mean(({ firstAttemptPassed }) => (firstAttemptPassed ? 1 : 0)),
    meanScore: mean(({ score }) => score),
    meanCorrections: mean(({ corrections }) => corrections),
    meanCostMicros: mean(({ costMicros }) => costMicros),
    meanDurationMs: mean(({ durationMs }) => durationMs),
  };
}
