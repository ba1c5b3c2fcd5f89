/**
 * What changes in the tenant, told as it happens. One connection for the whole page: over HTTP/1.1 a browser opens six to a host,
 * and every list and counter wants to know.
 */
import { signal } from '@preact/signals';
import type { ChangeView } from '../../contracts/api/events.ts';
import { openStream, type StreamState } from '../events.ts';

export interface Change extends ChangeView {
  type: 'task_changed' | 'approval_changed';
}

export interface FeedListener {
  onChange?: (change: Change) => void;
  /** The feed is open, for the first time or again, or too much changed to tell: read again what is shown. */
  onOpen?: () => void;
}

export const feedState = signal<StreamState>('connecting');
const listeners = new Set<FeedListener>();

/** @returns what takes the listener away again */
export function listen(listener: FeedListener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function readAgain(): void {
  for (const listener of listeners) listener.onOpen?.();
}

/** Opens the feed. @returns what closes it */
export function startFeed(): () => void {
  const stream = openStream('/v1/events', {
    onOpen: readAgain,
    onEvent: ({ type, data }) => {
      if (type === 'refresh') readAgain();
      if (type !== 'task_changed' && type !== 'approval_changed') return;
      const change: Change = { ...(JSON.parse(data) as ChangeView), type };
      for (const listener of listeners) listener.onChange?.(change);
    },
  });
  const stop = stream.state.subscribe((state) => (feedState.value = state));
  return () => {
    stop();
    stream.close();
  };
}
