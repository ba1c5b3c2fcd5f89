import { count } from '../../text/format.ts';
import { safe } from '../../text/safe.ts';
import { shareText, compareRuns, pText, type Comparison } from './figures.ts';
import { runTasks, type TaskRun } from './run-tasks.ts';
import type { LearningStack } from './stack.ts';
import { learningTasks, type LearningAgent } from './tasks.ts';

export type Runs = Map<LearningAgent, TaskRun[]>;

/** One run of all agents. What rules claim must not come from recalled experiences, so memory is withheld in both runs. */
export async function runAll(stack: LearningStack, run: 1 | 2): Promise<Runs> {
  const { loopwright, show, size, suffix } = stack;
  const each = await Promise.all(
    size.agents.map(async (agent): Promise<[LearningAgent, TaskRun[]]> => {
      const tasks = learningTasks(agent, run)
        .slice(0, size.tasks)
        .map(({ input }, index) => ({ agent, taskId: `${agent}-run${run}-${String(index + 1).padStart(2, '0')}${suffix}`, input, memory: 'withheld' as const }));
      return [agent, await runTasks(loopwright, show, `${agent}, run ${run}`, tasks, Math.ceil(size.atATime / size.agents.length))];
    }),
  );
  return new Map(each);
}

export function sayRun({ show }: LearningStack, runs: Runs): void {
  const rows = [...runs].map(([agent, ended]) => {
    const { before } = compareRuns(agent, ended, ended);
    return [show.paint.bold(agent), shareText(before), before.corrections, ended.filter(({ outcome }) => outcome.outcome === 'passed').length];
  });
  show.table(['agent', 'right at the first attempt', 'corrections', 'right in the end'], rows, [1, 2, 3]);
}

/** Before and after, with what chance alone would do. */
export function sayComparison({ show }: LearningStack, comparisons: readonly Comparison[]): void {
  show.table(
    ['agent', 'right at first: run 1', 'run 2', "Fisher's exact test", 'corrections: run 1', 'run 2', 'permutation test'],
    comparisons.map(({ agent, before, after, pFirstAttempt, pCorrections }) => [
      show.paint.bold(agent),
      shareText(before),
      show.paint.green(shareText(after)),
      pText(pFirstAttempt),
      before.corrections,
      show.paint.green(after.corrections),
      pText(pCorrections),
    ]),
    [1, 2, 3, 4, 5, 6],
  );
}

/** Tasks of run 2 that a live rule was left out of by chance: what credit is measured by. */
export async function sayLeftOut({ store, show }: LearningStack, runs: Runs): Promise<number> {
  const ids = [...runs.values()].flat().map(({ taskId }) => taskId);
  const left = await store.database.selectFrom('attempt_context').select('task_id').distinct().where('task_id', 'in', ids).where('arm', '=', 'left_out').execute();
  if (left.length > 0) show.say(show.paint.dim(safe`   ${count(left.length, 'task')} of run 2 had a live rule left out by chance: help and harm are measured by those.`));
  return left.length;
}
