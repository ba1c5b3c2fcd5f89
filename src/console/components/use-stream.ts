import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { openStream, type StreamOptions, type StreamState } from '../events.ts';

/** A stream as long as the component is there; null: none. Handlers may change from one drawing to the next. @returns its state */
export function useStream(address: string | null, options: StreamOptions): StreamState {
  const latest = useRef(options);
  latest.current = options;
  const state = useSignal<StreamState>('connecting');
  useEffect(() => {
    if (address === null) return undefined;
    const stream = openStream(address, {
      onEvent: (event) => latest.current.onEvent(event),
      onOpen: (again) => latest.current.onOpen?.(again),
      lastType: options.lastType,
    });
    const stop = stream.state.subscribe((next) => (state.value = next));
    return () => {
      stop();
      stream.close();
    };
  }, [address, options.lastType]);
  return state.value;
}
