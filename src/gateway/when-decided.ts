import type { StoredApproval } from '../store/approvals.ts';
import type { GatewayServices } from './services.ts';

const LOOKS_AT = new Set(['approval_decided', 'approval_expired', 'approval_withdrawn', 'task_closed']);

/**
 * Until an approval is no longer pending, for some time at most. It only looks: whoever stops waiting decides nothing.
 * @param signal of the request: a client that has gone is waited for no longer
 */
export async function whenDecided({ store, watcher }: Pick<GatewayServices, 'store' | 'watcher'>, approval: StoredApproval, waitMs: number, signal: AbortSignal): Promise<void> {
  const { taskId, id } = approval;
  const after = (await store.tasks.get(taskId))?.lastEvent ?? 0;
  // what was decided before the watch began would not be told
  if ((await store.approvals.get(taskId, id))?.status !== 'pending') return;
  const ended = AbortSignal.any([signal, AbortSignal.timeout(waitMs)]);
  for await (const watched of watcher.watchTask(taskId, { after, signal: ended, deltas: false })) {
    if (watched.type !== 'event' || !LOOKS_AT.has(watched.event.type)) continue;
    if (watched.event.type === 'task_closed' || watched.event.detail['approvalId'] === id) return;
  }
}
