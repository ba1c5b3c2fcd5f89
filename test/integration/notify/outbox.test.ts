import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Approval } from '../../../src/contracts/approval.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { testDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
let store: Store;
beforeAll(async () => {
  database = await testDatabase();
  store = openStore({
    url: database.url,
    notifies: ({ tenant }) =>
      tenant === 'default'
        ? [
            { target: 'ops', channel: 'webhook' },
            { target: 'mail', channel: 'email' },
          ]
        : [],
  });
});
afterAll(async () => {
  await store.close();
  await database.drop();
});

const approval: Approval = {
  id: 'a1.t1.c1',
  kind: 'tool_call',
  risk: 'dangerous',
  summary: 'refund 2,500 CNY?',
  payload: '{"tool":"refund","arguments":{"card":"4111"}}',
  hash: 'f'.repeat(64),
  tool: 'refund',
  createdAt: 1_700_000_000_000,
  expiresAt: 1_700_000_600_000,
  onTimeout: 'reject',
  status: 'pending',
  decision: null,
  approvers: { quorum: 1, roles: ['finance'], people: null, excludeRequester: true },
  votes: [],
  remindAt: null,
  escalation: null,
};

async function task(taskId: string, tenant = 'default'): Promise<string> {
  await store.tasks.start({ taskId, agent: 'probe', channel: 'live', startedBy: 'carol', phase: 'starting', tenant });
  return taskId;
}

it('is written with the fact or not at all, one row a target, and the same fact again changes nothing', async () => {
  const taskId = await task('outbox');
  const failing = store.transaction(async (transaction) => {
    await store.notifications.enqueue({ event: 'approval_opened', taskId, approval }, transaction);
    throw new Error('rolled back');
  });
  await expect(failing).rejects.toThrow('rolled back');
  expect(await store.notifications.listByTask(taskId)).toEqual([]);

  for (const stage of ['', '', 'again']) await store.notifications.enqueue({ event: 'approval_reminder', taskId, approval, stage });
  await store.notifications.enqueue({ event: 'task_failed', taskId, outcome: { outcome: 'failed', reason: 'internal_error', explanation: 'it broke' } });
  await store.notifications.enqueue({ event: 'task_failed', taskId, outcome: { outcome: 'failed', reason: 'internal_error', explanation: 'it broke' } });
  const rows = await store.notifications.listByTask(taskId);
  expect(rows.map((row) => `${row.event} ${row.approvalId} ${row.target} ${row.stage}`).toSorted()).toEqual([
    'approval_reminder a1.t1.c1 mail ',
    'approval_reminder a1.t1.c1 mail again',
    'approval_reminder a1.t1.c1 ops ',
    'approval_reminder a1.t1.c1 ops again',
    'task_failed null mail ',
    'task_failed null ops ',
  ]);
  expect(JSON.stringify(rows)).not.toContain('4111');
});

it('concerns the targets of its tenant alone', async () => {
  const taskId = await task('foreign', 'other');
  await store.notifications.enqueue({ event: 'approval_opened', taskId, approval });
  expect(await store.notifications.listByTask(taskId)).toEqual([]);
});

it('is claimed by one dispatcher at a time; what was cut off is claimed again after the lease, and a late result of the first changes nothing', async () => {
  const taskId = await task('claimed');
  for (let stage = 0; stage < 20; stage += 1) await store.notifications.enqueue({ event: 'approval_reminder', taskId, approval, stage: `s${stage}` });
  await store.database.updateTable('notification').set({ status: 'dead' }).where('task_id', '!=', taskId).execute();
  const claims = await Promise.all(Array.from({ length: 8 }, () => store.notifications.claim({ target: 'ops', limit: 5, leaseMs: 60_000 })));
  const ids = claims.flat().map((row) => row.notificationId);
  expect(ids).toHaveLength(20);
  expect(new Set(ids).size).toBe(20);

  const [first] = claims.flat();
  await store.database
    .updateTable('notification')
    .set({ next_attempt_at: new Date(0) })
    .where('notification_id', '=', first!.notificationId)
    .execute();
  const [second] = await store.notifications.claim({ target: 'ops', limit: 5, leaseMs: 60_000 });
  expect(second).toMatchObject({ notificationId: first!.notificationId, attempts: 2 });
  await store.notifications.markFailed(first!, 'late', null);
  await store.notifications.markFailed(second!, 'refused', 0);
  expect(await store.notifications.claim({ target: 'ops', limit: 5, leaseMs: 60_000 })).toMatchObject([{ status: 'failed', lastError: 'refused', attempts: 3 }]);
});
