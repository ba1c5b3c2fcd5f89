import type { ChatMessageRow } from '../store/chat-sessions.ts';
import type { Store } from '../store/store.ts';
import type { Hub, Listener } from './hub.ts';
import { followCalls } from './open-calls.ts';
import { patiently } from './patience.ts';
import { readDrafts, type Preview } from './preview.ts';
import { Wake } from './wake.ts';
import type { Delta, DeltaEnd, DeltaReset, Watched } from './watched.ts';

/** Messages read at once. */
const PAGE = 100;

/** A message of a chat session, each once, in order; or what the model of its newest task writes now, which is no message before it has been judged and sent. */
export type SessionWatched = { type: 'message'; message: ChatMessageRow } | ((Delta | DeltaReset | DeltaEnd) & { taskId: string });

export interface WatchSessionOptions {
  /** Number of the last message that the reader has; 0: from the first. */
  after: number;
  signal: AbortSignal;
  /** Of the session's agent: texts come as a person can read them. */
  preview?: Preview | undefined;
}

/** What is said in a chat session, until the signal aborts. */
export async function* watchSession(
  hub: Hub,
  store: Store,
  pollMs: number,
  sessionId: string,
  { after, signal, preview }: WatchSessionOptions,
): AsyncGenerator<SessionWatched, void, undefined> {
  const wake = new Wake();
  const call = (): void => wake.call();
  const listener: Listener = { sessionId, taskId: '', onNotice: () => {}, onStream: call, onSession: call, onGap: call };
  const remove = hub.add(listener);
  let number = after;
  let drafts: { taskId: string; look(): Promise<{ ended: SessionWatched[]; written: SessionWatched[] }> } | null = null;
  try {
    while (!signal.aborted) {
      const taskId = (await patiently(() => store.chatSessions.get(sessionId), signal))?.taskId ?? null;
      if (taskId !== null && drafts?.taskId !== taskId) {
        listener.taskId = taskId;
        drafts = draftsOf(store, taskId, preview);
      }
      const messages = (await patiently(() => store.chatSessions.listAfter(sessionId, number, PAGE), signal)) ?? [];
      // after the messages: a text that ended before one of them is then seen to have ended
      const { ended, written } = (drafts && (await patiently(drafts.look, signal))) ?? { ended: [], written: [] };
      yield* ended;
      for (const message of messages) {
        number = message.number;
        yield { type: 'message', message };
      }
      yield* written;
      if (messages.length < PAGE) await wake.sleep(pollMs, signal);
    }
  } finally {
    remove();
  }
}

function draftsOf(store: Store, taskId: string, preview: Preview | undefined) {
  const calls = followCalls(store, taskId);
  const read = readDrafts(preview);
  const ofTask = (all: Watched[]): SessionWatched[] => all.flatMap(read).flatMap((each) => (each.type === 'event' ? [] : [{ ...each, taskId }]));
  return {
    taskId,
    async look() {
      const { ended, written } = await calls.look();
      return { ended: ofTask(ended), written: ofTask(written) };
    },
  };
}
