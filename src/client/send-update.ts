import { WorkflowNotFoundError, WorkflowUpdateFailedError, type Client, type WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { RefusalCode } from '../contracts/reasons.ts';
import { MAX_INPUT_BYTES } from '../contracts/task-input.ts';
import { LoopwrightError, RefusedError, rootMessage } from './errors.ts';
import { taskNotFound } from './task-not-found.ts';

/** A task's workflow, and how long its answer is waited for, ms. */
export interface UpdateTarget {
  temporal: Client;
  workflow: Pick<WorkflowHandle, 'describe' | 'executeUpdate' | 'workflowId'>;
  timeoutMs: number;
}

/** Sends an Update and waits for its answer. @throws {RefusedError} nothing was changed. @throws {LoopwrightError} `task_not_found`, `no_answer` */
export async function sendUpdate<Result>({ temporal, workflow, timeoutMs }: UpdateTarget, name: string, payload: unknown): Promise<Result> {
  const taskId = workflow.workflowId;
  const bytes = Buffer.byteLength(JSON.stringify(payload) ?? '');
  if (bytes > MAX_INPUT_BYTES) throw new RefusedError('too_large', `"${name}" has ${bytes} bytes; at most ${MAX_INPUT_BYTES} are accepted. Nothing was changed.`);
  try {
    return await temporal.withDeadline(Date.now() + timeoutMs, () => sendToWhatRuns<Result>(workflow, name, payload));
  } catch (error) {
    if (error instanceof RefusedError) throw error;
    if (error instanceof WorkflowUpdateFailedError && error.cause instanceof ApplicationFailure)
      throw new RefusedError((error.cause.type ?? 'malformed') as RefusalCode, error.cause.message);
    throw (
      taskNotFound(error, taskId) ??
      new LoopwrightError('no_answer', `Task ${taskId} did not answer "${name}" within ${timeoutMs} ms: ${rootMessage(error)}. Is a worker running?`, { cause: error })
    );
  }
}

/**
 * Temporal says "not found" of a task that never was, of one that has closed, and of one whose run closed just then, before it saw the Update:
 * then it has ended, or goes on in its next run, which is asked instead.
 */
async function sendToWhatRuns<Result>(workflow: UpdateTarget['workflow'], name: string, payload: unknown): Promise<Result> {
  for (;;) {
    try {
      return await workflow.executeUpdate<Result, [unknown]>(name, { args: [payload] });
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
      const { status } = await workflow.describe();
      if (status.name !== 'RUNNING') throw new RefusedError('task_closed', `Task ${workflow.workflowId} is closed; nothing was changed.`);
    }
  }
}
