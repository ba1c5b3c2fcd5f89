import type { AnyAgent } from '../../../agents/define-agent.ts';
import type { Loopwright } from '../../../client.ts';
import type { Outcome } from '../../../contracts/outcome.ts';
import type { LearningAgent } from './tasks.ts';
import type { Show } from './show.ts';

export interface TaskToRun {
  agent: LearningAgent;
  taskId: string;
  input: unknown;
  memory: 'used' | 'withheld';
}

export interface TaskRun extends TaskToRun {
  outcome: Outcome;
  /** What counts everywhere: the first attempt passed. */
  firstPassed: boolean;
  /** Attempts after the first. */
  corrections: number;
}

/** What is not answered by a person here ends soon; ms. */
const WAITS = { approvalTimeoutMs: 2_000, questionTimeoutMs: 2_000, handoffWaitMs: 0 };

/** Starts tasks, so many at a time, and waits for them. In the order of the list. */
export async function runTasks(loopwright: Loopwright<Record<string, AnyAgent>>, show: Show, name: string, tasks: readonly TaskToRun[], atATime: number): Promise<TaskRun[]> {
  const ended: TaskRun[] = [];
  let done = 0;
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let index = next++; index < tasks.length; index = next++) {
      const task = tasks[index]!;
      const handle = await loopwright.start(task.agent, task.input as never, { taskId: task.taskId, startedBy: 'demo', memory: task.memory, limits: WAITS });
      const outcome = await handle.result();
      done += 1;
      show.progress(name, `${done} of ${tasks.length} tasks`);
      ended[index] = { ...task, outcome, firstPassed: outcome.attempts[0]?.passed ?? false, corrections: Math.max(0, outcome.attempts.length - 1) };
    }
  };
  show.progress(name, `0 of ${tasks.length} tasks`);
  await Promise.all(Array.from({ length: Math.min(atATime, tasks.length) }, lane)).finally(() => show.progress(name, null));
  return ended;
}
