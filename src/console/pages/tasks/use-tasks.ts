import { useSignal } from '@preact/signals';
import { useCallback, useEffect, useRef } from 'preact/hooks';
import type { Page } from '../../../contracts/api/page.ts';
import type { TaskSummary } from '../../../contracts/api/tasks.ts';
import { get, withQuery } from '../../api.ts';
import { useFeed } from '../../components/use-feed.ts';
import { useSettling } from '../../components/use-settling.ts';
import type { StreamState } from '../../events.ts';
import { feedState } from '../../state/feed.ts';
import { withNewer } from './merge-tasks.ts';

export interface TaskFilters {
  agent: string | null;
  status: string | null;
  outcome: string | null;
  q: string | null;
}

export interface TaskList {
  items: readonly TaskSummary[] | null;
  error: unknown;
  /** There are older ones. */
  more: boolean;
  stream: StreamState;
  loadMore: () => Promise<void>;
  reload: () => void;
}

const PAGE = 50;
/** The most that one request gives. */
const LARGEST_PAGE = 200;
/** When much happens the list is read again this often at most, ms. */
const SETTLE_MS = 500;

/** Tasks that fit the filters, newest first; follows what happens to them. */
export function useTasks(filters: TaskFilters): TaskList {
  const items = useSignal<readonly TaskSummary[] | null>(null);
  const next = useSignal<string | null>(null);
  const error = useSignal<unknown>(null);
  const key = JSON.stringify(filters);
  const wanted = useRef(key);
  const loading = useRef(false);

  const reload = useSettling(async (signal) => {
    const asked = wanted.current;
    const known = items.peek() ?? [];
    try {
      const page = await read(asked, { limit: Math.min(LARGEST_PAGE, Math.max(PAGE, known.length)) }, signal);
      if (asked !== wanted.current) return;
      items.value = withNewer(known, page);
      if (page.items.length >= known.length || page.next === null) next.value = page.next;
      error.value = null;
    } catch (problem) {
      if (!signal.aborted && asked === wanted.current) error.value = problem;
    }
  }, SETTLE_MS);
  useEffect(() => {
    wanted.current = key;
    items.value = null;
    next.value = null;
    reload();
  }, [key]);

  const loadMore = useCallback(async (): Promise<void> => {
    const asked = wanted.current;
    if (loading.current || next.peek() === null) return;
    loading.current = true;
    try {
      const page = await read(asked, { limit: PAGE, cursor: next.peek() });
      if (asked !== wanted.current) return;
      const known = new Set(items.peek()?.map((task) => task.taskId));
      items.value = [...(items.peek() ?? []), ...page.items.filter((task) => !known.has(task.taskId))];
      next.value = page.next;
    } catch (problem) {
      error.value = problem;
    } finally {
      loading.current = false;
    }
  }, []);

  useFeed({ onChange: reload, onOpen: reload });
  return { items: items.value, error: error.value, more: next.value !== null, stream: feedState.value, loadMore, reload };
}

function read(filters: string, page: { limit: number; cursor?: string | null }, signal?: AbortSignal): Promise<Page<TaskSummary>> {
  return get<Page<TaskSummary>>(withQuery('/v1/tasks', { ...(JSON.parse(filters) as TaskFilters), ...page }), { signal });
}
