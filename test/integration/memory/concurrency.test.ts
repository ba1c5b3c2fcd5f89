import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { termsOf } from '../../../src/memory/terms.ts';
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

const WRITERS = 8;
const EACH = 200;

/** How many it stored before it ended or, after `killAt`, was killed. */
async function write(writer: number, killAt = Infinity): Promise<{ stored: number; code: number | null; complaint: string }> {
  const child = spawn(process.execPath, [new URL('../../fixtures/experience-writer.ts', import.meta.url).pathname, database.url, String(writer), String(EACH)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
  let stored = 0;
  const closed = once(child, 'close');
  for await (const _line of createInterface({ input: child.stdout })) {
    stored += 1;
    if (stored === killAt) child.kill('SIGKILL');
  }
  const [code] = (await closed) as [number | null];
  return { stored, code, complaint };
}

const total = async (table: 'experience' | 'experience_source') => (await sql<{ count: number }>`select count(*) from ${sql.table(table)}`.execute(store.database)).rows[0]!.count;

describe('MEM-03 eight processes write while four readers search and one writer is killed', () => {
  it('no writer or reader sees an error, what was acknowledged is there, and a second run of the killed one writes the rest alone', async () => {
    let writing = true;
    let searches = 0;
    const reader = async () => {
      while (writing) {
        await store.experiences.search({ agent: 'probe', tenant: 'default', terms: termsOf('数据库 cause3x7'), limit: 3 });
        searches += 1;
        // as tasks that come one after another; without a pause they would take a whole core from the writers
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
    const readers = Array.from({ length: 4 }, reader);
    const results = await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer, writer === 0 ? EACH / 2 : Infinity)));
    writing = false;
    await Promise.all(readers);
    expect(searches).toBeGreaterThan(0);
    const [killed, ...others] = results;
    for (const result of others) expect(result).toEqual({ stored: EACH, code: 0, complaint: '' });
    expect(killed!.code).toBeNull();
    expect(killed!.stored).toBeLessThan(EACH);

    // one that was being written when it was killed may or may not have been committed; nothing is half there
    const sources = await total('experience_source');
    expect(sources).toBeGreaterThanOrEqual(EACH * 7 + killed!.stored);
    expect(sources).toBeLessThanOrEqual(EACH * 7 + killed!.stored + 1);
    expect((await write(0)).code).toBe(0);
    expect(await total('experience_source')).toBe(WRITERS * EACH);
    expect(await total('experience')).toBe(WRITERS * (EACH - 1) + 1);
  }, 120_000);

  it('tables and indexes agree, and each lesson was counted as often as it was taught', async () => {
    const { rows } = await sql<{ experience_id: string }>`
      select experience_id from experience left join (select experience_id, count(*) as taught from experience_source group by 1) as source using (experience_id) where taught is distinct from times_seen`.execute(
      store.database,
    );
    expect(rows).toEqual([]);
    const [shared] = await store.experiences.search({ agent: 'probe', tenant: 'default', terms: termsOf('shared'), limit: 1 });
    expect(shared).toMatchObject({ fix: 'shared fix', timesSeen: WRITERS });

    const byIndex = await store.transaction(async (transaction) => {
      await sql`set local enable_seqscan = off`.execute(transaction);
      return (await sql<{ count: number }>`select count(*) from experience where terms @> array['数据']`.execute(transaction)).rows[0]!.count;
    });
    expect(byIndex).toBe(WRITERS * (EACH - 1));
  });
});

describe('at the same moment', () => {
  it('the same lesson from many tasks is one row that counts them all; the same id is counted once', async () => {
    const lesson = { agent: 'rush', rootCause: 'one cause', fix: 'one fix' };
    const many = Array.from({ length: 12 }, (_, index) => experience({ ...lesson, taskId: `rush-${index}` }));
    const ids = await Promise.all([...many, ...many, ...many].map((each) => store.experiences.put(each)));
    expect(new Set(ids).size).toBe(1);
    const found = await store.experiences.search({ agent: 'rush', tenant: 'default', terms: termsOf('cause'), limit: 9 });
    expect(found.map(({ timesSeen }) => timesSeen)).toEqual([12]);
  });

  it('two writings of one id that say different things: the first stays, and nobody gets an error', async () => {
    const first = experience({ agent: 'rivals', rootCause: 'left' });
    const ids = await Promise.all(Array.from({ length: 8 }, (_, index) => store.experiences.put({ ...first, rootCause: `cause ${index}` })));
    expect(new Set(ids)).toEqual(new Set([first.experienceId]));
    expect(await store.experiences.listByTask(first.taskId)).toHaveLength(1);
  });
});
