import type { Refusal } from '../contracts/approval.ts';
import type { TuneChange } from '../contracts/messages.ts';
import type { Services } from './services.ts';

type Executor = Parameters<Services['store']['refusals']['record']>[2];

/** What people changed and what was refused, as rows. */
export async function recordMessages(
  { store }: Services,
  taskId: string,
  { changes, refusals }: { changes: TuneChange[]; refusals: Refusal[] },
  executor: Executor,
): Promise<void> {
  for (const change of changes) await store.tuneChanges.record(taskId, change, executor);
  for (const refusal of refusals) await store.refusals.record(taskId, refusal, executor);
}
