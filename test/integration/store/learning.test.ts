import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Store } from '../../../src/store/store.ts';
import { testDatabase, type TestDatabase } from '../../support/database.ts';
import { experience } from '../../support/experiences.ts';

let database: TestDatabase;
let store: Store;
beforeAll(async () => {
  database = await testDatabase();
  store = database.store;
});
afterAll(() => database?.drop());

async function startTask(): Promise<string> {
  const taskId = `task-${randomUUID()}`;
  await store.tasks.start({ taskId, agent: 'probe', channel: 'live', startedBy: 'test', phase: 'starting' });
  return taskId;
}

describe('settings', () => {
  it('keep every change with the value before it; the newest of a field counts', async () => {
    expect(await store.settings.current('keeper')).toEqual([]);
    expect(await store.settings.set('keeper', 'passScore', 70, 'ann')).toEqual({ from: null, to: 70 });
    expect(await store.settings.set('keeper', 'temperature', 0.3, 'ann')).toEqual({ from: null, to: 0.3 });
    expect(await store.settings.set('keeper', 'passScore', 90, 'bob')).toEqual({ from: 70, to: 90 });
    await store.settings.set('other', 'passScore', 50, 'eve');
    expect(await store.settings.current('keeper')).toMatchObject([
      { field: 'passScore', value: 90, by: 'bob' },
      { field: 'temperature', value: 0.3, by: 'ann' },
    ]);
    const history = await store.settings.history('keeper');
    expect(history.map(({ field, from, value, by }) => [field, from, value, by])).toEqual([
      ['passScore', null, 70, 'ann'],
      ['temperature', null, 0.3, 'ann'],
      ['passScore', 70, 90, 'bob'],
    ]);
    expect(Math.abs(history[0]!.changedAt - Date.now())).toBeLessThan(60_000);
  });

  it('the value that stands is no change; no number and no such field are refused', async () => {
    await store.settings.set('same', 'maxAttempts', 3, 'ann');
    expect(await store.settings.set('same', 'maxAttempts', 3, 'bob')).toEqual({ from: 3, to: 3 });
    expect(await store.settings.history('same')).toHaveLength(1);
    for (const value of [Number.NaN, Infinity]) await expect(store.settings.set('same', 'maxAttempts', value, 'eve')).rejects.toThrow(TypeError);
    await expect(store.settings.set('same', 'nothing' as never, 1, 'eve')).rejects.toThrow(/check constraint/);
    expect(await store.settings.history('same')).toHaveLength(1);
  });

  it('every change is in the audit of whoever made it, once', async () => {
    for (let time = 0; time < 2; time += 1) await store.settings.set('told', 'maxAttempts', 3, 'ann');
    await store.settings.set('told', 'maxTurns', 4, { by: 'dana', via: 'session', tenant: 'acme' });
    const told = async (tenant: string) => (await store.audit.list({ tenant, action: 'settings.changed' })).items.filter(({ target }) => target === 'told');
    expect(await told('default')).toMatchObject([{ actor: 'ann', actorVia: 'local', before: { maxAttempts: null }, after: { maxAttempts: 3 } }]);
    expect(await told('acme')).toMatchObject([{ actor: 'dana', actorVia: 'session', after: { maxTurns: 4 } }]);
  });

  it('changes at the same moment form one chain', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, index) => store.settings.set('chain', 'maxTokens', 100 + index, `user-${index}`)));
    const history = await store.settings.history('chain');
    expect(history.map(({ from }) => from)).toEqual([null, ...history.slice(0, -1).map(({ value }) => value)]);
    expect(new Set(history.map(({ value }) => value)).size).toBe(20);
  });
});

describe('task events', () => {
  it('are there once for each key, in the order they were recorded, also of one transaction', async () => {
    const taskId = await startTask();
    const types = ['execution_start', 'execution_error', 'reflection', 'lesson_used', 'execution_success'];
    const record = () =>
      store.transaction(async (transaction) => {
        for (const [index, type] of types.entries())
          await store.taskEvents.record(taskId, { type, attempt: 1, detail: { index, text: 'a\0b', snake_case: [1, { deep: null }] } }, `${9 - index}`, transaction);
      });
    await record();
    await record();
    const events = await store.taskEvents.listOfAgent(taskId);
    expect(events.map(({ type }) => type)).toEqual(types);
    expect(events[1]).toMatchObject({ key: '8', attempt: 1, detail: { index: 1, text: 'a\uFFFDb', snake_case: [1, { deep: null }] }, at: expect.any(Date) });
  });

  it('the same key in two tasks are two events; a task that is not there has none', async () => {
    const [one, two] = [await startTask(), await startTask()];
    for (const taskId of [one, two]) await store.taskEvents.record(taskId, { type: 'execution_start', attempt: 1, detail: {} }, 'k');
    expect(await store.taskEvents.listOfAgent(one)).toHaveLength(1);
    expect(await store.taskEvents.listOfAgent(two)).toHaveLength(1);
    await expect(store.taskEvents.record('no such task', { type: 'x', attempt: 1, detail: {} }, 'k')).rejects.toThrow(/foreign key/);
  });
});

describe('sandbox runs', () => {
  it('are kept in order, outlive their task, and are told apart by their end', async () => {
    const taskId = await startTask();
    const run = {
      taskId,
      callId: 'a1.t1.c1',
      codeHash: 'c'.repeat(64),
      driver: 'bubblewrap',
      language: 'python',
      limits: { wallMs: 10_000, memoryBytes: 268_435_456 },
      durationMs: 31,
    };
    await store.sandboxRuns.record({ ...run, status: 'ok', createdAt: 1_000 });
    await store.sandboxRuns.record({ ...run, status: 'refused', driver: null, callId: null, createdAt: 2_000 });
    const once = { ...run, runId: randomUUID(), status: 'timeout' as const, createdAt: 3_000 };
    await store.sandboxRuns.record(once);
    await store.sandboxRuns.record(once);
    const runs = await store.sandboxRuns.listByTask(taskId);
    expect(runs.map(({ status }) => status)).toEqual(['ok', 'refused', 'timeout']);
    expect(runs[0]).toMatchObject({ ...run, createdAt: new Date(1_000) });
    await expect(store.sandboxRuns.record({ ...run, status: 'fine' as never })).rejects.toThrow(/check constraint/);
    await sql`delete from task where task_id = ${taskId}`.execute(store.database);
    expect((await sql<{ count: number }>`select count(*) from sandbox_run where code_hash = ${run.codeHash} and task_id is null`.execute(store.database)).rows[0]!.count).toBe(3);
  });
});

describe('the view of a task', () => {
  it('holds its events, what it taught and its sandbox runs', async () => {
    const taskId = await startTask();
    await store.taskEvents.record(taskId, { type: 'execution_start', attempt: 1, detail: {} }, 'k');
    await store.experiences.put(experience({ taskId, fix: 'a fix' }));
    await store.sandboxRuns.record({ taskId, callId: null, codeHash: 'x', driver: 'quickjs', language: 'javascript', limits: {}, status: 'ok', durationMs: 1 });
    expect(await store.taskView(taskId)).toMatchObject({ events: [{ type: 'execution_start' }], experiences: [{ taskId, fix: 'a fix' }], sandboxRuns: [{ driver: 'quickjs' }] });
  });

  it('what a task taught outlives the task', async () => {
    const taskId = await startTask();
    const id = await store.experiences.put(experience({ taskId, agent: 'heir', fix: 'a fix' }));
    await sql`delete from task where task_id = ${taskId}`.execute(store.database);
    expect(await store.experiences.getMany([id])).toHaveLength(1);
  });
});
