import { harmEvidence, pairArms, shouldRollBack } from '../policy/statistics/canary.ts';
import { changesOf, tasksAround, type Change } from '../store/changes.ts';
import type { Executor } from '../store/database.ts';
import { sideOf, type Side } from './weigh.ts';

export interface Regression {
  change: Change;
  before: Side;
  after: Side;
  /** Of harm, as on a canary; what differs between the days before and after speaks in it too. */
  evidence: number;
  /** A sentence that names the change. */
  text: string;
}

/** Tasks on each side of a change that are compared. */
const WINDOW = 50;

/** Changes of an agent's prompts and tools in the last `days` after which first attempts passed less often, newest first. It names; what is taken back is decided by chance's comparison. */
export async function regressionsOf(executor: Executor, place: { agent: string; tenant: string; days: number }): Promise<Regression[]> {
  const regressions: Regression[] = [];
  for (const change of await changesOf(executor, place)) {
    const { before, after } = await tasksAround(executor, place, change.at, WINDOW);
    const pairs = pairArms(before, after);
    if (!shouldRollBack(pairs, false)) continue;
    const sides = { before: sideOf(before), after: sideOf(after) };
    const said = `First attempts passed in ${sides.after.passed} of ${sides.after.tasks} tasks since ${change.what}, and in ${sides.before.passed} of the ${sides.before.tasks} before.`;
    regressions.push({ change, ...sides, evidence: harmEvidence(pairs.harms, pairs.gains), text: said });
  }
  return regressions;
}
