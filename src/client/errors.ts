import type { RefusalCode } from '../contracts/reasons.ts';

/** Something that the caller did or that is not there; `code` says which, the message what to do. */
export class LoopwrightError extends Error {
  override readonly name = 'LoopwrightError';
  readonly code:
    | 'invalid_input'
    | 'input_too_large'
    | 'task_not_found'
    | 'task_id_taken'
    | 'no_answer'
    | 'task_ended'
    | 'no_state'
    | 'no_store'
    | 'experiment_not_found'
    | 'experiment_ended';
  constructor(code: LoopwrightError['code'], message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.code = code;
  }
}

/** A `decide`, `message`, `tune`, `cancel` or `restore` that changed nothing, and why. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly code: RefusalCode;
  constructor(code: RefusalCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** What a person should read is the innermost. */
export function rootMessage(error: unknown): string {
  let cause = error;
  while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause;
  return cause instanceof Error ? cause.message : String(cause);
}
