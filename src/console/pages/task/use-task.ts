import { useSignal } from '@preact/signals';
import { useCallback, useEffect, useRef } from 'preact/hooks';
import type { DeltaEndView, DeltaResetView, DeltaView, TaskEventView } from '../../../contracts/api/events.ts';
import type { TaskDetail } from '../../../contracts/api/task-detail.ts';
import { ApiError, get, path } from '../../api.ts';
import { useStream } from '../../components/use-stream.ts';
import type { StreamState } from '../../events.ts';
import type { ServerEvent } from '../../server-events.ts';
import { addDelta, breakDraft, type Draft, endDraft, resetDraft } from './draft.ts';
import type { LoadedTurns } from './turn-pages.ts';
import { useEvents } from './use-events.ts';
import { useSettling } from '../../components/use-settling.ts';
import { useTurns } from './use-turns.ts';

export interface LiveTask {
  /** The last that was read; null before the first. */
  detail: TaskDetail | null;
  error: unknown;
  turns: LoadedTurns;
  /** Loads the next turns of an attempt; nothing while it loads some. */
  loadTurns: (attempt: number) => Promise<void>;
  /** What a model is writing now. */
  draft: Draft | null;
  /** Null: the task has closed, and nobody asked for its events. */
  stream: StreamState | null;
  events: readonly TaskEventView[];
  /** Reads the events of a task that had closed before the page was opened. */
  replay: () => void;
  reload: () => void;
}

/** A task that works fast is read again this often at most, ms. */
const SETTLE_MS = 250;
/** A task that has just been started is not in the store for a moment: so often it is looked for again. */
const LOOKS_FOR_NEW = 12;
/** After these the model's text is a fact of its own, or is no more. */
const ENDS_DRAFT = new Set(['decision_made', 'draft_reviewed', 'attempt_closed', 'task_closed']);

/** A task that follows what happens to it. */
export function useTask(taskId: string): LiveTask {
  const detail = useSignal<TaskDetail | null>(null);
  const error = useSignal<unknown>(null);
  const draft = useSignal<Draft | null>(null);
  const followed = useSignal(false);
  const known = useRef(0);
  const looks = useRef(0);
  const { turns, keep, loadTurns } = useTurns(taskId, (problem) => (error.value = problem));
  const { events, addEvent } = useEvents();

  const reload: () => void = useSettling(async (signal) => {
    try {
      const next = await get<TaskDetail>(path`/v1/tasks/${taskId}`, { signal });
      keep(next.view.attempts.flatMap((attempt) => attempt.turns));
      known.current = next.view.events;
      // The detail holds the first turns only: the newest ones of a long attempt are read again too, for their calls may have ended.
      const last = next.view.attempts.at(-1);
      if (last && (turns.get(last.attempt)?.length ?? 0) > last.turns.length) void loadTurns(last.attempt);
      detail.value = next;
      error.value = null;
      if (next.status === 'running') followed.value = true;
    } catch (problem) {
      if (signal.aborted) return;
      if (detail.peek() === null && problem instanceof ApiError && problem.status === 404 && looks.current++ < LOOKS_FOR_NEW) reload();
      else error.value = problem;
    }
  }, SETTLE_MS);
  useEffect(reload, []);

  const onEvent = (event: ServerEvent): void => {
    if (event.type === 'delta') draft.value = addDelta(draft.peek(), JSON.parse(event.data) as DeltaView);
    else if (event.type === 'delta_reset') draft.value = resetDraft(draft.peek(), (JSON.parse(event.data) as DeltaResetView).callKey);
    else if (event.type === 'delta_end') draft.value = endDraft(draft.peek(), JSON.parse(event.data) as DeltaEndView);
    // A snapshot: the gateway could not tell what this page had seen.
    else if (event.type === 'snapshot') reload();
    else {
      const fact = JSON.parse(event.data) as TaskEventView;
      addEvent(fact);
      if (ENDS_DRAFT.has(fact.type)) draft.value = null;
      if (fact.number > known.current) reload();
    }
  };
  const state = useStream(followed.value ? path`/v1/tasks/${taskId}/events` : null, { onEvent, onOpen: (again) => again && reload(), lastType: 'task_closed' });
  useEffect(() => {
    if (state === 'reconnecting' || state === 'failed') draft.value = breakDraft(draft.peek());
    if (state === 'ended') draft.value = null;
  }, [state]);
  const replay = useCallback(() => (followed.value = true), []);

  return { detail: detail.value, error: error.value, turns, loadTurns, draft: draft.value, stream: followed.value ? state : null, events, replay, reload };
}
