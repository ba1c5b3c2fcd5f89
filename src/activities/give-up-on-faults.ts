import { Context } from '@temporalio/activity';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { isStoreUnavailable } from '../store/unavailable.ts';

/** Tries after which an error of our own code is taken for what it is. */
const MAX_TRIES = 3;

/**
 * Temporal's retries of a stage bridge an outage of the store and a worker that died. An error that is neither, and has no type that says
 * how to go on, will come again: it ends the stage after some tries.
 */
export function giveUpOnFaults<Input, Result>(stage: (input: Input) => Promise<Result>): (input: Input) => Promise<Result> {
  return async (input) => {
    try {
      return await stage(input);
    } catch (error) {
      const isTyped = error instanceof ApplicationFailure || error instanceof CancelledFailure;
      if (isTyped || isStoreUnavailable(error) || Context.current().cancellationSignal.aborted || Context.current().info.attempt < MAX_TRIES) throw error;
      throw ApplicationFailure.create({ message: error instanceof Error ? error.message : String(error), nonRetryable: true, cause: error instanceof Error ? error : undefined });
    }
  };
}
