import { setTimeout as wait } from 'node:timers/promises';
import { isStoreUnavailable } from '../store/unavailable.ts';

/** Between two tries, ms. */
const AGAIN_MS = 500;

/** Reads from the store; while it is away (restarted, failing over) the read is tried again. Null: the signal aborted. @throws what is no outage */
export async function patiently<T>(read: () => Promise<T>, signal: AbortSignal): Promise<T | null> {
  while (!signal.aborted) {
    try {
      return await read();
    } catch (error) {
      if (!isStoreUnavailable(error)) throw error;
      await wait(AGAIN_MS, undefined, { signal }).catch(() => {});
    }
  }
  return null;
}
