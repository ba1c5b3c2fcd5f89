import type { Refusal } from '../contracts/approval.ts';
import type { TuneChange } from '../contracts/messages.ts';
import type { Services } from './services.ts';
import { recordEvent } from './task-event.ts';

type Executor = Parameters<Services['store']['refusals']['record']>[2];

/** What people changed and what was refused, as rows. */
export async function recordMessages(
  { store }: Services,
  place: { taskId: string; attempt: number },
  { changes, refusals }: { changes: TuneChange[]; refusals: Refusal[] },
  executor: Executor,
): Promise<void> {
  const { taskId } = place;
  for (const change of changes) await store.tuneChanges.record(taskId, change, executor);
  for (const refusal of refusals) await store.refusals.record(taskId, refusal, executor);
  for (const { field, from, to, by, at } of changes) await recordEvent({ store }, place, 'tuned', `tuned.${field}.${at}`, { field, from, to, by }, executor);
  for (const { message, code, text, at } of refusals) await recordEvent({ store }, place, 'message_refused', `refused.${message}.${code}.${at}`, { message, code, text }, executor);
}
