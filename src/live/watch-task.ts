import type { Store } from '../store/store.ts';
import type { StoredTaskEvent } from '../store/task-events.ts';
import type { Hub } from './hub.ts';
import { followCalls, type StreamChanges } from './open-calls.ts';
import { patiently } from './patience.ts';
import { readDrafts, type Preview } from './preview.ts';
import { Wake } from './wake.ts';
import type { Watched, WatchedEvent } from './watched.ts';

/** Events read at once; a slow reader holds no more than these. */
const PAGE = 200;

const NOTHING: StreamChanges = { ended: [], written: [] };

export interface WatchOptions {
  /** Number of the last event that the reader has; 0: from the first. */
  after: number;
  signal: AbortSignal;
  /** False: no texts of models that still write. Default true. */
  deltas?: boolean;
  /** The agent's own: texts come as a person can read them. Absent: only outputs that are text, and questions, are read. */
  preview?: Preview | undefined;
  /** True: texts come as the model writes them, mostly JSON. */
  raw?: boolean;
}

/**
 * A task's stored events in order, each once, then those that come, until `task_closed`; with them what models write meanwhile. Notices only wake
 * the reader: what it is given it reads from the store, so nothing is lost or doubled and nothing piles up while it is busy.
 */
export async function* watchTask(
  hub: Hub,
  store: Store,
  pollMs: number,
  taskId: string,
  { after, signal, deltas = true, preview, raw = false }: WatchOptions,
): AsyncGenerator<Watched, void, undefined> {
  const wake = new Wake();
  const call = (): void => wake.call();
  const remove = hub.add({ taskId, onNotice: call, onGap: call, ...(deltas ? { onStream: call } : {}) });
  const calls = followCalls(store, taskId);
  const read = raw ? (each: Watched) => [each] : readDrafts(preview);
  let number = after;
  // whoever comes after the end, or to a task from before there were events, waits for nothing
  let mayBeOver = true;
  try {
    while (!signal.aborted) {
      // events first: a text that ended before one of them is then seen to have ended
      const events = (await patiently(() => store.taskEvents.listAfter(taskId, number, PAGE), signal)) ?? [];
      const isBehind = events.length === PAGE;
      const { ended, written } = (deltas && !isBehind && (await patiently(calls.look, signal))) || NOTHING;
      yield* ended.flatMap(read);
      for (const event of events) {
        number = event.number;
        yield watched(event);
        if (event.type === 'task_closed') return;
      }
      if (isBehind) continue;
      yield* written.flatMap(read);
      if (events.length === 0 && mayBeOver && (await patiently(() => store.taskEvents.isOver(taskId, number), signal))) return;
      mayBeOver = (await wake.sleep(pollMs, signal)) === 'timeout';
    }
  } finally {
    remove();
  }
}

function watched({ number, type, attempt, detail, at }: StoredTaskEvent): WatchedEvent {
  return { type: 'event', event: { number, type, at: at.getTime(), attempt, detail } };
}
