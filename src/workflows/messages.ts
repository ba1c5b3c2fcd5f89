/** What `message`, `tune`, `cancel` and `restore` do: each takes effect at once. */
import { CANCEL, MESSAGE, RESTORE, TUNE } from '../contracts/names.ts';
import type { CancelPayload, RestorePayload } from '../contracts/messages.ts';
import { restoredBest, type Best } from '../policy/best.ts';
import { parseCancel, parseMessage, parseRestore } from '../policy/message-payloads.ts';
import { applyTune, parseTune } from '../policy/tuning.ts';
import { type MessageKind, whileOpen } from './message-kind.ts';
import { limitsOf, parametersOf, refreshDetails, type Task } from './task.ts';

const MAX_WAITING_MESSAGES = 1_000;
/** Of all waiting messages, as JSON in JSON: a checkpoint holds them twice at most (waiting, and given to the turn that it goes back to) and may have 1 MB. */
const MAX_WAITING_BYTES = 300_000;

/** Quotes and control characters are escaped twice; others have up to 3 bytes a UTF-16 unit. */
function bytesInCheckpoint(text: string): number {
  const json = JSON.stringify(JSON.stringify(text));
  let bytes = json.length;
  for (let index = 0; index < json.length; index += 1) bytes += json.charCodeAt(index) > 0x7ff ? 2 : json.charCodeAt(index) > 0x7f ? 1 : 0;
  return bytes;
}

export const message: MessageKind<{ text: string; by: string; id?: string }, { received: number }> = {
  name: MESSAGE,
  description: 'Tell the running task something: {text, by?, id?} or a plain string',
  check: (task, payload) =>
    whileOpen(task, () => {
      const checked = parseMessage(payload);
      if (!checked.ok) return checked;
      if (task.live.inbox.length >= MAX_WAITING_MESSAGES) return { ok: false, code: 'too_many', text: `${MAX_WAITING_MESSAGES} messages are waiting already` };
      const bytes = task.live.inbox.reduce((sum, waiting) => sum + bytesInCheckpoint(waiting.text), bytesInCheckpoint(checked.value.text));
      if (bytes > MAX_WAITING_BYTES) return { ok: false, code: 'too_many', text: `the messages that wait would have ${bytes} bytes; at most ${MAX_WAITING_BYTES} may wait` };
      return checked;
    }),
  apply: (task, { text, by, id }) => {
    const { live } = task;
    if (id === undefined || !live.seenMessages.includes(id)) {
      live.messagesReceived += 1;
      live.inbox.push({ id: id ?? `message.${live.messagesReceived}`, text, by });
      if (id !== undefined) live.seenMessages.push(id);
    }
    return { received: live.messagesReceived };
  },
};

type TuneValue = Extract<ReturnType<typeof parseTune>, { ok: true }>['value'];
export const tune: MessageKind<TuneValue, { changes: number }> = {
  name: TUNE,
  description: 'Change limits and parameters of the running task: {by, values: {maxAttempts?, passScore?, temperature?, …}}',
  check: (task, payload) =>
    whileOpen(task, () => {
      if (!task.loop.snapshot) return { ok: false, code: 'not_ready', text: 'the task is still loading its agent; try again in a moment' };
      return parseTune(payload, task.loop.snapshot.tuning);
    }),
  apply: (task, payload) => {
    const { live } = task;
    const tuned = applyTune(limitsOf(task), parametersOf(task), payload, Date.now());
    live.limits = tuned.limits;
    live.parameters = tuned.parameters;
    live.changes = [...live.changes, ...tuned.changes].slice(-50);
    live.unrecorded.changes.push(...tuned.changes);
    refreshDetails(task);
    return { changes: tuned.changes.length };
  },
};

export const cancel: MessageKind<CancelPayload, { cancelled: true }> = {
  name: CANCEL,
  description: 'Cancel the task: {reason, by?} or the reason as a plain string',
  check: (task, payload) => whileOpen(task, () => parseCancel(payload)),
  apply: (task, value) => {
    task.cancelled ??= value;
    task.cancelScope();
    return { cancelled: true };
  },
};

const MAX_SHOWN_RESTORES = 20;

/** The next correction starts from the restored output, and the outcome returns it, until a later attempt passes or scores higher than all before. */
export const restore: MessageKind<{ chosen: Best; payload: RestorePayload }, { attempt: number; score: number }> = {
  name: RESTORE,
  description: "Make an earlier attempt's output the current one: {attempt, by, reason?}",
  check: (task, payload) =>
    whileOpen(task, () => {
      const parsed = parseRestore(payload);
      if (!parsed.ok) return parsed;
      if (!task.loop.snapshot) return { ok: false, code: 'not_ready', text: 'the task is still loading its agent; try again in a moment' };
      if (task.deciding.has(handoffOf(task)?.id ?? '')) return { ok: false, code: 'not_ready', text: 'a person is just deciding on the current output; look again in a moment' };
      const chosen = outputOf(task, parsed.value.attempt);
      if (chosen) return { ok: true, value: { chosen, payload: parsed.value } };
      const attempts = task.loop.records.flatMap((record, index) => (record.outputHash === null ? [] : [index + 1]));
      return {
        ok: false,
        code: 'unknown_attempt',
        text: `Attempt ${parsed.value.attempt} has no output to go back to. ${attempts.length > 0 ? `These have one: ${attempts.slice(-50).join(', ')}.` : 'No attempt has ended yet.'}`,
      };
    }),
  apply: (task, { chosen, payload }) => {
    const { live, loop } = task;
    live.restored = restoredBest(
      chosen,
      loop.records.map((record) => record.score),
    );
    const change = { attempt: chosen.attempt, outputHash: chosen.outputHash, by: payload.by, reason: payload.reason, at: Date.now() };
    live.restores = [...live.restores, change].slice(-MAX_SHOWN_RESTORES);
    live.unrecorded.restores.push(change);
    live.askedPerson = true;
    askAnew(task, chosen.outputHash);
    refreshDetails(task);
    return { attempt: chosen.attempt, score: chosen.score };
  },
};

/** The output of an attempt that has ended. */
function outputOf({ loop }: Task, attempt: number): Best | null {
  const record = loop.records[attempt - 1];
  return record?.outputHash ? { attempt, outputHash: record.outputHash, score: record.score ?? 0, passed: false } : null;
}

function handoffOf(task: Task): Task['live']['approvals'][number] | undefined {
  return task.live.approvals.find((approval) => approval.status === 'pending' && approval.kind === 'handoff' && approval.tool === null);
}

/** Whoever is asked to take the best output is asked about other bytes now. */
function askAnew(task: Task, outputHash: string): void {
  const asked = handoffOf(task);
  if (asked && asked.hash !== outputHash) task.live.approvals = task.live.approvals.map((each) => (each === asked ? { ...asked, status: 'withdrawn' } : each));
}
