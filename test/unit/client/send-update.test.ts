import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { expect, it } from 'vitest';
import { sendUpdate, type UpdateTarget } from '../../../src/client/send-update.ts';

const gone = (): never => {
  throw new WorkflowNotFoundError('workflow update was aborted by closing workflow', 'task-1', undefined);
};

/** The moment between two runs can't be met at will on a server: this handle answers as Temporal does in it. */
function target(updates: (() => unknown)[], status: string | null): UpdateTarget {
  const workflow = {
    workflowId: 'task-1',
    executeUpdate: async () => updates.shift()!(),
    describe: async () => (status === null ? gone() : { status: { name: status } }),
  } as unknown as UpdateTarget['workflow'];
  return { temporal: { withDeadline: (_: number, work: () => unknown) => work() } as unknown as Client, workflow, timeoutMs: 1_000 };
}

it('asks the next run when the one that was asked closed', async () => {
  expect(await sendUpdate(target([gone, gone, () => 'taken'], 'RUNNING'), 'message', {})).toBe('taken');
});

it.each(['COMPLETED', 'TERMINATED', 'FAILED'])('says that the task has closed: %s', async (status) => {
  await expect(sendUpdate(target([gone], status), 'message', {})).rejects.toMatchObject({ code: 'task_closed' });
});

it('says that there is no task', async () => {
  await expect(sendUpdate(target([gone], null), 'message', {})).rejects.toMatchObject({ code: 'task_not_found', message: 'There is no task task-1.' });
});
