import type { Services } from './services.ts';
import { smallDetail } from './task-event.ts';

/** Of an agent's own event; what is larger is cut. */
const MAX_BYTES = 16_384;

/**
 * Keeps what tools and evaluators say happened, in the log and as a row.
 * @param source names the step: the n-th event of the same step is one event, however often the step is retried
 */
export function emitter({ store, log }: Services, taskId: string, attempt: number, source: string): (type: string, detail: Record<string, unknown>) => Promise<void> {
  let events = 0;
  return async (type, detail) => {
    events += 1;
    await store.taskEvents.record(taskId, { type, attempt, detail: smallDetail(detail, MAX_BYTES) }, `${source}.${events}.${type}`);
    log.info({ task_id: taskId, attempt, event: type, ...detail }, type);
  };
}
