import { useSignal } from '@preact/signals';
import { useCallback, useEffect, useRef } from 'preact/hooks';

/** How often something that goes on elsewhere is asked about, ms. */
const EVERY_MS = 4_000;
/** What was just started may have no row yet: it is looked for this long, ms. */
const LOOKED_FOR_MS = 30_000;

/** Runs again and again while something goes on of which no event tells. @returns to be called when something was started */
export function usePolling(goesOn: boolean, run: () => void): () => void {
  const until = useSignal(0);
  const latest = useRef(run);
  latest.current = run;
  const active = goesOn || until.value > 0;
  useEffect(() => {
    if (!active) return undefined;
    const timer = setInterval(() => {
      if (until.peek() < Date.now()) until.value = 0;
      latest.current();
    }, EVERY_MS);
    return () => clearInterval(timer);
  }, [active]);
  return useCallback(() => (until.value = Date.now() + LOOKED_FOR_MS), []);
}
