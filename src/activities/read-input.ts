import type { AnyAgent } from '../agents/define-agent.ts';
import type { Snapshot } from '../contracts/snapshot.ts';
import type { TaskRow } from '../store/tasks.ts';
import type { Services } from './services.ts';

/** The task's row with its snapshot, which `loadSnapshot` wrote. */
export async function taskOf(services: Services, taskId: string): Promise<TaskRow & { snapshot: Snapshot }> {
  const row = await services.store.tasks.get(taskId);
  if (!row?.snapshot) throw new Error(`task ${taskId} has no snapshot in the store`);
  return { ...row, snapshot: row.snapshot };
}

/** The task's input by the agent's schema of today. */
export async function readInput(services: Services, taskId: string, agent: AnyAgent): Promise<unknown> {
  return inputOf(services, taskId, await services.store.tasks.get(taskId), agent);
}

/** The same, of a row that was read before. */
export async function inputOf(services: Services, taskId: string, row: Pick<TaskRow, 'inputHash'> | null, agent: AnyAgent): Promise<unknown> {
  const text = row?.inputHash ? await services.store.blobs.get(row.inputHash) : null;
  if (text === null) throw new Error(`the input of task ${taskId} is not in the store`);
  return agent.input.parse(JSON.parse(text));
}
