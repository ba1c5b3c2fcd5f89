import type { Store } from '../store/store.ts';
import { createHub } from './hub.ts';
import { watchTask, type WatchOptions } from './watch-task.ts';
import { watchTenant } from './watch-tenant.ts';
import { watchSession, type SessionWatched, type WatchSessionOptions } from './watch-session.ts';
import type { TenantChange, Watched } from './watched.ts';

export type { Preview } from './preview.ts';
export type { SessionWatched, WatchSessionOptions } from './watch-session.ts';
export type { WatchOptions } from './watch-task.ts';
export type { Delta, DeltaEnd, DeltaReset, TenantChange, Watched, WatchedEvent } from './watched.ts';

/** Watches tasks of any process. Every watch ends when its signal aborts. */
export interface Watcher {
  /** A task's events after a number, in order, each once, then those that come, until `task_closed`; with what models write meanwhile. */
  watchTask(taskId: string, options: WatchOptions): AsyncGenerator<Watched, void, undefined>;
  /** What changes in a tenant's lists, from now on. */
  watchTenant(tenant: string, options: { signal: AbortSignal }): AsyncGenerator<TenantChange, void, undefined>;
  /** The messages of a chat session after a number, in order, each once, then those that come; with what the model of its newest task writes meanwhile. */
  watchSession(sessionId: string, options: WatchSessionOptions): AsyncGenerator<SessionWatched, void, undefined>;
  /** Ends the connection; watches that go on only look every `pollMs`. */
  close(): Promise<void>;
}

/** @param options.pollMs how often a watch looks by itself, whether it was told anything or not. Default 3,000. */
export function createWatcher({ databaseUrl, store, pollMs = 3_000 }: { databaseUrl: string; store: Store; pollMs?: number }): Watcher {
  const hub = createHub(databaseUrl);
  return {
    watchTask: (taskId, options) => watchTask(hub, store, pollMs, taskId, options),
    watchTenant: (tenant, options) => watchTenant(hub, store, pollMs, tenant, options),
    watchSession: (sessionId, options) => watchSession(hub, store, pollMs, sessionId, options),
    close: () => hub.close(),
  };
}
