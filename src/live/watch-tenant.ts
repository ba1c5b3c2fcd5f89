import type { Store } from '../store/store.ts';
import type { TaskNotice } from '../store/task-events.ts';
import type { Hub } from './hub.ts';
import { patiently } from './patience.ts';
import { Wake } from './wake.ts';
import type { TenantChange } from './watched.ts';

/** Changes that wait for a slow reader; beyond, it is told to read all again. */
const MAX_WAITING = 500;
/** Places read again after a gap: events of transactions that ran side by side become visible in another order than their places. */
const OVERLAP = 200;

type Told = Pick<TaskNotice, 'taskId' | 'type' | 'seq' | 'approvalId'>;

/** Changes of a tenant's tasks; one that is named again before the reader takes it comes once. */
class Waiting {
  readonly #changes = new Map<string, TenantChange>();
  #isTooMuch = false;
  /** Newest place seen. */ seq: number;

  constructor(seq: number) {
    this.seq = seq;
  }

  add({ taskId, type: event, seq, approvalId }: Told): void {
    this.seq = Math.max(this.seq, seq);
    this.#changes.set(taskId, { type: 'task_changed', taskId, event });
    if (approvalId !== undefined) this.#changes.set(JSON.stringify([taskId, approvalId]), { type: 'approval_changed', taskId, approvalId, event });
    if (this.#changes.size > MAX_WAITING) this.tooMuch();
  }

  tooMuch(): void {
    this.#isTooMuch = true;
    this.#changes.clear();
  }

  take(): TenantChange | null {
    if (this.#isTooMuch) {
      this.#isTooMuch = false;
      return { type: 'refresh' };
    }
    const [first] = this.#changes;
    if (!first) return null;
    this.#changes.delete(first[0]);
    return first[1];
  }
}

/** What changes in a tenant's lists, from now on. */
export async function* watchTenant(hub: Hub, store: Store, pollMs: number, tenant: string, { signal }: { signal: AbortSignal }): AsyncGenerator<TenantChange, void, undefined> {
  const wake = new Wake();
  const waiting = new Waiting((await patiently(() => store.taskEvents.lastOfTenant(tenant), signal)) ?? 0);
  let isGap = false;
  let overlap = 0;
  const remove = hub.add({
    tenant,
    onNotice(notice) {
      waiting.add(notice);
      wake.call();
    },
    onGap() {
      isGap = true;
      wake.call();
    },
  });
  try {
    while (!signal.aborted) {
      if (isGap) {
        isGap = false;
        const missed = (await patiently(() => store.taskEvents.listOfTenantAfter(tenant, waiting.seq - overlap, MAX_WAITING), signal)) ?? [];
        overlap = OVERLAP;
        for (const { detail, ...event } of missed) waiting.add({ ...event, ...(typeof detail['approvalId'] === 'string' ? { approvalId: detail['approvalId'] } : {}) });
        if (missed.length === MAX_WAITING) waiting.tooMuch();
      }
      const change = waiting.take();
      if (change) yield change;
      // without a connection nothing is told
      else if ((await wake.sleep(pollMs, signal)) === 'timeout' && !hub.isListening()) isGap = true;
    }
  } finally {
    remove();
  }
}
