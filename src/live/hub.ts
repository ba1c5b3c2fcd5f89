import pg from 'pg';
import { SESSION_CHANNEL } from '../store/chat-sessions.ts';
import { STREAM_CHANNEL } from '../store/streams.ts';
import { TASK_CHANNEL, type TaskNotice } from '../store/task-events.ts';

/** What a watcher wants to be told. Calls must return at once. */
export interface Listener {
  /** Of this task, or of this tenant; and of this chat session. */
  taskId?: string;
  tenant?: string;
  sessionId?: string;
  onNotice(notice: TaskNotice): void;
  onStream?(): void;
  onSession?(): void;
  /** Notices may have been missed: look at the store. */
  onGap(): void;
}

/** One LISTEN connection for all watchers of a process. */
export interface Hub {
  /** False: nothing is told until the connection is back. */
  isListening(): boolean;
  /** @returns what takes the listener off. */
  add(listener: Listener): () => void;
  close(): Promise<void>;
}

/** Between two tries to connect, ms. */
const RECONNECT_MS = 250;
const MAX_RECONNECT_MS = 5_000;
/** The connection must answer within this, ms; one that a firewall forgot says nothing. */
const PING_MS = 5_000;

/** Connects when the first listener comes, again whenever the connection breaks, and lets go of it when nobody listens. */
export function createHub(databaseUrl: string): Hub {
  const listeners = new Set<Listener>();
  let client: pg.Client | null = null;
  let isClosed = false;
  let wait = RECONNECT_MS;
  let timer: NodeJS.Timeout | null = null;
  let connecting = false;

  async function connect(): Promise<void> {
    if (client || connecting || isClosed || listeners.size === 0) return;
    connecting = true;
    const next = new pg.Client({ connectionString: databaseUrl, application_name: 'loopwright live', connectionTimeoutMillis: PING_MS, keepAlive: true });
    const gone = (): void => {
      void next.end().catch(() => {});
      if (client === next) {
        client = null;
        later();
      }
    };
    next.on('error', gone);
    next.on('end', gone);
    next.on('notification', tell);
    try {
      await next.connect();
      await next.query(`listen ${TASK_CHANNEL}; listen ${STREAM_CHANNEL}; listen ${SESSION_CHANNEL}`);
      client = next;
      wait = RECONNECT_MS;
      // what happened before LISTEN was not told
      for (const listener of listeners) listener.onGap();
    } catch {
      void next.end().catch(() => {});
      later();
    } finally {
      connecting = false;
      if (isClosed) gone();
    }
    if (client === next) ping(next, gone);
  }

  function later(): void {
    if (isClosed || timer) return;
    timer = setTimeout(() => {
      timer = null;
      void connect();
    }, wait);
    wait = Math.min(MAX_RECONNECT_MS, wait * 2);
  }

  function ping(connected: pg.Client, gone: () => void): void {
    const every = setInterval(() => {
      if (client !== connected) return clearInterval(every);
      if (listeners.size === 0) return gone();
      const late = setTimeout(gone, PING_MS);
      connected.query('select 1').then(
        () => clearTimeout(late),
        () => clearTimeout(late),
      );
    }, PING_MS);
    every.unref();
  }

  function tell({ channel, payload }: pg.Notification): void {
    const notice = parsed(payload);
    if (!notice) return;
    for (const listener of listeners) {
      if (channel === SESSION_CHANNEL) {
        if (listener.sessionId === notice.sessionId) listener.onSession?.();
        continue;
      }
      if (listener.taskId !== undefined && listener.taskId !== notice.taskId) continue;
      if (channel === STREAM_CHANNEL) listener.onStream?.();
      else if (listener.tenant === undefined || listener.tenant === notice.tenant) listener.onNotice(notice);
    }
  }

  return {
    isListening: () => client !== null,
    add(listener) {
      listeners.add(listener);
      void connect();
      return () => listeners.delete(listener);
    },
    async close() {
      isClosed = true;
      if (timer) clearTimeout(timer);
      const last = client;
      client = null;
      await last?.end().catch(() => {});
    },
  };
}

/** Anybody with a connection may notify anything. */
function parsed(payload: string | undefined): (TaskNotice & { sessionId?: string }) | null {
  try {
    const notice = JSON.parse(payload ?? '') as (TaskNotice & { sessionId?: string }) | null;
    return typeof notice?.taskId === 'string' || typeof notice?.sessionId === 'string' ? notice : null;
  } catch {
    return null;
  }
}
