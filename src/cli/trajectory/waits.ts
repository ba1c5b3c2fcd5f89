import type { LiveTaskState, TaskHandle } from '../../client.ts';
import { duration } from '../text/format.ts';
import { type Paint, type Safe, safe } from '../text/safe.ts';
import { LABEL_WIDTH } from './entry.ts';

/**
 * Tells what the facts do not: once per try that an activity waits for its next one (a rate limit, a provider that is down), and messages that
 * the model has not read yet.
 */
export function createWaitReporter(task: TaskHandle, paint: Paint, say: (line: Safe) => void): () => Promise<void> {
  const said = new Set<string>();
  const once = (key: string, line: () => Safe): void => {
    if (said.has(key)) return;
    said.add(key);
    say(line());
  };
  return async () => {
    const state: LiveTaskState | null = await task.state().catch(() => null);
    for (const waiting of state?.waitingActivities ?? []) {
      once(`${waiting.activity} ${waiting.attempt}`, () => {
        const next = waiting.nextAttemptAt === null ? '' : `, next try in ${duration(Math.max(0, waiting.nextAttemptAt - Date.now()))}`;
        return safe`${paint.dim('waits'.padEnd(LABEL_WIDTH))}${paint.yellow(waiting.activity)} try ${waiting.attempt}${next}: ${waiting.lastFailure ?? 'no reason given'}`;
      });
    }
    for (const line of waitingMessageLines(state, paint)) once(line.text, () => line);
  };
}

/** Messages that were accepted and wait for the task's next turn. */
export function waitingMessageLines(state: Pick<LiveTaskState, 'messages'> | null, paint: Paint): Safe[] {
  return (state?.messages.waiting ?? []).map(
    (text) => safe`${paint.dim('message'.padEnd(LABEL_WIDTH))}${paint.magenta('a person says')} ${text} ${paint.dim('(the model reads it at its next turn)')}`,
  );
}
