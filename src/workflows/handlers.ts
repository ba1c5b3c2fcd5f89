import { ApplicationFailure, CancellationScope, condition, defineQuery, defineSignal, defineUpdate, setHandler } from '@temporalio/workflow';
import { STATE } from '../contracts/names.ts';
import { REFUSAL_CODES, type MessageKindName, type RefusalCode } from '../contracts/reasons.ts';
import type { TaskState } from '../contracts/task-state.ts';
import { isObject, own } from '../policy/json-value.ts';
import { cutText } from '../policy/text.ts';
import { decide } from './decide-message.ts';
import type { Checked, MessageKind } from './message-kind.ts';
import { cancel, message, restore, tune } from './messages.ts';
import { isUndecodable } from './payload-converter.ts';
import { stateOf } from './state-view.ts';
import type { Task } from './task.ts';

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
  register(task, restore);
}

function register<T, R>(task: Task, kind: MessageKind<T, R>): void {
  const safely = (payload: unknown): Checked<T> => {
    try {
      if (isUndecodable(payload)) return { ok: false, code: 'malformed', text: 'The payload could not be read: send JSON (encoding json/plain).' };
      return kind.check(task, payload);
    } catch (error) {
      return { ok: false, code: 'malformed', text: error instanceof Error ? error.message : 'the payload could not be read' };
    }
  };
  const checkedOrThrow = (payload: unknown): T => {
    const checked = safely(payload);
    if (!checked.ok) throw ApplicationFailure.nonRetryable(checked.text, checked.code);
    return checked.value;
  };
  // not cancellable: what was accepted is handled, also when the task is being cancelled
  const handle = (payload: unknown, via: 'update' | 'signal'): Promise<R> =>
    CancellationScope.nonCancellable(async () => {
      if (isTakingUp(task)) await takenUp(task);
      return kind.apply(task, checkedOrThrow(payload), via, () => checkedOrThrow(payload));
    });
  setHandler(
    defineUpdate<R, [unknown]>(kind.name),
    async (payload) => {
      try {
        return await handle(payload, 'update');
      } catch (error) {
        // it was let into history, and refused after that
        recordRefusal(task, kind.name, payload, error);
        throw error;
      }
    },
    { validator: (payload) => void (isTakingUp(task) || checkedOrThrow(payload)), description: kind.description },
  );
  setHandler(
    defineSignal<[unknown]>(kind.name),
    async (payload) => {
      try {
        await handle(payload, 'signal');
      } catch (error) {
        recordRefusal(task, kind.name, payload, error);
      }
    },
    { description: kind.description },
  );
}

/** A run that continues another does not know its approvals and limits yet: what arrives now waits for them, and is not refused for our own sake. */
function isTakingUp(task: Task): boolean {
  return task.start.checkpoint !== undefined && task.loop.snapshot === null && !task.closing;
}

function takenUp(task: Task): Promise<void> {
  return condition(() => !isTakingUp(task));
}

/** Refusals of a task that become rows of their own: a flood must fill neither history nor the audit. */
const MAX_RECORDED = 100;
const MAX_SHOWN = 50;
const MAX_TEXT = 1_000;

function recordRefusal(task: Task, name: MessageKindName, payload: unknown, error: unknown): void {
  const { live } = task;
  const text = error instanceof Error ? error.message : 'the message could not be handled';
  const by = isObject(payload) ? own(payload, 'by') : undefined;
  const refusal = { message: name, code: codeOf(error), text: cutText(text, MAX_TEXT), at: Date.now(), ...(typeof by === 'string' ? { by: cutText(by, 200) } : {}) };
  live.refused += 1;
  live.refusals = [...live.refusals, refusal].slice(-MAX_SHOWN);
  if (live.refused <= MAX_RECORDED) live.unrecorded.refusals.push(refusal);
  if (live.refused === MAX_RECORDED)
    live.unrecorded.refusals.push({
      ...refusal,
      code: 'too_many',
      text: `${MAX_RECORDED} messages were refused; what is refused from now on is counted in the state, and not recorded.`,
    });
}

function codeOf(error: unknown): RefusalCode {
  const type = error instanceof ApplicationFailure ? error.type : null;
  return REFUSAL_CODES.find((code) => code === type) ?? 'malformed';
}
