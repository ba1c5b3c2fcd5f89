import type { Perception } from '../contracts/perception.ts';
import { termsOf } from '../memory/terms.ts';
import { isSameMatter } from '../policy/same-matter.ts';
import { cutText } from '../policy/text.ts';
import { answeredBefore } from '../store/earlier-tasks.ts';
import { createRedactor } from '../telemetry/redaction.ts';
import type { Services } from './services.ts';

/** Whoever comes back later than this has something new in mind, ms: 24 hours. */
const WINDOW_MS = 24 * 3_600_000;
const MAX_CHARS = 2_000;

const redactor = createRedactor();

/** In a chat: the same matter again, soon after it had been answered, says that the answer did not help. Noted at the task that gave it, once. */
export async function noteAskedAgain({ store }: Pick<Services, 'store'>, taskId: string, { intent, entities }: Pick<Perception, 'intent' | 'entities'>): Promise<void> {
  const task = await store.tasks.get(taskId);
  if (!task || task.sessionId === null || task.experimentId !== null) return;
  const before = await answeredBefore(store.database, taskId, WINDOW_MS);
  if (!before) return;
  const text = (await store.chatSessions.started(task.sessionId, taskId))?.text ?? '';
  const isAgain = isSameMatter({ intent: before.intent, entities: before.entities, terms: termsOf(before.text) }, { intent, entities, terms: termsOf(text) });
  if (!isAgain) return;
  await store.transaction((transaction) =>
    store.feedback.observe(
      before.taskId,
      {
        feedbackId: `asked_again/${taskId}`,
        kind: before.solved ? 'reopened' : 'asked_again',
        text: cutText(redactor.text(text), MAX_CHARS),
        attempt: before.bestAttempt,
        by: task.startedBy,
      },
      transaction,
    ),
  );
}
