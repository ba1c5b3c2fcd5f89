import type { Refusal } from '../contracts/approval.ts';
import type { RestoreChange, TuneChange } from '../contracts/messages.ts';
import type { Executor } from '../store/database.ts';
import { sha256 } from '../store/text.ts';
import type { TaskEntry } from './audit-task.ts';
import type { Services } from './services.ts';
import { recordEvent } from './task-event.ts';

interface Unrecorded {
  changes: TuneChange[];
  refusals: Refusal[];
  restores: RestoreChange[];
}

/** What people changed and what was refused, as rows and events. Recording it again changes nothing. */
export async function recordMessages({ store }: Services, place: { taskId: string; attempt: number }, messages: Unrecorded, executor: Executor): Promise<void> {
  const { taskId } = place;
  const { changes, refusals, restores } = messages;
  for (const change of changes) await store.tuneChanges.record(taskId, change, executor);
  for (const { message, code, text, at } of refusals) await store.refusals.record(taskId, { message, code, text, at }, executor);
  for (const { field, from, to, by, at } of changes) await recordEvent({ store }, place, 'tuned', `tuned.${field}.${at}`, { field, from, to, by }, executor);
  for (const { message, code, text, at } of refusals) await recordEvent({ store }, place, 'message_refused', `refused.${message}.${code}.${at}`, { message, code, text }, executor);
  for (const { attempt, outputHash, by, reason, at } of restores)
    await recordEvent({ store }, place, 'restored', `restored.${attempt}.${at}`, { attempt, outputHash, by, reason }, executor);
}

/** The same for the audit, to be written last. Nobody has proven who sent these: what the gateway sends has a row of its own, `<message>.requested`. */
export function messageEntries(taskId: string, { changes, refusals, restores }: Unrecorded): TaskEntry[] {
  const entry = (action: string, actor: string, told: { at: number }, values: { before?: unknown; after: unknown }): TaskEntry => ({
    key: `${action}/${taskId}/${hashOf(told)}`,
    actor,
    actorVia: 'unsigned',
    action,
    at: told.at,
    ...values,
  });
  return [
    ...changes.map((change) => entry('task.tuned', change.by, change, { before: { [change.field]: change.from }, after: { [change.field]: change.to } })),
    ...refusals.map(({ by, ...refusal }) => {
      const { message, code, text } = refusal;
      return entry(`${message === 'decide' ? 'decision' : message}.refused`, by ?? 'unknown', refusal, { after: { message, code, text } });
    }),
    ...restores.map(({ by, at, ...after }) => entry('task.restored', by, { ...after, at }, { after })),
  ];
}

function hashOf(told: object): string {
  return sha256(JSON.stringify(told)).slice(0, 32);
}
