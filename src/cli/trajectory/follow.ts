import { setTimeout as sleep } from 'node:timers/promises';
import type { TaskHandle } from '../../client.ts';
import type { Outcome } from '../../contracts/outcome.ts';
import type { StoredApproval } from '../../store/approvals.ts';
import type { Store } from '../../store/store.ts';
import type { StoredTaskEvent } from '../../store/task-events.ts';
import type { TaskView } from '../../store/task-view.ts';
import { type LiveArea, plainArea } from '../live/live-area.ts';
import { statusLines } from '../live/status-lines.ts';
import type { Paint, Safe } from '../text/safe.ts';
import { trajectoryOf } from './trajectory.ts';
import { createWaitReporter } from './waits.ts';

export interface FollowOptions {
  store: Store;
  task: TaskHandle;
  paint: Paint;
  say: (line: Safe) => void;
  /** Lines on how to decide an approval, said beneath it while it waits. */
  howToDecide?: (approval: StoredApproval) => Safe[];
  /** Redrawn with what the task does now, where a person watches. */
  live?: LiveArea | null;
  /** Called with each look at the facts: decides approvals in the demo. */
  onView?: (view: TaskView) => Promise<void>;
  /** Called now and then: throws when nobody will ever answer any more. */
  stillThere?: () => Promise<void>;
  pollMs?: number;
}

/** Between two questions to the worker: what waits, and whether the stack is there; ms. */
const ASK_MS = 2_000;
/** A whole look is due after this, ms, also when the log did not grow. */
const LOOK_MS = 1_000;
const MAX_EVENTS = 10_000;

/** Says what a task does, as it does it, until it ends. Reads the facts, so that nothing between two looks is missed. @throws {LoopwrightError} */
export async function follow(options: FollowOptions): Promise<Outcome> {
  const { task, paint, pollMs = 150, stillThere } = options;
  const area = options.live ?? plainArea(options.say);
  const look = createLook(options, area);
  const waits = createWaitReporter(task, paint, area.say);
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
  let askedAt = Date.now();
  try {
    while (outcome === null && failure === null) {
      await look();
      if (Date.now() - askedAt > ASK_MS) {
        askedAt = Date.now();
        await stillThere?.();
        await waits();
      }
      await Promise.race([ended, sleep(pollMs)]);
    }
    await look();
  } finally {
    area.end();
  }
  if (outcome === null) throw failure;
  return outcome;
}

/** Looks at the facts when the task's log has grown: says those that are new, and redraws what is live. */
function createLook({ store, task, paint, onView, howToDecide }: FollowOptions, area: LiveArea): () => Promise<void> {
  const said = new Set<string>();
  const events: StoredTaskEvent[] = [];
  let last: { view: TaskView; at: number; number: number | null } | null = null;
  let ticks = 0;
  const sayNew = (view: TaskView, texts: ReadonlyMap<string, string>): void => {
    for (const entry of trajectoryOf(view, events, { paint, full: false, texts })) {
      if (said.has(entry.key)) continue;
      said.add(entry.key);
      entry.lines.forEach((line) => area.say(line));
      const asked = howToDecide && view.approvals.find(({ id, status }) => status === 'pending' && entry.key === `approval ${id}`);
      if (asked) howToDecide(asked).forEach((line) => area.say(line));
    }
  };
  return async () => {
    const number = await store.taskEvents.last(task.taskId);
    if (last === null || number !== last.number || Date.now() - last.at > LOOK_MS) {
      const view = await store.taskView(task.taskId);
      if (!view) return;
      events.push(...(await store.taskEvents.listAfter(task.taskId, events.at(-1)?.number ?? 0, MAX_EVENTS)));
      sayNew(view, await store.blobs.getMany(view.attempts.flatMap((attempt) => attempt.toolCalls.flatMap((call) => call.resultHash ?? []))));
      last = { view, at: Date.now(), number };
      await onView?.(view);
    }
    area.show(last.view.task.outcome ? [] : statusLines(last.view, paint, ticks++, Date.now()));
  };
}
