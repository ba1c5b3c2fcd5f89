import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Experience } from '../../../src/contracts/experience.ts';
import { termsOf } from '../../../src/memory/terms.ts';
import type { Store } from '../../../src/store/store.ts';
import { testDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
let store: Store;
beforeAll(async () => {
  database = await testDatabase();
  ({ store } = database);
});
afterAll(() => database?.drop());

let count = 0;
async function learn(situation: string, more: Partial<Experience> = {}): Promise<string> {
  count += 1;
  const experience: Experience = {
    experienceId: `e${count}`, agent: 'probe', tenant: 'default', taskId: `t${count}`, attempt: 1, outcome: 'failure', situation, stage: null, errorType: null, rootCause: null, fix: null, evidence: null,
    reward: null, confidence: 0.5, verified: false, createdAt: count, ...more,
  };
  await store.experiences.put({ ...experience, terms: termsOf(situation) });
  return experience.experienceId;
}
const search = async (text: string, more: { agent?: string; tenant?: string } = {}) => (await store.experiences.search({ agent: 'probe', tenant: 'default', terms: termsOf(text), limit: 5, ...more })).map((found) => found.experienceId);

describe('experience', () => {
  it('MEM-01 finds Chinese words of one and two characters, and ASCII glued to Chinese', async () => {
    const first = await learn('今天讨论了部署方案，服务器在腾讯云');
    const second = await learn('重跑gen-itgc后50条清零');
    for (const query of ['部署', '部署方案', '腾讯云', '云']) expect(await search(query), query).toContain(first);
    for (const query of ['itgc', '清零']) expect(await search(query), query).toEqual([second]);
    expect(await search('股票')).toEqual([]);
  });

  it('ranks rare words above common ones', async () => {
    for (let index = 0; index < 5; index += 1) await learn(`order parcel number ${index}`);
    const rare = await learn('order zebra');
    expect((await search('order zebra'))[0]).toBe(rare);
  });

  it('never crosses agent or tenant', async () => {
    const own = await learn('secret recipe', { agent: 'cook' });
    await learn('secret recipe', { agent: 'cook', tenant: 'other' });
    expect(await search('secret recipe', { agent: 'cook' })).toEqual([own]);
    expect(await search('secret recipe', { agent: 'baker' })).toEqual([]);
  });

  it('counts the same lesson once, and keeps one that says otherwise', async () => {
    const own = { agent: 'merge', errorType: 'TypeError' };
    const first = await learn('sum numbers', { ...own, fix: 'skip strings' });
    await learn('sum numbers', { ...own, fix: 'skip strings' });
    const other = await learn('sum numbers', { ...own, fix: 'convert strings' });
    const found = await store.experiences.search({ agent: 'merge', tenant: 'default', terms: termsOf('sum numbers'), limit: 5 });
    expect(found.map(({ experienceId, timesSeen }) => [experienceId, timesSeen]).toSorted()).toEqual([[first, 2], [other, 1]].toSorted());
  });

  it('takes many writers at once', async () => {
    await Promise.all(Array.from({ length: 8 }, async (_, writer) => {
      for (let index = 0; index < 25; index += 1) await learn(`writer ${writer} row ${index}`, { agent: 'busy' });
    }));
    const { rows } = await store.database.selectFrom('experience').select((row) => row.fn.countAll<number>().as('n')).where('agent', '=', 'busy').execute().then((found) => ({ rows: found }));
    expect(Number(rows[0]!.n)).toBe(200);
  });
});

describe('settings and rules', () => {
  it('keep every change; the newest counts', async () => {
    expect(await store.settings.set('probe', 'passScore', 70, 'ann')).toEqual({ from: null, to: 70 });
    expect(await store.settings.set('probe', 'passScore', 90, 'bob')).toEqual({ from: 70, to: 90 });
    expect(await store.settings.current('probe')).toMatchObject([{ field: 'passScore', value: 90, by: 'bob' }]);
    expect(await store.settings.history('probe')).toHaveLength(2);
    await expect(store.settings.set('probe', 'nothing' as never, 1, 'eve')).rejects.toThrow(/check/);
  });

  it('propose a sentence once, with every source', async () => {
    const proposal = { agent: 'probe', content: 'Check types first.', createdBy: 'reflection', attempt: 1, quote: 'TypeError: …' };
    const id = await store.rules.propose({ ...proposal, taskId: 't1' });
    expect(await store.rules.propose({ ...proposal, taskId: 't2' })).toBe(id);
    expect(await store.rules.list({ agent: 'probe' })).toMatchObject([{ status: 'candidate', content: 'Check types first.' }]);
  });
});
