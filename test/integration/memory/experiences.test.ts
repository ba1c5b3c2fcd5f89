import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Experience } from '../../../src/contracts/experience.ts';
import { termsOf } from '../../../src/memory/terms.ts';
import type { Store } from '../../../src/store/store.ts';
import { testDatabase, type TestDatabase } from '../../support/database.ts';
import { experience } from '../../support/experiences.ts';
import { hasCases, readCases } from '../../support/cases.ts';

let database: TestDatabase;
let store: Store;
beforeAll(async () => {
  database = await testDatabase();
  store = database.store;
});
afterAll(() => database?.drop());

let agents = 0;
/** A namespace that no other test writes to. */
function memoryOf(agent = `agent-${(agents += 1)}`, tenant = 'default') {
  return {
    agent,
    learn: (change: Partial<Experience>) => store.experiences.put(experience({ agent, tenant, fix: 'a fix', ...change })),
    search: (text: string, limit = 10) => store.experiences.search({ agent, tenant, terms: termsOf(text), limit }),
    find: async (text: string, limit = 10) => (await store.experiences.search({ agent, tenant, terms: termsOf(text), limit })).map(({ experienceId }) => experienceId),
  };
}

describe.skipIf(!hasCases)('reports', () => {
  const reports = readCases('reports.jsonl')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { id: string; minimal_input: string });

  it('MEM-01 Chinese words of one and two characters, and ASCII glued to Chinese, are found; an unrelated word is not', async () => {
    const given = reports.find(({ id }) => id === 'MEM-01')!.minimal_input;
    const [first, second] = [...given.matchAll(/row \d: "([^"]+)"/gi)].map(([, text]) => text!);
    const memory = memoryOf();
    const [deployed, cleared] = [await memory.learn({ situation: first }), await memory.learn({ situation: second })];
    for (const query of ['部署', '部署方案', '腾讯云', '云']) expect(await memory.find(query), query).toEqual([deployed]);
    for (const query of ['itgc', '清零', 'gen-itgc', 'GEN', '50条']) expect(await memory.find(query), query).toEqual([cleared]);
    for (const query of ['天津', '部门', '清空', 'gent']) expect(await memory.find(query), query).toEqual([]);
  });
});

describe('search', () => {
  it('finds whatever stands around a word: emoji, punctuation, quotation marks, SQL', async () => {
    const memory = memoryOf();
    const id = await memory.learn({ situation: '🚀“发布”失败！order\'s KeyError: "price"; 100%' });
    for (const query of ['发布', '「发布」🎉', '"price"', "order's", 'keyerror', 'KEY', '失败?!', "'; drop table experience; -- price", '100%', 'price & | ! :* <->'])
      expect(await memory.find(query), query).toEqual([id]);
    for (const query of ['', '🚀', '!!!', "''", 'the']) expect(await memory.find(query), query).toEqual([]);
  });

  it('rare terms weigh more than common ones, and two more than one', async () => {
    const memory = memoryOf();
    for (let index = 0; index < 6; index += 1) await memory.learn({ situation: `order parcel number${index}` });
    const zebra = await memory.learn({ situation: 'order zebra' });
    const both = await memory.learn({ situation: 'parcel zebra' });
    expect((await memory.find('parcel zebra')).slice(0, 2)).toEqual([both, zebra]);
    const [best, next] = await memory.search('order zebra');
    expect(best!.experienceId).toBe(zebra);
    expect(best!.score).toBeGreaterThan(next!.score);
  });

  it('weighs by how rare a term is in this namespace alone', async () => {
    const [mine, other] = [memoryOf(), memoryOf()];
    for (let index = 0; index < 20; index += 1) await other.learn({ situation: `zebra ${index}x` });
    const [zebra] = [await mine.learn({ situation: 'zebra' }), await mine.learn({ situation: 'order one1' }), await mine.learn({ situation: 'order two2' })];
    expect((await mine.find('order zebra'))[0]).toBe(zebra);
    const [found] = await mine.search('zebra');
    expect(found!.score).toBeCloseTo(Math.log(1 + (3 - 1 + 0.5) / 1.5), 9);
  });

  it('never crosses agent or tenant, whatever is asked for', async () => {
    const own = memoryOf('cook', 'a');
    const id = await own.learn({ situation: 'secret recipe', errorType: 'BurntError' });
    await memoryOf('cook', 'b').learn({ situation: 'secret recipe', errorType: 'BurntError' });
    await memoryOf('baker', 'a').learn({ situation: 'secret recipe', errorType: 'BurntError' });
    expect(await own.find('secret recipe BurntError')).toEqual([id]);
    for (const stranger of [memoryOf('cook', ''), memoryOf('cook', 'A'), memoryOf('cook', 'a '), memoryOf('coo', 'a'), memoryOf("cook' or true --", 'a'), memoryOf('%', '%')])
      expect(await stranger.find('secret recipe BurntError')).toEqual([]);
  });

  it('finds successes with a fix and failures with a cause; what says neither is no lesson', async () => {
    const memory = memoryOf();
    const success = await memory.learn({ situation: 'sum', outcome: 'success', fix: 'skip strings' });
    const failure = await memory.learn({ situation: 'sum', fix: null, rootCause: 'a string' });
    await memory.learn({ situation: 'sum', outcome: 'success', fix: null });
    await memory.learn({ situation: 'sum', fix: null });
    expect((await memory.find('sum')).toSorted()).toEqual([success, failure].toSorted());
  });

  it('passes over what is superseded, retired or expired', async () => {
    const memory = memoryOf();
    const ids = [];
    for (const name of ['superseded', 'retired', 'expiring', 'valid']) ids.push(await memory.learn({ situation: `sum ${name}` }));
    const [superseded, retired, expiring, valid] = ids;
    await sql`update experience set superseded_by = ${valid} where experience_id = ${superseded}`.execute(store.database);
    await sql`update experience set retired_at = now() - interval '1 second' where experience_id = ${retired}`.execute(store.database);
    await sql`update experience set retired_at = now() + interval '1 hour' where experience_id = ${expiring}`.execute(store.database);
    expect((await memory.find('sum')).toSorted()).toEqual([expiring, valid].toSorted());
  });

  it('has one order: equal scores newest first, then by id; the limit cuts it', async () => {
    const memory = memoryOf();
    const ids: string[] = [];
    for (let index = 0; index < 12; index += 1) ids.push(await memory.learn({ situation: 'alike', fix: `fix ${index}`, createdAt: 1_700_000_000_000 + Math.floor(index / 2) }));
    const order = await memory.find('alike', 20);
    expect(order.slice(0, 2)).toEqual(ids.slice(10).toSorted());
    expect(order).toHaveLength(12);
    for (let round = 0; round < 3; round += 1) expect(await memory.find('alike', 5)).toEqual(order.slice(0, 5));
    expect(await memory.find('alike', 0)).toEqual([]);
  });
});

