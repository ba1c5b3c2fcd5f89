import { setTimeout as sleep } from 'node:timers/promises';
import type { LiveTaskState, TaskHandle } from '../../client.ts';
import type { Outcome } from '../../contracts/outcome.ts';
import type { Store } from '../../store/store.ts';
import type { TaskView } from '../../store/task-view.ts';
import { duration } from '../text/format.ts';
import type { Paint, Safe } from '../text/safe.ts';
import { safe } from '../text/safe.ts';
import { LABEL_WIDTH } from './entry.ts';
import { trajectoryOf } from './trajectory.ts';

export interface FollowOptions {
  store: Store;
  task: TaskHandle;
  paint: Paint;
  say: (line: Safe) => void;
  /** Called with each look at the facts: decides approvals in the demo. */
  onView?: (view: TaskView) => Promise<void>;
  pollMs?: number;
}

/** Says what a task does, as it does it, until it ends. Reads the facts, so that nothing between two looks is missed. @throws {LoopwrightError} */
export async function follow({ store, task, paint, say, onView, pollMs = 150 }: FollowOptions): Promise<Outcome> {
  const said = new Set<string>();
  const waits = createWaitReporter(task, paint, say);
  let outcome: Outcome | null = null;
  let failure: unknown = null;
  const ended = task.result().then(
    (result) => {
      outcome = result;
    },
    (error: unknown) => {
      failure = error ?? new Error('the task failed');
    },
  );
  const look = async (): Promise<void> => {
    const view = await store.taskView(task.taskId);
    if (!view) return;
    const texts = await store.blobs.getMany(view.attempts.flatMap((attempt) => attempt.toolCalls.flatMap((call) => call.resultHash ?? [])));
    for (const entry of trajectoryOf(view, { paint, full: false, texts })) {
      if (said.has(entry.key)) continue;
      said.add(entry.key);
      entry.lines.forEach(say);
    }
    await onView?.(view);
  };
  while (outcome === null && failure === null) {
    await look();
    await waits();
    await Promise.race([ended, sleep(pollMs)]);
  }
  await look();
  if (outcome === null) throw failure;
  return outcome;
}

const WAIT_LOOK_MS = 2_000;

/** Says once per try that an activity waits for its next one: a rate limit, a provider that is down. */
function createWaitReporter(task: TaskHandle, paint: Paint, say: (line: Safe) => void): () => Promise<void> {
  const said = new Set<string>();
  let lookedAt = Date.now();
  return async () => {
    if (Date.now() - lookedAt < WAIT_LOOK_MS) return;
    lookedAt = Date.now();
    const state: LiveTaskState | null = await task.state().catch(() => null);
    for (const waiting of state?.waitingActivities ?? []) {
      const key = `${waiting.activity} ${waiting.attempt}`;
      if (said.has(key)) continue;
      said.add(key);
      const next = waiting.nextAttemptAt === null ? '' : `, next try in ${duration(Math.max(0, waiting.nextAttemptAt - Date.now()))}`;
      say(safe`${paint.dim('waits'.padEnd(LABEL_WIDTH))}${paint.yellow(waiting.activity)} try ${waiting.attempt}${next}: ${waiting.lastFailure ?? 'no reason given'}`);
    }
  };
}
