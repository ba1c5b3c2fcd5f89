import { z } from 'zod';
import { feedbackSchema, type FeedbackInput } from '../contracts/feedback.ts';
import type { FeedbackRow } from '../store/feedback.ts';
import type { Store } from '../store/store.ts';
import { rememberCorrection } from '../retrieval/corrections.ts';
import { LoopwrightError } from './errors.ts';

export type RecordedFeedback = FeedbackRow;

/**
 * Records it; a correction becomes an experience too.
 * @param verified it is from an authenticated approver or reviewer, so that their word counts as reviewed
 * @throws {LoopwrightError} `no_store`, `invalid_input`, `task_not_found`
 */
export async function recordFeedback(store: Store | undefined, taskId: string, feedback: FeedbackInput, verified = false): Promise<RecordedFeedback> {
  if (!store) throw new LoopwrightError('no_store', 'Feedback is written to the database: give Loopwright the option `store`.');
  const parsed = feedbackSchema.safeParse(feedback);
  if (!parsed.success) throw new LoopwrightError('invalid_input', `The feedback can't be recorded: ${z.prettifyError(parsed.error)}`);
  const recorded = await store.feedback.record(taskId, parsed.data);
  if (!recorded || recorded.taskId !== taskId)
    throw recorded
      ? new LoopwrightError('invalid_input', `feedbackId: ${feedback.feedbackId} was given before, for another task. Give each an id of its own.`)
      : new LoopwrightError('task_not_found', `There is no task ${taskId} in the store.`);
  await rememberCorrection(store, recorded, verified);
  return recorded;
}
