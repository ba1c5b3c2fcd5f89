import { ApplicationFailure, condition, defineQuery, defineSignal, defineUpdate, setHandler } from '@temporalio/workflow';
import type { Approval, DecideResult } from '../contracts/approval.ts';
import { CANCEL, DECIDE, MESSAGE, STATE, TUNE } from '../contracts/names.ts';
import type { RefusalCode } from '../contracts/reasons.ts';
import type { TaskState } from '../contracts/task-state.ts';
import { recordOf, statusAfter, validateDecide } from '../policy/approval.ts';
import { parseCancel, parseMessage } from '../policy/message-payloads.ts';
import { applyTune, parseTune } from '../policy/tuning.ts';
import { stateOf } from './state-view.ts';
import { limitsOf, parametersOf, refreshDetails, type Task } from './task.ts';

type Checked<T> = { ok: true; value: T } | { ok: false; code: RefusalCode; text: string };

/** One kind of message: how it is checked, and what it does. `apply` is synchronous, so a handler is unfinished only while a run takes up the state of the one before. */
interface MessageKind<T, R> {
  name: 'decide' | 'message' | 'tune' | 'cancel';
  description: string;
  check: (task: Task, payload: unknown) => Checked<T>;
  apply: (task: Task, value: T, via: 'update' | 'signal') => R;
}

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

function open<T>(task: Task, check: () => Checked<T>): Checked<T> {
  return task.closing || task.live.outcome ? { ok: false, code: 'task_closed', text: 'the task is closed; nothing was changed' } : check();
}

const decide: MessageKind<Extract<ReturnType<typeof validateDecide>, { ok: true }>, DecideResult> = {
  name: DECIDE,
  description: 'Decide an approval: {approvalId, decision: approve|reject|edit|respond, hash, by, reason, value?}',
  check: (task, payload) => {
    const checked = validateDecide(payload, task.live.approvals, Date.now(), { ready: task.loop.snapshot !== null });
    return checked.ok ? { ok: true, value: checked } : checked;
  },
  apply: (task, { decide: payload, approval, repeated }, via) => {
    if (repeated && approval.decision) return { approvalId: approval.id, status: approval.status, decision: approval.decision, needs: 0, repeated: true };
    const decision = recordOf(payload, Date.now(), via);
    const decided: Approval = { ...approval, status: statusAfter(payload.decision), decision };
    task.live.approvals = task.live.approvals.map((each) => (each.id === approval.id ? decided : each));
    task.live.askedPerson = true;
    refreshDetails(task);
    return { approvalId: approval.id, status: decided.status, decision, needs: 0, repeated: false };
  },
};

const message: MessageKind<{ text: string; by: string; id?: string }, { received: number }> = {
  name: MESSAGE,
  description: 'Tell the running task something: {text, by?, id?} or a plain string',
  check: (task, payload) =>
    open(task, () => {
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
const tune: MessageKind<TuneValue, { changes: number }> = {
  name: TUNE,
  description: 'Change limits and parameters of the running task: {by, values: {maxAttempts?, passScore?, temperature?, …}}',
  check: (task, payload) =>
    open(task, () => {
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

const cancel: MessageKind<{ reason: string; by: string }, { cancelled: true }> = {
  name: CANCEL,
  description: 'Cancel the task: {reason, by?} or the reason as a plain string',
  check: (task, payload) => open(task, () => parseCancel(payload)),
  apply: (task, value) => {
    task.cancelled ??= value;
    task.cancelScope();
    return { cancelled: true };
  },
};

/**
 * Registers every handler, before the first await. Each message is an Update (checked by a validator: a refusal leaves nothing in
 * history) and a signal of the same name (for the Temporal UI; it never throws, since that would stick the task: a refusal becomes a fact).
 */
export function registerHandlers(task: Task): void {
  setHandler(defineQuery<TaskState>(STATE), () => stateOf(task), { description: 'Where the task stands' });
  register(task, decide);
  register(task, message);
  register(task, tune);
  register(task, cancel);
}

function register<T, R>(task: Task, kind: MessageKind<T, R>): void {
  const safely = (payload: unknown): Checked<T> => {
    try {
      return kind.check(task, payload);
    } catch (error) {
      return { ok: false, code: 'malformed', text: error instanceof Error ? error.message : 'the payload could not be read' };
    }
  };
  const update = (payload: unknown): R => {
    const checked = safely(payload);
    if (!checked.ok) throw ApplicationFailure.nonRetryable(checked.text, checked.code);
    return kind.apply(task, checked.value, 'update');
  };
  const signal = (payload: unknown): void => {
    const checked = safely(payload);
    if (checked.ok) kind.apply(task, checked.value, 'signal');
    else refuse(task, kind.name, checked.code, checked.text);
  };
  setHandler(defineUpdate<R, [unknown]>(kind.name), (payload) => (isTakingUp(task) ? takenUp(task).then(() => update(payload)) : update(payload)), {
    validator: (payload) => {
      if (isTakingUp(task)) return;
      const checked = safely(payload);
      if (!checked.ok) throw ApplicationFailure.nonRetryable(checked.text, checked.code);
    },
    description: kind.description,
  });
  setHandler(defineSignal<[unknown]>(kind.name), (payload) => (isTakingUp(task) ? takenUp(task).then(() => signal(payload)) : signal(payload)), { description: kind.description });
}

/** A run that continues another does not know its approvals and limits yet: what arrives now waits for them, and is not refused for our own sake. */
function isTakingUp(task: Task): boolean {
  return task.start.checkpoint !== undefined && task.loop.snapshot === null && !task.closing;
}

function takenUp(task: Task): Promise<void> {
  return condition(() => !isTakingUp(task));
}

const MAX_UNRECORDED = 500;

function refuse(task: Task, name: MessageKind<unknown, unknown>['name'], code: RefusalCode, text: string): void {
  const refusal = { message: name, code, text, at: Date.now() };
  task.live.refusals = [...task.live.refusals, refusal].slice(-50);
  if (task.live.unrecorded.refusals.length < MAX_UNRECORDED) task.live.unrecorded.refusals.push(refusal);
}
