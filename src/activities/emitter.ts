import type { Services } from './services.ts';

/**
 * Keeps what tools and evaluators say happened, in the log and as a row.
 * @param source names the step: the n-th event of the same step is one event, however often the step is retried
 */
export function emitter({ store, log }: Services, taskId: string, attempt: number, source: string): (type: string, detail: Record<string, unknown>) => Promise<void> {
  let events = 0;
  return async (type, detail) => {
    events += 1;
    await store.taskEvents.record(taskId, { type, attempt, detail }, `${source}.${events}.${type}`);
    log.info({ task_id: taskId, attempt, event: type, ...detail }, type);
  };
}
