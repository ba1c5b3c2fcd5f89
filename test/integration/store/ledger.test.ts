import { afterAll, beforeAll, expect, it } from 'vitest';
import { openStore, type Store } from '../../../src/store/store.ts';
import { testDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
let store: Store;
const taskId = 'task';
beforeAll(async () => {
  database = await testDatabase();
  store = database.store;
  await store.tasks.start({ taskId, agent: 'support', channel: 'live', startedBy: 'test', phase: 'starting' });
});
afterAll(() => database.drop());

const call = (callId: string) => ({
  taskId,
  callId,
  attempt: 1,
  turn: 1,
  tool: 'submit_refund_request',
  toolVersion: '1',
  risk: 'dangerous' as const,
  argumentsHash: 'h',
  arguments: '{"order_id":"A002"}',
  idempotencyKey: `${taskId}/${callId}`,
});

it("of many begins at once, from two processes' pools, exactly one is new", async () => {
  const other = openStore({ url: database.url });
  try {
    for (let round = 0; round < 20; round += 1) {
      const begins = await Promise.all([store, other, store, other].map((one) => one.toolCalls.begin(call(`race-${round}`))));
      expect(begins.map((begun) => begun.state).sort()).toEqual(['new', 'started', 'started', 'started']);
    }
  } finally {
    await other.close();
  }
});

it('a begin that meets an uncommitted one waits for how it ends', async () => {
  let commit = () => {};
  const held = new Promise<void>((resolve) => (commit = resolve));
  const first = store.transaction(async (transaction) => {
    const begun = await store.toolCalls.begin(call('waits'), transaction);
    await held;
    return begun.state;
  });
  const second = store.toolCalls.begin(call('waits'));
  commit();
  expect([await first, (await second).state].sort()).toEqual(['new', 'started']);
});

it('a finished call gives its end; the first end stays', async () => {
  expect((await store.toolCalls.begin(call('done'))).row.executions).toBe(1);
  await store.toolCalls.countExecution(taskId, 'done');
  const end = await store.toolCalls.finish(taskId, 'done', {
    status: 'success',
    resultHash: 'r',
    fields: { 'order.status': 'shipped', amount: 12.5, gift: false },
    durationMs: 20,
  });
  expect(end).toMatchObject({ status: 'success', executions: 2, fields: { 'order.status': 'shipped', amount: 12.5, gift: false } });
  expect(end.endedAt).toBeInstanceOf(Date);
  expect(await store.toolCalls.finish(taskId, 'done', { status: 'timeout', reason: 'late' })).toEqual(end);
  expect(await store.toolCalls.begin(call('done'))).toEqual({ state: 'finished', row: end });
  await expect(store.toolCalls.finish(taskId, 'never begun', { status: 'success' })).rejects.toThrow(/never begun/);
});

it('an idempotency key belongs to one call', async () => {
  await store.toolCalls.begin(call('owner'));
  await expect(store.toolCalls.begin({ ...call('thief'), idempotencyKey: `${taskId}/owner` })).rejects.toThrow(/belongs to another call/);
});

it('denied calls are recorded once, take no key, and never overwrite a call that ran', async () => {
  await store.toolCalls.recordDenied({ ...call('denied'), code: 'prerequisite', reason: 'no order was looked up' });
  await store.toolCalls.recordDenied({ ...call('denied'), code: 'rejected', reason: 'again' });
  expect(await store.toolCalls.get(taskId, 'denied')).toMatchObject({ status: 'denied', code: 'prerequisite', idempotencyKey: null, executions: 0 });
  await store.toolCalls.recordDenied({ ...call('done'), reason: 'too late' });
  expect((await store.toolCalls.get(taskId, 'done'))!.status).toBe('success');
  await store.toolCalls.judge(taskId, 'done', { right: true, why: 'the order was refundable' });
  expect((await store.toolCalls.get(taskId, 'done'))!.verdict).toEqual({ right: true, why: 'the order was refundable' });
});
