import { harmEvidence, pairArms, shouldRollBack, type CanaryPairs } from '../policy/statistics/canary.ts';
import type { ExposedTask } from '../store/exposed-tasks.ts';

/** Tasks and how many of them passed at the first attempt. */
export interface Side {
  tasks: number;
  passed: number;
}

/** What live traffic says of a change. */
export interface Weighed extends CanaryPairs {
  with: Side;
  without: Side;
  /** Of harm; 20 rolls back. */
  evidence: number;
  /** What broke in a task that had the change; null: nothing. */
  breach: { taskId: string; what: string } | null;
  isHarmful: boolean;
}

/**
 * Pairs the k-th task without the change with the k-th task with it; a live change, which nearly every task has, with the task that ended before each one
 * that was left out: else the few left out would be held against what was long ago. @param tasks in order of ending
 */
export function weigh(tasks: readonly ExposedTask[]): Weighed {
  const had = tasks.filter((task) => !isWithout(task));
  const lacked = tasks.filter(isWithout);
  const paired = pairable(tasks);
  const pairs = pairArms(paired.filter(isWithout).map(passedOf), paired.filter((task) => !isWithout(task)).map(passedOf));
  const broke = had.find((task) => task.breach !== null);
  const breach = broke ? { taskId: broke.taskId, what: broke.breach! } : null;
  return {
    ...pairs,
    with: sideOf(had.map(passedOf)),
    without: sideOf(lacked.map(passedOf)),
    evidence: harmEvidence(pairs.harms, pairs.gains),
    breach,
    isHarmful: shouldRollBack(pairs, breach !== null),
  };
}

function passedOf({ passed }: ExposedTask): boolean {
  return passed;
}

function isWithout({ arm }: ExposedTask): boolean {
  return arm === 'control' || arm === 'left_out';
}

/** All of a canary; of a live change those left out, each after the newest task with it that ended since the one before. Which they are does not depend on how they went. */
function pairable(tasks: readonly ExposedTask[]): ExposedTask[] {
  const chosen: ExposedTask[] = [];
  let newest: ExposedTask | null = null;
  for (const task of tasks) {
    if (task.arm === 'live') newest = task;
    else if (task.arm === 'left_out') {
      if (newest) chosen.push(newest, task);
      newest = null;
    } else chosen.push(task);
  }
  return chosen;
}

/** @param passed of each task */
export function sideOf(passed: readonly boolean[]): Side {
  return { tasks: passed.length, passed: passed.filter(Boolean).length };
}

/** `first attempts passed in 12 of 30 tasks with it (40%) and in 25 of 30 without it (83%)` */
export function sidesText({ with: had, without }: Pick<Weighed, 'with' | 'without'>): string {
  return `first attempts passed in ${sideText(had)} with it and in ${sideText(without)} without it`;
}

function sideText({ passed, tasks }: Side): string {
  return `${passed} of ${tasks} tasks${tasks > 0 ? ` (${Math.round((100 * passed) / tasks)}%)` : ''}`;
}
