import { useEffect, useRef } from 'preact/hooks';
import { type FeedListener, listen } from '../state/feed.ts';

/** Listens to the tenant's feed as long as the component is there. */
export function useFeed(listener: FeedListener): void {
  const latest = useRef(listener);
  latest.current = listener;
  useEffect(
    () =>
      listen({
        onChange: (change) => latest.current.onChange?.(change),
        onOpen: () => latest.current.onOpen?.(),
      }),
    [],
  );
}
