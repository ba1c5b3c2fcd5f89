import { useCallback, useEffect, useRef } from 'preact/hooks';

/** Runs some time after it is first asked for; what is asked for meanwhile is the same run. */
export function useSlowly(run: () => void, afterMs: number): () => void {
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const latest = useRef(run);
  latest.current = run;
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current);
    },
    [],
  );
  return useCallback(() => {
    timer.current ??= setTimeout(() => {
      timer.current = null;
      latest.current();
    }, afterMs);
  }, [afterMs]);
}
