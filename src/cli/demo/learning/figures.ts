import { fisherExact, meanFell } from '../../../policy/statistics/two-samples.ts';
import type { TaskRun } from './run-tasks.ts';
import type { LearningAgent } from './tasks.ts';

export interface RunFigures {
  tasks: number;
  firstAttemptPassed: number;
  corrections: number;
  costMicros: number;
  durationMs: number;
}

/** One agent before and after it learned, on different tasks of the same kinds. */
export interface Comparison {
  agent: LearningAgent;
  before: RunFigures;
  after: RunFigures;
  /** One-sided, Fisher's exact test: first attempts that passed. */
  pFirstAttempt: number;
  /** One-sided, permutation of means: corrections a task. */
  pCorrections: number;
}

export function compareRuns(agent: LearningAgent, before: readonly TaskRun[], after: readonly TaskRun[]): Comparison {
  const [first, second] = [figuresOf(before), figuresOf(after)];
  return {
    agent,
    before: first,
    after: second,
    pFirstAttempt: fisherExact({ successes: first.firstAttemptPassed, of: first.tasks }, { successes: second.firstAttemptPassed, of: second.tasks }),
    pCorrections: meanFell(
      before.map(({ corrections }) => corrections),
      after.map(({ corrections }) => corrections),
    ),
  };
}

function figuresOf(runs: readonly TaskRun[]): RunFigures {
  const sum = (of: (run: TaskRun) => number): number => runs.reduce((total, run) => total + of(run), 0);
  return {
    tasks: runs.length,
    firstAttemptPassed: runs.filter(({ firstPassed }) => firstPassed).length,
    corrections: sum(({ corrections }) => corrections),
    costMicros: sum(({ outcome }) => outcome.usage.costMicros),
    durationMs: sum(({ outcome }) => outcome.durationMs),
  };
}

/** `p = 0.0039`, `p < 0.0001` */
export function pText(p: number): string {
  return p < 0.0001 ? 'p < 0.0001' : `p = ${Number(p.toPrecision(2))}`;
}

/** `3 of 20` */
export function shareText({ firstAttemptPassed, tasks }: RunFigures): string {
  return `${firstAttemptPassed} of ${tasks}`;
}
