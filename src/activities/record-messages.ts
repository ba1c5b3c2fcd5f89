import { createHash } from 'node:crypto';
import type { Refusal } from '../contracts/approval.ts';
import type { RestoreChange, TuneChange } from '../contracts/messages.ts';
import { DEFAULT_TENANT } from '../contracts/names.ts';
import type { Executor } from '../store/database.ts';
import type { Services } from './services.ts';
import { recordEvent } from './task-event.ts';

interface Unrecorded {
  changes: TuneChange[];
  refusals: Refusal[];
  restores: RestoreChange[];
}

/** What people changed and what was refused, as rows, events and audit. Recording it again changes nothing. */
export async function recordMessages({ store }: Services, place: { taskId: string; attempt: number }, messages: Unrecorded, executor: Executor): Promise<void> {
  const { taskId } = place;
  const { changes, refusals, restores } = messages;
  for (const change of changes) await store.tuneChanges.record(taskId, change, executor);
  for (const { message, code, text, at } of refusals) await store.refusals.record(taskId, { message, code, text, at }, executor);
  for (const { field, from, to, by, at } of changes) await recordEvent({ store }, place, 'tuned', `tuned.${field}.${at}`, { field, from, to, by }, executor);
  for (const { message, code, text, at } of refusals) await recordEvent({ store }, place, 'message_refused', `refused.${message}.${code}.${at}`, { message, code, text }, executor);
  for (const { attempt, outputHash, by, reason, at } of restores)
    await recordEvent({ store }, place, 'restored', `restored.${attempt}.${at}`, { attempt, outputHash, by, reason }, executor);
  await audit(store, taskId, messages, executor);
}

/** Nobody has proven who sent these: the gateway audits its callers itself. */
async function audit(store: Services['store'], taskId: string, { changes, refusals, restores }: Unrecorded, executor: Executor): Promise<void> {
  if (changes.length + refusals.length + restores.length === 0) return;
  const tenant = (await store.tasks.get(taskId, executor))?.tenant ?? DEFAULT_TENANT;
  const append = (action: string, actor: string, told: { at: number }, entry: { before?: unknown; after: unknown }): Promise<boolean> =>
    store.audit.append({ tenant, key: `${action}/${taskId}/${hashOf(told)}`, actor, actorVia: 'unsigned', action, taskId, at: told.at, ...entry }, executor);
  for (const change of changes) await append('task.tuned', change.by, change, { before: { [change.field]: change.from }, after: { [change.field]: change.to } });
  for (const { by, ...refusal } of refusals)
    await append(`${refusal.message === 'decide' ? 'decision' : refusal.message}.refused`, by ?? 'unknown', refusal, {
      after: { message: refusal.message, code: refusal.code, text: refusal.text },
    });
  for (const { by, at, ...after } of restores) await append('task.restored', by, { ...after, at }, { after });
}

function hashOf(told: object): string {
  return createHash('sha256').update(JSON.stringify(told)).digest('hex').slice(0, 32);
}
