import { useCallback, useEffect, useRef } from 'preact/hooks';

/**
 * Runs at once when it is asked for, then not again before `settleMs` have passed and the run before has ended; what was asked for meanwhile
 * becomes one run. Stops with the component.
 */
export function useSettling(run: (signal: AbortSignal) => Promise<void>, settleMs: number): () => void {
  const latest = useRef(run);
  latest.current = run;
  const state = useRef({ running: false, again: false, control: new AbortController() });
  useEffect(() => {
    state.current.control = new AbortController();
    return () => state.current.control.abort();
  }, []);
  return useCallback(() => {
    const start = async (): Promise<void> => {
      const { signal } = state.current.control;
      if (signal.aborted) return;
      state.current.running = true;
      state.current.again = false;
      await Promise.all([latest.current(signal), new Promise((resolve) => setTimeout(resolve, settleMs))]);
      state.current.running = false;
      if (state.current.again) void start();
    };
    if (state.current.running) state.current.again = true;
    else void start();
  }, [settleMs]);
}
