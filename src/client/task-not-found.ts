import { isGrpcServiceError, WorkflowNotFoundError } from '@temporalio/client';
import { LoopwrightError } from './errors.ts';

/** What a caller reads when Temporal knows no such workflow (gRPC: NOT_FOUND); null for any other error. */
export function taskNotFound(error: unknown, taskId: string): LoopwrightError | null {
  if (error instanceof WorkflowNotFoundError || (isGrpcServiceError(error) && error.code === 5))
    return new LoopwrightError('task_not_found', `There is no task ${taskId}.`, { cause: error });
  return null;
}
