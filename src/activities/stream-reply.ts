import type { StreamCall } from '../store/streams.ts';
import type { Services } from './services.ts';

/** Pieces are gathered so long before they are written, ms: fast enough to read along, few enough writes. */
const GATHER_MS = 60;
/** Characters that may wait while nothing can be written; then this reply is not shown any more. */
const MAX_WAITING_CHARS = 100_000;
/** How long the end of a call waits for a write under way, ms. */
const LAST_WRITE_MS = 1_000;

/** Stages whose text a person may watch being written. */
const WATCHED: ReadonlySet<string> = new Set(['decide', 'review']);

export interface StreamedReply {
  /** Takes a piece of the answer; never throws, never waits. */
  onDelta: (text: string) => void;
  /** No piece is written after this. */
  stop(): Promise<void>;
}

/** Shows watchers what a model writes. They are guests: whatever fails here, the call goes on. */
export function streamReply({ store, log }: Pick<Services, 'store' | 'log'>, call: StreamCall): StreamedReply {
  let waiting = '';
  let written = 0;
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();
  let isShown = WATCHED.has(call.stage);

  async function write(): Promise<void> {
    const text = waiting;
    if (!isShown || text === '') return;
    try {
      await store.streams.append(call, written, text);
      written += text.length;
      waiting = waiting.slice(text.length);
    } catch (error) {
      // what could not be written is written with the next piece
      log.debug({ task_id: call.taskId, call: call.callKey, error: String(error) }, 'a piece of a reply could not be shown');
    }
  }

  return {
    onDelta(text) {
      if (!isShown) return;
      waiting += text;
      if (waiting.length > MAX_WAITING_CHARS) isShown = false;
      timer ??= setTimeout(() => {
        timer = null;
        writing = writing.then(write);
      }, GATHER_MS);
    },
    async stop() {
      isShown = false;
      if (timer) clearTimeout(timer);
      let limit: NodeJS.Timeout | undefined;
      await Promise.race([writing, new Promise<void>((resolve) => (limit = setTimeout(resolve, LAST_WRITE_MS)))]);
      clearTimeout(limit);
    },
  };
}
