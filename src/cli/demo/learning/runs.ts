import { count } from '../../text/format.ts';
import { safe } from '../../text/safe.ts';
import { shareText, compareRuns, pText, type Comparison } from './figures.ts';
import { runTasks, type TaskRun } from './run-tasks.ts';
import { wrapped } from './show.ts';
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

/** First attempts of the tasks that had every live rule, and of those that one was left out of by chance: what credit is measured by. */
export interface LeftOut {
  whole: { tasks: number; firstAttemptPassed: number };
  leftOut: { tasks: number; firstAttemptPassed: number };
}

export async function sayLeftOut({ store, show }: LearningStack, runs: Runs): Promise<LeftOut> {
  const all = [...runs.values()].flat();
  const ids = all.map(({ taskId }) => taskId);
  const rows = await store.database.selectFrom('attempt_context').select('task_id').distinct().where('task_id', 'in', ids).where('arm', '=', 'left_out').execute();
  const left = new Set(rows.map((row) => row.task_id));
  const of = (tasks: TaskRun[]) => ({ tasks: tasks.length, firstAttemptPassed: tasks.filter(({ firstPassed }) => firstPassed).length });
  const figures = { whole: of(all.filter(({ taskId }) => !left.has(taskId))), leftOut: of(all.filter(({ taskId }) => left.has(taskId))) };
  const { whole, leftOut } = figures;
  const told = `Each live rule is left out of a small share of tasks by chance, so that help and harm can be told: of the ${count(whole.tasks, 'task')} that had every rule ${whole.firstAttemptPassed} were right at first; of the ${leftOut.tasks} that lacked one, needed or not, ${leftOut.firstAttemptPassed}.`;
  show.say();
  for (const line of wrapped(told)) show.say(show.paint.dim(safe`   ${line}`));
  show.say();
  return figures;
}
