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

  async function endOf(callKey: string, call: Seen): Promise<StreamChanges['ended']> {
    const stored = await store.modelReplies.get(`${taskId}/${callKey}`);
    if (stored === null) {
      if (call.broken) return [];
      call.broken = true;
      return [{ type: 'delta_end', callKey, complete: false }];
    }
    seen.delete(callKey);
    const reply = JSON.parse(stored) as { content?: string | null; text?: string };
    const rest = (reply.content ?? reply.text ?? '').slice(call.length);
    const isWhole = !call.broken && reply.text === undefined;
    const missing: StreamChanges['ended'] =
      isWhole && rest !== '' ? [{ type: 'delta', callKey, stage: call.stage, try: call.try, offset: call.length, text: rest, draft: true }] : [];
    return call.broken ? [] : [...missing, { type: 'delta_end', callKey, complete: isWhole }];
  }

  return {
    async look() {
      const open = await store.streams.listOpen(taskId, seen);
      const keys = new Set(open.map(({ callKey }) => callKey));
      const ended: StreamChanges['ended'] = [];
      for (const [callKey, call] of seen) if (!keys.has(callKey)) ended.push(...(await endOf(callKey, call)));
      const written: StreamChanges['written'] = [];
      for (const { callKey, stage, try: attempt, offset, text } of open) {
        const before = seen.get(callKey);
        if (before && (before.try !== attempt || before.broken)) written.push({ type: 'delta_reset', callKey, stage, try: attempt });
        const from = before?.broken ? 0 : offset;
        if (text !== '') written.push({ type: 'delta', callKey, stage, try: attempt, offset: from, text, draft: true });
        seen.set(callKey, { stage, try: attempt, length: offset + text.length, broken: false });
      }
      return { ended, written };
    },
  };
}
