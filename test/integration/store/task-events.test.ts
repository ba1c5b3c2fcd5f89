import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { smallDetail } from '../../../src/activities/task-event.ts';
import { TASK_CHANNEL } from '../../../src/store/task-events.ts';
import { testDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase({ poolSize: 30 });
});
afterAll(() => database.drop());

async function startTask(tenant = 'default'): Promise<string> {
  const taskId = `task-${randomUUID()}`;
  await database.store.tasks.start({ taskId, agent: 'probe', channel: 'live', tenant, startedBy: 'test', phase: 'starting' });
  return taskId;
}

describe('task events', () => {
  it('are numbered from 1 without gaps, also when 20 tasks record at the same time, each by several hands that want the same keys', async () => {
    const { taskEvents } = database.store;
    const tasks = await Promise.all(Array.from({ length: 20 }, () => startTask()));
    const records = tasks.flatMap((taskId) =>
      Array.from({ length: 30 }, (_, index) =>
        database.store.transaction(async (transaction) => {
          await database.store.blobs.put(`result ${index % 10}`, transaction);
          return taskEvents.record(taskId, { type: 'tool_call_finished', attempt: 1, detail: { index } }, `key ${index % 15}`, transaction);
        }),
      ),
    );
    await Promise.all(records);
    for (const taskId of tasks) {
      const events = await taskEvents.listAfter(taskId, 0, 100);
      expect(events.map(({ number }) => number)).toEqual(Array.from({ length: 15 }, (_, index) => index + 1));
      expect(await taskEvents.last(taskId)).toBe(15);
    }
  });

  it('become visible in the order of their numbers: a later one waits for an earlier one to commit', async () => {
    const { taskEvents } = database.store;
    const taskId = await startTask();
    const event = { type: 'tuned', attempt: 0, detail: {} };
    let later: Promise<number> | null = null;
    await database.store.transaction(async (transaction) => {
      expect(await taskEvents.record(taskId, event, 'first', transaction)).toBe(1);
      later = taskEvents.record(taskId, event, 'second');
      await Promise.race([later, new Promise((resolve) => setTimeout(resolve, 100))]);
      expect(await taskEvents.listAfter(taskId, 0, 10)).toEqual([]);
    });
    expect(await later).toBe(2);
    await expect(
      database.store.transaction(async (transaction) => {
        await taskEvents.record(taskId, event, 'rolled back', transaction);
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(await taskEvents.record(taskId, event, 'third')).toBe(3);
    expect(await taskEvents.record(taskId, event, 'second')).toBe(2);
    expect((await taskEvents.listAfter(taskId, 1, 1)).map(({ key }) => key)).toEqual(['second']);
  });

  it('tell listeners who, whose, which and what', async () => {
    const taskId = await startTask('acme');
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const told = new Promise<string | undefined>((resolve) => client.on('notification', ({ payload }) => resolve(payload)));
    await client.query(`listen ${TASK_CHANNEL}`);
    await database.store.taskEvents.record(taskId, { type: 'task_closed', attempt: 0, detail: { approvalId: 'a1.t1.c1' } }, 'k');
    const notice = JSON.parse((await told) ?? '') as unknown;
    await client.end();
    const [event] = await database.store.taskEvents.listOfTenantAfter('acme', 0, 10);
    expect(event).toMatchObject({ taskId, type: 'task_closed', number: 1 });
    expect(notice).toEqual({ taskId, tenant: 'acme', number: 1, seq: event!.seq, type: 'task_closed', approvalId: 'a1.t1.c1' });
    expect(await database.store.taskEvents.lastOfTenant('acme')).toBe(event!.seq);
    expect(await database.store.taskEvents.lastOfTenant('nobody')).toBe(0);
  });

  it('cost a turn some milliseconds', async () => {
    const taskId = await startTask();
    const { taskEvents } = database.store;
    const detail = smallDetail({ reason: 'x'.repeat(300), calls: [{ callId: 'a1.t1.c1', tool: 'read_note' }] });
    const began = performance.now();
    // of a turn: decision, start and end of a tool call
    for (let turn = 0; turn < 100; turn += 1)
      for (const part of ['decided', 'started', 'finished']) await taskEvents.record(taskId, { type: part, attempt: 1, detail }, `${turn}.${part}`);
    // 2 ms where nothing else runs
    expect((performance.now() - began) / 100).toBeLessThan(25);
  });
});

describe('the detail of an event', () => {
  it('has no secrets and at most 2 KB, whatever it is made of', () => {
    expect(smallDetail({ password: 'hunter22', text: 'Authorization: Bearer abcdefghijklmnop' })).toEqual({ password: '[redacted]', text: 'Authorization: Bearer [redacted]' });
    const big = smallDetail({ text: '界'.repeat(5_000), list: Array.from({ length: 500 }, (_, index) => ({ index, text: 'x'.repeat(100) })) });
    expect(big).toMatchObject({ cut: true, text: expect.stringMatching(/^界.*…$/) });
    expect(Buffer.byteLength(JSON.stringify(big))).toBeLessThanOrEqual(2_048);
    const wide = smallDetail(Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`field ${index} ${'y'.repeat(200)}`, 'z'.repeat(300)])));
    expect(Buffer.byteLength(JSON.stringify(wide))).toBeLessThanOrEqual(2_048);
  });
});
