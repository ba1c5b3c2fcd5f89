/** What a person says afterwards that an output should have been is learned at once: the task has ended, and nothing else would take it up. */
import type { FeedbackRow } from '../store/feedback.ts';
import type { Store } from '../store/store.ts';
import { EDITED_BY_PERSON } from '../memory/experience.ts';
import { experienceOfPerson } from '../memory/person.ts';
import { termsOf } from '../memory/terms.ts';

/**
 * Keeps a `correction` as an experience: wrong is what the user was told, right is what was said.
 * @param verified an authenticated approver or reviewer said it
 * @returns the experience's id; null for other feedback, and where the agent keeps no experience or the task is part of an experiment
 */
export async function rememberCorrection(store: Store, feedback: FeedbackRow, verified: boolean): Promise<string | null> {
  if (feedback.kind !== 'correction' || feedback.text === null) return null;
  const task = await store.tasks.get(feedback.taskId);
  if (!task || task.situation === null || task.experimentId !== null) return null;
  const { agent, tenant, taskId, situation } = task;
  const experience = experienceOfPerson({
    agent,
    tenant,
    taskId,
    attempt: feedback.attempt ?? task.bestAttempt ?? Math.max(1, task.attempts),
    source: `feedback.${feedback.feedbackId}`,
    situation,
    wrong: task.text,
    right: feedback.text.trim(),
    by: feedback.by,
    verified,
    at: feedback.at.getTime(),
  });
  return store.experiences.put({ ...experience, terms: termsOf(`${EDITED_BY_PERSON} ${situation}`) });
}
