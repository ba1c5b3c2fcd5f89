import { ApplicationFailure } from '@temporalio/common';
import { FAILURE } from '../contracts/names.ts';

/** Temporal takes 2 MB; far less is meant to go through history. */
const MAX_RESULT_BYTES = 1024 * 1024;

/**
 * The activities, each of which fails once, by name and size, when its result is too large for history: the server refuses such a
 * result, and the activity would be run again and again.
 */
export function bounded<Activities extends object>(activities: Activities): Activities {
  return Object.fromEntries(
    Object.entries(activities).map(([name, run]) => [
      name,
      async (input: never) => {
        const result = await (run as (input: never) => Promise<unknown>)(input);
        const bytes = Buffer.byteLength(JSON.stringify(result) ?? '');
        if (bytes > MAX_RESULT_BYTES)
          throw ApplicationFailure.nonRetryable(`${name} returned ${bytes} bytes; at most ${MAX_RESULT_BYTES} may go into history`, FAILURE.resultTooLarge);
        return result;
      },
    ]),
  ) as unknown as Activities;
}
