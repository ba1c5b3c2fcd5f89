import { useSignal } from '@preact/signals';
import { useCallback, useEffect, useRef } from 'preact/hooks';

export interface Loaded<T> {
  /** The last that came; kept while it is loaded again. */
  data: T | null;
  error: unknown;
  loading: boolean;
  /** Loads again; calls while it loads become one more load. */
  reload: () => void;
}

/** Loads when the component appears and whenever `key` changes. What comes late, for a key before, is dropped. */
export function useLoad<T>(key: string, load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const data = useSignal<T | null>(null);
  const error = useSignal<unknown>(null);
  const loading = useSignal(true);
  const latest = useRef(load);
  latest.current = load;
  const running = useRef<AbortController | null>(null);
  const again = useRef(false);
  const start = useCallback(async (): Promise<void> => {
    const control = new AbortController();
    running.current = control;
    again.current = false;
    loading.value = true;
    try {
      const next = await latest.current(control.signal);
      if (control.signal.aborted) return;
      data.value = next;
      error.value = null;
    } catch (problem) {
      if (control.signal.aborted) return;
      error.value = problem;
    }
    running.current = null;
    loading.value = false;
    if (again.current) void start();
  }, []);
  useEffect(() => {
    data.value = null;
    error.value = null;
    void start();
    return () => {
      running.current?.abort();
      running.current = null;
    };
  }, [key]);
  const reload = useCallback((): void => {
    if (running.current) again.current = true;
    else void start();
  }, []);
  return { data: data.value, error: error.value, loading: loading.value, reload };
}
