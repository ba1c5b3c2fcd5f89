import type { Experience } from '../contracts/experience.ts';
import type { StoredApproval } from './approvals.ts';
import type { AttemptRow } from './attempts.ts';
import type { StoredRefusal, StoredTuneChange } from './messages.ts';
import type { ModelCallRow } from './model-replies.ts';
import type { PlanRow } from './plans.ts';
import type { SandboxRunRow } from './sandbox-runs.ts';
import type { Store } from './store.ts';
import type { StoredTaskEvent } from './task-events.ts';
import type { TaskRow } from './tasks.ts';
import type { ToolCallRow } from './tool-calls.ts';
import type { TurnRow } from './turns.ts';
import type { VerdictRow } from './verdicts.ts';

/** Everything that is known of a task. */
export interface TaskView {
  task: TaskRow;
  plans: PlanRow[];
  /** With what belongs to each. An attempt that has not been closed yet is here too, with `row` null. */
  attempts: { attempt: number; row: AttemptRow | null; turns: TurnRow[]; toolCalls: ToolCallRow[]; verdicts: VerdictRow[] }[];
  approvals: StoredApproval[];
  modelCalls: ModelCallRow[];
  tuneChanges: StoredTuneChange[];
  refusals: StoredRefusal[];
  /** Those that the agent recorded in its own words; all of them: `taskEvents.listAfter`. */
  events: StoredTaskEvent[];
  /** What the task taught. */
  experiences: Experience[];
  sandboxRuns: SandboxRunRow[];
}

/** One task with all its facts, read in one snapshot of the database; null when there is no such task. */
export async function readTaskView(store: Store, taskId: string): Promise<TaskView | null> {
  return store.database
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (transaction) => {
      const task = await store.tasks.get(taskId, transaction);
      if (!task) return null;
      const rows = await store.attempts.listByTask(taskId, transaction);
      const turns = await store.turns.listByTask(taskId, transaction);
      const toolCalls = await store.toolCalls.listByTask(taskId, transaction);
      const verdicts = await store.verdicts.listByTask(taskId, transaction);
      const numbers = new Set([rows, turns, toolCalls, verdicts].flat().map((row) => row.attempt));
      const attempts = [...numbers]
        .sort((left, right) => left - right)
        .map((attempt) => {
          const own = <R extends { attempt: number }>(all: R[]) => all.filter((row) => row.attempt === attempt);
          return { attempt, row: own(rows)[0] ?? null, turns: own(turns), toolCalls: own(toolCalls), verdicts: own(verdicts) };
        });
      return {
        task,
        plans: await store.plans.listByTask(taskId, transaction),
        attempts,
        approvals: await store.approvals.listByTask(taskId, transaction),
        modelCalls: await store.modelCalls.listByTask(taskId, transaction),
        tuneChanges: await store.tuneChanges.listByTask(taskId, transaction),
        refusals: await store.refusals.listByTask(taskId, transaction),
        events: await store.taskEvents.listOfAgent(taskId, transaction),
        experiences: await store.experiences.listByTask(taskId, transaction),
        sandboxRuns: await store.sandboxRuns.listByTask(taskId, transaction),
      };
    });
}
