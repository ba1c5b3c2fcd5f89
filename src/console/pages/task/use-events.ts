import { useSignal } from '@preact/signals';
import { useCallback, useRef } from 'preact/hooks';
import type { TaskEventView } from '../../../contracts/api/events.ts';

/** Events as they come, drawn once a frame however many come in one. */
export function useEvents(): { events: readonly TaskEventView[]; addEvent: (event: TaskEventView) => void } {
  const events = useSignal<readonly TaskEventView[]>([]);
  const all = useRef<TaskEventView[]>([]);
  const waiting = useRef(false);
  const addEvent = useCallback((event: TaskEventView) => {
    all.current.push(event);
    if (waiting.current) return;
    waiting.current = true;
    // Not an animation frame: a page in the background draws none, and must not collect without end.
    setTimeout(() => {
      waiting.current = false;
      events.value = [...all.current];
    }, 16);
  }, []);
  return { events: events.value, addEvent };
}
