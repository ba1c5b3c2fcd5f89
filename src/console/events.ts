/**
 * A stream of server events that lasts. When it breaks it is opened again where it was (Last-Event-ID), and what came twice is dropped.
 * `EventSource` can't do this: it tells neither why it failed nor that it waits, and goes on for ever after a 401.
 */
import { signal, type ReadonlySignal } from '@preact/signals';
import { ApiError } from './api.ts';
import { createEventReader, parseEventId, type ServerEvent } from './server-events.ts';
import { signedOut } from './state/session.ts';

export type StreamState = 'connecting' | 'open' | 'reconnecting' | 'ended' | 'failed';

export interface StreamOptions {
  onEvent: (event: ServerEvent) => void;
  /** Each time that it opens. Events without an id that were sent meanwhile are lost: read again what they were about. */
  onOpen?: (again: boolean) => void;
  /** After an event of this type the stream is complete. */
  lastType?: string;
}

export interface Stream {
  state: ReadonlySignal<StreamState>;
  /** Why it failed for good. */
  error: ReadonlySignal<ApiError | null>;
  close: () => void;
}

/** The gateway sends a comment every 15 s: after three silent ones the connection is dead, whatever the browser thinks. */
const SILENCE_MS = 45_000;
/** A page that nobody sees gives its connection back: over HTTP/1.1 a browser has six to a host, for all its tabs together. */
const HIDDEN_MS = 30_000;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;
/** These don't pass by themselves. */
const FINAL = [400, 401, 403, 404, 406];

export function openStream(address: string, options: StreamOptions): Stream {
  const state = signal<StreamState>('connecting');
  const error = signal<ApiError | null>(null);
  const closed = new AbortController();
  void follow(address, options, { state, error, closed: closed.signal });
  return { state, error, close: () => closed.abort() };
}

interface Following {
  state: { value: StreamState };
  error: { value: ApiError | null };
  closed: AbortSignal;
}

async function follow(address: string, options: StreamOptions, { state, error, closed }: Following): Promise<void> {
  const position = createPosition();
  let failures = 0;
  let askedWait = 0;
  let opened = false;
  while (!closed.aborted) {
    await untilSeen(closed);
    if (closed.aborted) return;
    const hidden = whenLongHidden();
    try {
      const complete = await readOnce(address, AbortSignal.any([closed, hidden.signal]), position, {
        ...options,
        onOpen: () => {
          failures = 0;
          state.value = 'open';
          options.onOpen?.(opened);
          opened = true;
        },
        onRetry: (ms) => (askedWait = ms),
      });
      if (complete) {
        state.value = 'ended';
        return;
      }
    } catch (problem) {
      if (closed.aborted) return;
      if (!hidden.signal.aborted && problem instanceof ApiError && FINAL.includes(problem.status)) {
        if (problem.status === 401) signedOut();
        error.value = problem;
        state.value = 'failed';
        return;
      }
    } finally {
      hidden.stop();
    }
    if (closed.aborted) return;
    state.value = 'reconnecting';
    if (hidden.signal.aborted) continue;
    const wait = Math.max(askedWait, Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures++));
    // Not all pages come back at the same moment when a gateway restarts.
    await pause(wait * (0.75 + Math.random() / 2), closed);
  }
}

/** Where the stream is, and whether an event is new. */
function createPosition(): { last: string; isNew: (event: ServerEvent) => boolean } {
  const position = {
    last: '',
    isNew(event: ServerEvent): boolean {
      if (event.id === '') return true;
      const next = parseEventId(event.id);
      const last = parseEventId(position.last);
      if (next && last && next.of === last.of && next.number <= last.number) return false;
      position.last = event.id;
      return true;
    },
  };
  return position;
}

interface ReadOptions extends StreamOptions {
  onOpen: () => void;
  onRetry: (ms: number) => void;
}

/** @returns whether the last event came; false when the stream just ended. @throws {ApiError} or whatever broke it */
async function readOnce(address: string, closed: AbortSignal, position: ReturnType<typeof createPosition>, options: ReadOptions): Promise<boolean> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), SILENCE_MS);
  const headers: Record<string, string> = { Accept: 'text/event-stream' };
  if (position.last !== '') headers['Last-Event-ID'] = position.last;
  try {
    const response = await fetch(address, { headers, credentials: 'same-origin', cache: 'no-store', signal: AbortSignal.any([closed, silence.signal]) });
    if (!response.ok || !response.body) throw new ApiError(response.status, await response.json().catch(() => ({})));
    options.onOpen();
    const read = createEventReader(options.onRetry);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return false;
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE_MS);
      for (const event of read(value)) {
        if (closed.aborted) return true;
        if (!position.isNew(event)) continue;
        options.onEvent(event);
        if (event.type === options.lastType) return true;
      }
    }
  } finally {
    clearTimeout(timer);
  }
}

/** Fires when the page has been hidden for long. */
function whenLongHidden(): { signal: AbortSignal; stop: () => void } {
  const control = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const check = (): void => {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(() => control.abort(), HIDDEN_MS);
  };
  check();
  document.addEventListener('visibilitychange', check);
  return {
    signal: control.signal,
    stop: () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', check);
    },
  };
}

/** Waits until the page is seen, or the stream is closed. */
function untilSeen(closed: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const check = (): void => {
      if (document.hidden && !closed.aborted) return;
      document.removeEventListener('visibilitychange', check);
      closed.removeEventListener('abort', check);
      resolve();
    };
    document.addEventListener('visibilitychange', check);
    closed.addEventListener('abort', check);
    check();
  });
}

/** Ends early when the stream is closed or the browser is on a network again. */
function pause(ms: number, closed: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      removeEventListener('online', end);
      closed.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    addEventListener('online', end);
    closed.addEventListener('abort', end);
  });
}