describe('put', () => {
  it('gives everything back as it was put, texts that Postgres cannot hold made whole', async () => {
    const whole = experience({
      agent: 'whole',
      stage: 'tool_call',
      errorType: 'TypeError',
      rootCause: 'a\0b \uD800 "c"',
      fix: 'x = {"a": 1}\n',
      evidence: '证据',
      reward: -0.5,
      confidence: 0.25,
      verified: true,
      outcome: 'success',
    });
    await store.experiences.put(whole);
    const { terms: _terms, ...stored } = whole;
    expect(await store.experiences.getMany([whole.experienceId])).toEqual([{ ...stored, rootCause: 'a\uFFFDb \uFFFD "c"' }]);
    expect(await store.experiences.listByTask(whole.taskId)).toHaveLength(1);
    expect(await store.experiences.getMany([])).toEqual([]);
  });

  it('merges the same lesson under its older id and counts each attempt once', async () => {
    const memory = memoryOf();
    const lesson = { situation: 'sum the  list', errorType: 'TypeError', fix: 'skip strings' };
    const first = experience({ agent: memory.agent, ...lesson, rootCause: null, confidence: 0.5 });
    const second = experience({ agent: memory.agent, ...lesson, situation: 'sum the list ', rootCause: 'a string', confidence: 0.8, verified: true });
    for (const one of [first, second, second, first, second]) expect(await store.experiences.put(one)).toBe(first.experienceId);
    expect(await memory.search('sum')).toMatchObject([
      { experienceId: first.experienceId, taskId: first.taskId, timesSeen: 2, rootCause: 'a string', confidence: 0.8, verified: true },
    ]);
    expect((await store.experiences.listByTask(second.taskId)).map(({ experienceId }) => experienceId)).toEqual([first.experienceId]);
  });

  it('hides no contradiction: another fix, another outcome of the same fix, another cause without a fix, another error', async () => {
    const memory = memoryOf();
    const lesson = { situation: 'sum', errorType: 'TypeError', fix: 'skip strings', rootCause: 'a string' };
    const different: Partial<Experience>[] = [
      {},
      { fix: 'convert strings' },
      { outcome: 'success' },
      { fix: null },
      { fix: null, rootCause: 'a null' },
      { errorType: 'ValueError' },
      { errorType: null },
      { situation: 'sum it' },
      { fix: 'Skip strings' },
    ];
    for (const change of [...different, ...different]) await memory.learn({ ...lesson, ...change });
    expect((await memory.search('sum', 50)).map(({ timesSeen }) => timesSeen)).toEqual(different.map(() => 2));
  });

  it('joins the transaction it is given', async () => {
    const memory = memoryOf();
    const lost = store.transaction(async (transaction) => {
      await store.experiences.put(experience({ agent: memory.agent, fix: 'x' }), transaction);
      throw new Error('rolled back');
    });
    await expect(lost).rejects.toThrow('rolled back');
    expect(await memory.find('sum')).toEqual([]);
  });
});
