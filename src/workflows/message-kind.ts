import type { MessageKindName, RefusalCode } from '../contracts/reasons.ts';
import type { Task } from './task.ts';

export type Checked<T> = { ok: true; value: T } | { ok: false; code: RefusalCode; text: string };

/** One kind of message: how it is checked, and what it does. */
export interface MessageKind<T, R> {
  name: MessageKindName;
  description: string;
  /** Pure: it decides whether an Update is let into history. */
  check: (task: Task, payload: unknown) => Checked<T>;
  /**
   * What does not wait is done in the same step as it is checked.
   * @param again checks the payload once more, after a wait. @throws ApplicationFailure whose type is the refusal's code
   */
  apply: (task: Task, value: T, via: 'update' | 'signal', again: () => T) => R | Promise<R>;
}

/** The check, unless the task is closed. */
export function whileOpen<T>(task: Task, check: () => Checked<T>): Checked<T> {
  return task.closing || task.live.outcome ? { ok: false, code: 'task_closed', text: 'the task is closed; nothing was changed' } : check();
}
