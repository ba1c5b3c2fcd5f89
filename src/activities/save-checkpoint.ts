import type { Services } from './services.ts';

/** Keeps the state of a run that continues as new. */
export function createSaveCheckpoint({ store }: Services) {
  return async function saveCheckpoint({ taskId, runId, state }: { taskId: string; runId: string; state: string }): Promise<{ checkpoint: string }> {
    await store.checkpoints.save({ taskId, runId, state });
    return { checkpoint: runId };
  };
}
