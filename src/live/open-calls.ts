import type { Store } from '../store/store.ts';
import type { Delta, DeltaEnd, DeltaReset } from './watched.ts';

interface Seen {
  stage: string;
  try: number;
  length: number;
  /** The try broke off; another one may come. */ broken: boolean;
}

/** What has changed in the texts that models write for a task, since the last look. */
export interface StreamChanges {
  /** Of calls that have ended, what was still missing of their text and then the end. */
  ended: (Delta | DeltaReset | DeltaEnd)[];
  written: (Delta | DeltaReset)[];
}

/** Follows the model calls of one task by the rows alone: whoever was told nothing for a while sees the same in the end. */
export function followCalls(store: Store, taskId: string): { look(): Promise<StreamChanges> } {
  const seen = new Map<string, Seen>();

  return {
    async look() {
      const open = await store.streams.listOpen(taskId, seen);
      const keys = new Set(open.map(({ callKey }) => callKey));
      const gone = [...seen.keys()].filter((callKey) => !keys.has(callKey));
      const replies = await Promise.all(gone.map((callKey) => store.modelReplies.get(`${taskId}/${callKey}`)));
      // nothing is noted before everything is read: a look that fails is as if it had not been
      const ended = gone.flatMap((callKey, index) => endOf(seen, callKey, replies[index] ?? null));
      const written: StreamChanges['written'] = [];
      for (const { callKey, stage, try: attempt, offset, text } of open) {
        const before = seen.get(callKey);
        if (before && (before.try !== attempt || before.broken)) written.push({ type: 'delta_reset', callKey, stage, try: attempt });
        if (text !== '') written.push({ type: 'delta', callKey, stage, try: attempt, offset, text, draft: true });
        seen.set(callKey, { stage, try: attempt, length: offset + text.length, broken: false });
      }
      return { ended, written };
    },
  };
}

/** A call whose pieces are gone: its reply is stored and whole, or it broke off. */
function endOf(seen: Map<string, Seen>, callKey: string, stored: string | null): StreamChanges['ended'] {
  const call = seen.get(callKey)!;
  if (stored === null) {
    if (call.broken) return [];
    // what was read of it does not count for the next try
    seen.set(callKey, { ...call, broken: true, length: 0, try: 0 });
    return [{ type: 'delta_end', callKey, complete: false }];
  }
  seen.delete(callKey);
  if (call.broken) return [];
  const { content, text: unusable } = JSON.parse(stored) as { content?: string | null; text?: string };
  if (unusable !== undefined) return [{ type: 'delta_end', callKey, complete: false }];
  const rest = (content ?? '').slice(call.length);
  const missing: StreamChanges['ended'] = rest === '' ? [] : [{ type: 'delta', callKey, stage: call.stage, try: call.try, offset: call.length, text: rest, draft: true }];
  return [...missing, { type: 'delta_end', callKey, complete: true }];
}
