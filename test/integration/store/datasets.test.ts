import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRecordRun } from '../../../src/activities/experiment-run.ts';
import { gateTasks } from '../../../src/activities/learn-clusters.ts';
import type { Services } from '../../../src/activities/services.ts';
import type { NewCase } from '../../../src/store/datasets.ts';
import { testDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database?.drop());

const T0 = Date.UTC(2026, 0, 1);

function caseOf(more: Partial<NewCase>): NewCase {
  return { tenant: 'default', dataset: 'probe-regression', caseId: 'one', kind: 'happy', input: { task: 'say good' }, createdBy: 'test', ...more };
}

describe('datasets', () => {
  it('show the cases that counted at a moment: changed, removed and added again', async () => {
    const { datasets } = database.store;
    await datasets.put({ tenant: 'default', dataset: 'probe-regression', agent: 'probe', title: 'Regression' });
    expect(await datasets.putCase(caseOf({}), T0)).toBe('added');
    expect(await datasets.putCase(caseOf({ caseId: 'two', split: 'train', critical: true, expected: { text: 'good' } }), T0 + 10)).toBe('added');
    expect(await datasets.putCase(caseOf({ createdBy: 'somebody else' }), T0 + 20)).toBe('unchanged');
    expect(await datasets.putCase(caseOf({ input: { task: 'say better' } }), T0 + 30)).toBe('changed');
    expect(await datasets.removeCase('default', 'probe-regression', 'two', T0 + 40)).toBe(true);
    expect(await datasets.removeCase('default', 'probe-regression', 'two', T0 + 50)).toBe(false);
    expect(await datasets.putCase(caseOf({ caseId: 'two' }), T0 + 60)).toBe('added');

    const at = async (offset: number, split?: string) =>
      (await datasets.casesAsOf('default', 'probe-regression', T0 + offset, split ? { split } : {})).map(({ caseId, input }) => [caseId, (input as { task: string }).task]);
    expect(await at(-1)).toEqual([]);
    expect(await at(0)).toEqual([['one', 'say good']]);
    expect(await at(29)).toEqual([
      ['one', 'say good'],
      ['two', 'say good'],
    ]);
    expect(await at(29, 'gate')).toEqual([['one', 'say good']]);
    expect(await at(30)).toEqual([
      ['one', 'say better'],
      ['two', 'say good'],
    ]);
    expect(await at(40)).toEqual([['one', 'say better']]);
    expect(await at(60)).toHaveLength(2);
    const [whole] = await datasets.casesAsOf('default', 'probe-regression', T0 + 10, { caseId: 'two' });
    expect(whole).toEqual({
      caseId: 'two',
      dataset: 'probe-regression',
      agent: 'probe',
      tenant: 'default',
      kind: 'happy',
      split: 'train',
      critical: true,
      input: { task: 'say good' },
      expected: { text: 'good' },
      cassetteHash: null,
      validFrom: T0 + 10,
    });
    expect((await datasets.history('default', 'probe-regression', 'one')).map(({ createdBy }) => createdBy)).toEqual(['test', 'test']);
  });

  it('a change at the very moment of the last takes its place; one before it is refused', async () => {
    const { datasets } = database.store;
    await datasets.put({ tenant: 'default', dataset: 'moments', agent: 'probe', title: 'Moments' });
    await datasets.putCase(caseOf({ dataset: 'moments' }), T0);
    expect(await datasets.putCase(caseOf({ dataset: 'moments', kind: 'boundary' }), T0)).toBe('changed');
    expect((await datasets.history('default', 'moments', 'one')).map(({ kind }) => kind)).toEqual(['boundary']);
    await expect(datasets.putCase(caseOf({ dataset: 'moments', kind: 'happy' }), T0 - 1)).rejects.toMatchObject({ name: 'DatasetError', code: 'too_early' });
    await expect(datasets.putCase(caseOf({ dataset: 'nowhere' }), T0)).rejects.toMatchObject({ code: 'unknown_dataset' });
  });

  it('of many at once exactly one adds, and one row counts', async () => {
    const { datasets } = database.store;
    await datasets.put({ tenant: 'default', dataset: 'race', agent: 'probe', title: 'Race' });
    const ends = await Promise.all(Array.from({ length: 8 }, () => datasets.putCase(caseOf({ dataset: 'race' }), T0)));
    expect(ends.toSorted()).toEqual(['added', ...Array.from({ length: 7 }, () => 'unchanged')]);
    expect(await datasets.casesAsOf('default', 'race', T0)).toHaveLength(1);
  });

  it('belong to one agent and one tenant', async () => {
    const { datasets } = database.store;
    await datasets.put({ tenant: 'acme', dataset: 'probe-regression', agent: 'probe', title: 'Theirs' });
    await datasets.putCase(caseOf({ tenant: 'acme', critical: true }), T0);
    await datasets.put({ tenant: 'acme', dataset: 'probe-regression', agent: 'probe', title: 'Theirs, renamed' });
    await expect(datasets.put({ tenant: 'acme', dataset: 'probe-regression', agent: 'other', title: 'Mine' })).rejects.toMatchObject({ code: 'other_agent' });
    expect(await datasets.list('acme')).toMatchObject([{ dataset: 'probe-regression', agent: 'probe', title: 'Theirs, renamed', cases: 1, critical: 1 }]);
    expect(await datasets.list('nobody')).toEqual([]);
  });

  it('hide their cases from what proposes: the task of each, and whoever asked the same, word for word', async () => {
    const { datasets, blobs, tasks } = database.store;
    await datasets.put({ tenant: 'default', dataset: 'learner-regression', agent: 'learner', title: 'Regression' });
    const [source, again, other] = ['mail ada@byron.org', 'mail ada@byron.org', 'mail bob@byron.org'].map((task, index) => ({ task, taskId: `seen-${index}` }));
    for (const { task, taskId } of [source!, again!, other!]) {
      await tasks.start({ taskId, agent: 'learner', channel: 'live', startedBy: 'test', phase: 'closed' });
      await tasks.update(taskId, { inputHash: await blobs.put(JSON.stringify({ task })) });
    }
    await datasets.putCase(caseOf({ dataset: 'learner-regression', input: { task: 'mail person1@example.com' }, sourceTaskId: source!.taskId }), T0);
    const place = { agent: 'learner', tenant: 'default' };
    const hidden = async (taskIds: string[]) => [...(await gateTasks({ store: database.store } as Services, { ...place, taskIds }))];
    expect(await hidden([again!.taskId, other!.taskId])).toEqual([again!.taskId]);
    expect(await hidden([source!.taskId, again!.taskId, other!.taskId])).toEqual([source!.taskId, again!.taskId]);
  });
});

it('a run counts only when its task was begun in its place, whoever knew the id before', async () => {
  const { store } = database;
  const place = { experimentId: 'planted', caseId: 'one', arm: 'base' as const, repeat: 1 };
  await sql`insert into experiment (experiment_id, agent, tenant, dataset, plan, plan_hash, started_by, started_at)
    values ('planted', 'probe', 'default', 'probe-regression', '{"measure": "passed"}'::jsonb, 'hash', 'ann', now())`.execute(store.database);
  const record = createRecordRun({ store } as Services);
  for (const [repeat, experiment] of [null, { ...place, repeat: 2, arm: 'candidate' as const }, { ...place, repeat: 3 }].entries()) {
    const taskId = `planted/one/base/${repeat + 1}`;
    await store.tasks.start({ taskId, agent: 'probe', channel: 'preview', startedBy: 'eve', phase: 'closed', experimentId: experiment?.experimentId ?? null, experiment });
    await store.tasks.update(taskId, { outcome: 'handed_off', reason: 'max_attempts' });
    const { excluded } = await record({ place: { ...place, repeat: repeat + 1 }, taskId, failure: null });
    expect(excluded, taskId).toBe(repeat === 2 ? null : 'the task was not begun by this experiment');
  }
});
