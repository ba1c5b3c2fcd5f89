import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createWatcher, type TenantChange, type Watched, type Watcher } from '../../../src/live/watch.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { testDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
/** Another process, as far as Postgres knows. */
let elsewhere: Store;
let watcher: Watcher;
let stop = new AbortController();
beforeAll(async () => {
  database = await testDatabase({ poolSize: 4 });
  elsewhere = openStore({ url: database.url, poolSize: 4 });
  // long enough that a test which waits for the poll instead of a notice would time out
  watcher = createWatcher({ databaseUrl: database.url, store: database.store, pollMs: 60_000 });
});
afterEach(() => {
  stop.abort();
  stop = new AbortController();
});
afterAll(async () => {
  await watcher.close();
  await elsewhere.close();
  await database.drop();
});

async function startTask(tenant = 'default'): Promise<string> {
  const taskId = `task-${randomUUID()}`;
  await elsewhere.tasks.start({ taskId, agent: 'probe', channel: 'live', tenant, startedBy: 'test', phase: 'starting' });
  return taskId;
}

function record(taskId: string, type: string, key: string = randomUUID(), detail: Record<string, unknown> = {}): Promise<number> {
  return elsewhere.taskEvents.record(taskId, { type, attempt: 1, detail }, key);
}

/** Cuts the connection that listens, as a restarted server or a firewall would. */
async function cut(): Promise<void> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'loopwright live' and datname = current_database()`);
  await client.end();
}

async function all<T>(watched: AsyncIterable<T>, each: (item: T) => Promise<void> | void = () => {}): Promise<T[]> {
  const items: T[] = [];
  for await (const item of watched) {
    items.push(item);
    await each(item);
  }
  return items;
}

async function take<T>(watched: AsyncIterator<T>, count: number): Promise<T[]> {
  const items: T[] = [];
  while (items.length < count) {
    const { value, done } = await watched.next();
    if (done) break;
    items.push(value);
  }
  return items;
}

/** A watch of a tenant that surely watches: it has told of a first event. */
async function watching(tenant: string): Promise<AsyncIterator<TenantChange>> {
  const taskId = await startTask(tenant);
  const watched = watcher.watchTenant(tenant, { signal: stop.signal });
  let isTold = false;
  const first = watched.next().then(() => (isTold = true));
  while (!isTold) await Promise.all([record(taskId, 'tuned'), Promise.race([first, new Promise((resolve) => setTimeout(resolve, 20))])]);
  return watched;
}

async function takeUntil(watched: AsyncIterator<TenantChange>, wanted: (change: TenantChange) => boolean): Promise<TenantChange[]> {
  const changes: TenantChange[] = [];
  while (!changes.some(wanted)) changes.push(...(await take(watched, 1)));
  return changes;
}

const numbersOf = (watched: Watched[]) => watched.flatMap((each) => (each.type === 'event' ? each.event.number : []));

describe('watching a task', () => {
  it('1,000 events in bursts, the connection cut again and again, a fast and a slow reader and one that comes late: each event once, in order, to the end', async () => {
    const taskId = await startTask();
    const fast = all(watcher.watchTask(taskId, { after: 0, signal: stop.signal }));
    const slow = all(watcher.watchTask(taskId, { after: 10, signal: stop.signal }), async (item) => {
      if (item.type === 'event' && item.event.number % 100 === 0) await new Promise((resolve) => setTimeout(resolve, 30));
    });
    let late: Promise<Watched[]> | null = null;
    for (let burst = 0; burst < 10; burst += 1) {
      const cutting = burst % 3 === 1 ? cut() : null;
      await Promise.all(Array.from({ length: 100 }, () => record(taskId, 'tuned')));
      await cutting;
      if (burst === 5) late = all(watcher.watchTask(taskId, { after: 0, signal: stop.signal }));
    }
    await cut();
    await record(taskId, 'task_closed');
    const expected = Array.from({ length: 1_001 }, (_, index) => index + 1);
    expect(numbersOf(await fast)).toEqual(expected);
    expect(numbersOf(await slow)).toEqual(expected.slice(10));
    expect(numbersOf(await late!)).toEqual(expected);
  }, 30_000);

  it('tells at once what another process records, with its facts', async () => {
    const taskId = await startTask();
    const watched = watcher.watchTask(taskId, { after: 0, signal: stop.signal });
    await record(taskId, 'task_started', 'k', { agent: 'probe' });
    expect(await take(watched, 1)).toEqual([{ type: 'event', event: { number: 1, type: 'task_started', at: expect.any(Number), attempt: 1, detail: { agent: 'probe' } } }]);
    const next = watched.next();
    const began = performance.now();
    await record(taskId, 'tuned');
    expect(numbersOf([(await next).value as Watched])).toEqual([2]);
    expect(performance.now() - began).toBeLessThan(1_000);
  });

  it('goes on when the database was away', async () => {
    const taskId = await startTask();
    await record(taskId, 'task_started');
    const { taskEvents } = database.store;
    const { listAfter } = taskEvents;
    let failures = 0;
    taskEvents.listAfter = async (...input) => {
      failures += 1;
      if (failures > 2) return listAfter(...input);
      throw Object.assign(new Error('terminating connection due to administrator command'), { code: '57P01' });
    };
    try {
      expect(numbersOf(await take(watcher.watchTask(taskId, { after: 0, signal: stop.signal }), 1))).toEqual([1]);
      taskEvents.listAfter = async () => {
        throw new Error('a fault of ours');
      };
      await expect(take(watcher.watchTask(taskId, { after: 0, signal: stop.signal }), 1)).rejects.toThrow('a fault of ours');
    } finally {
      taskEvents.listAfter = listAfter;
    }
  });

  it('ends by its signal, and at once for a task that has closed', async () => {
    const taskId = await startTask();
    const waiting = all(watcher.watchTask(taskId, { after: 0, signal: stop.signal }));
    stop.abort();
    expect(await waiting).toEqual([]);
    await elsewhere.transaction(async (transaction) => {
      await elsewhere.tasks.update(taskId, { outcome: 'passed', reason: 'quality_reached' }, transaction);
      await elsewhere.taskEvents.record(taskId, { type: 'task_closed', attempt: 1, detail: {} }, 'closed', transaction);
    });
    const { signal } = new AbortController();
    expect(numbersOf(await all(watcher.watchTask(taskId, { after: 0, signal })))).toEqual([1]);
    expect(await all(watcher.watchTask(taskId, { after: 1, signal }))).toEqual([]);
  });
});

describe('watching what a model writes', () => {
  const call = (taskId: string, attempt = 1) => ({ taskId, callKey: 'decide.a1.t1', stage: 'decide', try: attempt });
  const stored = { model: 'm', responseId: null, finishReason: 'stop', usage: { inputTokens: 1, outputTokens: 1 }, kind: 'message', toolCalls: [] };

  async function keep(taskId: string, content: string): Promise<void> {
    await elsewhere.transaction(async (transaction) => {
      await elsewhere.modelReplies.put({ key: `${taskId}/decide.a1.t1`, taskId, reply: JSON.stringify({ ...stored, content }) }, transaction);
      await elsewhere.streams.end(taskId, 'decide.a1.t1', transaction);
    });
  }

  it('comes as it is written; who comes in the middle gets all of it first; the end is complete when the reply is stored', async () => {
    const taskId = await startTask();
    const first = watcher.watchTask(taskId, { after: 0, signal: stop.signal, raw: true });
    const began = first.next();
    await elsewhere.streams.append(call(taskId), 0, 'Hello ');
    expect((await began).value).toEqual({ type: 'delta', callKey: 'decide.a1.t1', stage: 'decide', try: 1, offset: 0, text: 'Hello ', draft: true });
    await elsewhere.streams.append(call(taskId), 6, 'wor');
    expect((await first.next()).value).toMatchObject({ offset: 6, text: 'wor' });
    const second = watcher.watchTask(taskId, { after: 0, signal: stop.signal, raw: true });
    expect((await second.next()).value).toMatchObject({ type: 'delta', offset: 0, text: 'Hello wor' });
    // the last piece was never shown: it comes from the reply
    await keep(taskId, 'Hello world');
    await record(taskId, 'decision_made');
    for (const watched of [first, second])
      expect(await take(watched, 3)).toMatchObject([
        { type: 'delta', offset: 9, text: 'ld' },
        { type: 'delta_end', complete: true },
        { type: 'event', event: { type: 'decision_made' } },
      ]);
    expect(await elsewhere.streams.listOpen(taskId)).toEqual([]);
    // a worker that was thought dead writes on: nobody is told
    await elsewhere.streams.append(call(taskId), 6, 'x');
    await record(taskId, 'tuned');
    expect(await take(first, 1)).toMatchObject([{ type: 'event', event: { type: 'tuned' } }]);
  });

  it('a broken text is never complete: it ends as broken, and another try begins anew', async () => {
    const taskId = await startTask();
    const watched = watcher.watchTask(taskId, { after: 0, signal: stop.signal, raw: true });
    await elsewhere.streams.append(call(taskId), 0, 'Wrong ans');
    expect(await take(watched, 1)).toMatchObject([{ type: 'delta', text: 'Wrong ans' }]);
    await elsewhere.streams.end(taskId, 'decide.a1.t1');
    expect(await take(watched, 1)).toEqual([{ type: 'delta_end', callKey: 'decide.a1.t1', complete: false }]);
    await elsewhere.streams.append(call(taskId, 2), 0, 'Right');
    expect(await take(watched, 2)).toMatchObject([
      { type: 'delta_reset', try: 2 },
      { type: 'delta', try: 2, offset: 0, text: 'Right' },
    ]);
    // a worker died: its text is still there when the next try begins
    await elsewhere.streams.append(call(taskId, 3), 0, 'Rig');
    expect(await take(watched, 2)).toMatchObject([
      { type: 'delta_reset', try: 3 },
      { type: 'delta', try: 3, offset: 0, text: 'Rig' },
    ]);
    await keep(taskId, 'Right!');
    expect(await take(watched, 2)).toMatchObject([
      { type: 'delta', try: 3, offset: 3, text: 'ht!' },
      { type: 'delta_end', complete: true },
    ]);
  });

  it('a reply that was cut at its limit is no answer', async () => {
    const taskId = await startTask();
    const watched = watcher.watchTask(taskId, { after: 0, signal: stop.signal, raw: true });
    await elsewhere.streams.append(call(taskId), 0, 'So mu');
    await take(watched, 1);
    await elsewhere.modelReplies.put({ key: `${taskId}/decide.a1.t1`, taskId, reply: JSON.stringify({ ...stored, kind: 'truncated', text: 'So much' }) });
    await elsewhere.streams.end(taskId, 'decide.a1.t1');
    expect(await take(watched, 1)).toEqual([{ type: 'delta_end', callKey: 'decide.a1.t1', complete: false }]);
  });

  it('a piece that is missing hides what comes after it', async () => {
    const taskId = await startTask();
    await elsewhere.streams.append(call(taskId), 0, 'one ');
    await elsewhere.streams.append(call(taskId), 8, 'three');
    expect((await elsewhere.streams.listOpen(taskId))[0]).toMatchObject({ text: 'one ' });
    await elsewhere.streams.append(call(taskId), 4, 'two ');
    expect((await elsewhere.streams.listOpen(taskId, new Map([['decide.a1.t1', { try: 1, length: 4 }]])))[0]).toMatchObject({ offset: 4, text: 'two three' });
  });
});

const isClosed = (change: TenantChange) => change.type === 'task_changed' && change.event === 'task_closed';

describe('watching the lists of a tenant', () => {
  it('names what changed in this tenant alone, also after the connection was cut', async () => {
    const [mine, other] = [await startTask('acme'), await startTask('other')];
    const watched = await watching('acme');
    await record(other, 'task_started');
    await record(mine, 'approval_opened', 'o', { approvalId: 'a1.t1.c1' });
    const opened = await takeUntil(watched, (change) => change.type === 'approval_changed');
    expect(opened.slice(-2)).toEqual([
      { type: 'task_changed', taskId: mine, event: 'approval_opened' },
      { type: 'approval_changed', taskId: mine, approvalId: 'a1.t1.c1', event: 'approval_opened' },
    ]);
    const next = watched.next();
    await cut();
    await record(mine, 'task_closed');
    const closed = [(await next).value as TenantChange];
    if (!closed.some(isClosed)) closed.push(...(await takeUntil(watched, isClosed)));
    expect([...opened, ...closed].every((change) => change.type !== 'refresh' && change.taskId !== other)).toBe(true);
  });

  it('tells a reader that fell far behind to read all again', async () => {
    const watched = await watching('busy');
    const tasks = await Promise.all(Array.from({ length: 600 }, () => startTask('busy')));
    await Promise.all(tasks.map((taskId) => record(taskId, 'task_started')));
    const marker = await startTask('busy');
    await record(marker, 'tuned');
    const changes = await takeUntil(watched, (change) => change.type !== 'refresh' && change.taskId === marker);
    expect(changes).toContainEqual({ type: 'refresh' });
    expect(changes.length).toBeLessThan(502);
  });
});
