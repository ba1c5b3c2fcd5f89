import { useSignal } from '@preact/signals';
import { useCallback, useRef } from 'preact/hooks';
import type { Page } from '../../../contracts/api/page.ts';
import type { TurnView } from '../../../contracts/api/task-detail.ts';
import { get, path, withQuery } from '../../api.ts';
import { addTurns, type LoadedTurns } from './turn-pages.ts';

const PAGE = 100;

/** The turns of a task, more of them on demand. */
export function useTurns(
  taskId: string,
  onError: (error: unknown) => void,
): { turns: LoadedTurns; keep: (turns: readonly TurnView[]) => void; loadTurns: (attempt: number) => Promise<void> } {
  const turns = useSignal<LoadedTurns>(new Map());
  const pages = useRef(new Map<number, { cursor: string | null; running: boolean }>());
  const keep = useCallback((fresh: readonly TurnView[]) => {
    turns.value = addTurns(turns.peek(), fresh);
  }, []);
  const loadTurns = useCallback(async (attempt: number): Promise<void> => {
    const page = pages.current.get(attempt) ?? { cursor: null, running: false };
    pages.current.set(attempt, page);
    if (page.running) return;
    page.running = true;
    try {
      const next = await get<Page<TurnView>>(withQuery(path`/v1/tasks/${taskId}/turns`, { attempt, cursor: page.cursor, limit: PAGE }));
      keep(next.items);
      // The last page of an attempt that goes on is read again: it may have grown.
      page.cursor = next.next ?? page.cursor;
    } catch (problem) {
      onError(problem);
    } finally {
      page.running = false;
    }
  }, []);
  return { turns: turns.value, keep, loadTurns };
}
