import type { Executor } from '../store/database.ts';
import { exposedTasks } from '../store/exposed-tasks.ts';
import { differenceInterval, type Interval } from '../policy/statistics/proportions.ts';
import { weigh, type Side } from './weigh.ts';

/** What a rule is worth by chance's own comparison, not by anybody's opinion. */
export interface Credit {
  with: Side;
  without: Side;
  /** Pairs in which only the task with it passed. */
  helped: number;
  /** Pairs in which only the task without it passed. */
  harmed: number;
  pairs: number;
  /** Difference of the shares that passed at the first attempt, -1..1; null while one side is empty. */
  effect: number | null;
  /** 95% (Newcombe's hybrid score). */
  interval: Interval | null;
}

/** From tasks on the canary (treated against control) and live (live against left out). The view `rule_credit` has the same counts. */
export async function creditOf(executor: Executor, ruleId: string, version: number): Promise<Credit> {
  const { with: had, without, gains, harms, pairs } = weigh(await exposedTasks(executor, { kind: 'rule', id: ruleId, version }));
  const effect = had.tasks === 0 || without.tasks === 0 ? null : had.passed / had.tasks - without.passed / without.tasks;
  return { with: had, without, helped: gains, harmed: harms, pairs, effect, interval: differenceInterval(had, without) };
}
