import { Context } from '@temporalio/activity';

const HEARTBEAT_MS = 200;

/**
 * Runs an activity's work with a heartbeat by timer, so that a cancellation reaches it within a second however long it waits for others.
 * @param work gets a signal that aborts on cancellation, timeout and worker shutdown.
 */
export async function alive<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const context = Context.current();
  const timer = setInterval(() => context.heartbeat(), HEARTBEAT_MS);
  try {
    return await work(context.cancellationSignal);
  } finally {
    clearInterval(timer);
  }
}

/** A step that ends soon and is not cancelled: its heartbeat only says that its worker lives. */
export function steadily<Input, Result>(step: (input: Input) => Promise<Result>): (input: Input) => Promise<Result> {
  return (input) => alive(() => step(input));
}

/** True when the task was cancelled; false when only this worker stops, or the attempt timed out, and the activity will run again. */
export function isTaskCancelled(): boolean {
  const details = Context.current().cancellationDetails;
  return details?.cancelRequested === true && !details.workerShutdown;
}
