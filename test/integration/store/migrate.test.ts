import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { migrate, openDatabase } from '../../../src/store/database.ts';
import { binariesIn } from '../../../src/store/embedded-postgres.ts';
import { coreMigrations } from '../../../src/store/migrations/index.ts';
import { openStore } from '../../../src/store/store.ts';
import { emptyDatabase, startTestPostgres, testDatabase } from '../../support/database.ts';

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function open(url: string) {
  const database = openDatabase(url, { poolSize: 2 });
  cleanups.push(() => database.destroy());
  return database;
}

async function empty() {
  const database = await emptyDatabase();
  cleanups.push(database.drop);
  return database.url;
}

describe('migrate', () => {
  it("runs each migration once: the core's, then the agents' by name", async () => {
    const database = await open(await empty());
    const ran: string[] = [];
    const extra = Object.fromEntries(['weekly/0001-b', 'support/0002-b', 'support/0001-a'].map((name) => [name, { up: async () => void ran.push(name) }]));
    expect(await migrate(database, extra)).toEqual([...Object.keys(coreMigrations), 'support/0001-a', 'support/0002-b', 'weekly/0001-b']);
    expect(await migrate(database, { ...extra, 'support/0003-c': { up: async () => void ran.push('support/0003-c') } })).toEqual(['support/0003-c']);
    expect(ran).toEqual(['support/0001-a', 'support/0002-b', 'weekly/0001-b', 'support/0003-c']);
    await expect(migrate(database, { 'core/0099-mine': { up: async () => {} } })).rejects.toThrow(/are the core's/);
  });

  it('a migration that fails leaves nothing behind, and runs again next time', async () => {
    const database = await open(await empty());
    let broken = true;
    const extra = {
      'support/0001-orders': {
        up: async (transaction: typeof database) => {
          await sql`create table "order" (id text primary key)`.execute(transaction);
          if (broken) throw new Error('broken');
        },
      },
    };
    await expect(migrate(database, extra)).rejects.toThrow('broken');
    broken = false;
    expect(await migrate(database, extra)).toEqual(['support/0001-orders']);
  });

  it('of pools that start at once, one runs each migration', async () => {
    const url = await empty();
    let runs = 0;
    const extra = { 'support/0001-orders': { up: async () => void (runs += 1) } };
    const names = await Promise.all([1, 2, 3, 4].map(async () => migrate(await open(url), extra)));
    expect(names.flat().sort()).toEqual([...Object.keys(coreMigrations), 'support/0001-orders'].sort());
    expect(runs).toBe(1);
  });

  it('of processes that start at once too', async () => {
    const url = await empty();
    const names = await Promise.all([1, 2, 3].map(() => migrateInProcess(url)));
    expect(names.flat().sort()).toEqual(Object.keys(coreMigrations).sort());
  }, 30_000);
});

const POSTGRES_15 = '/usr/lib/postgresql/15/bin';
describe('PostgreSQL 15', () => {
  it.skipIf(!existsSync(POSTGRES_15))(
    `takes the same SQL (needs ${POSTGRES_15})`,
    async () => {
      const server = await startTestPostgres({ binaries: binariesIn(POSTGRES_15) });
      cleanups.push(server.stop);
      const { url, store, drop } = await testDatabase({ adminUrl: server.url });
      cleanups.push(drop);
      const { rows } = await sql<{ server_version: string }>`show server_version`.execute(store.database);
      expect(rows[0]!.server_version).toMatch(/^15\./);
      await store.tasks.start({ taskId: '任务', agent: 'support', channel: 'live', startedBy: 'test', phase: 'starting' });
      const head = await store.conversations.append(await store.conversations.create('c'), [
        { role: 'user', content: '我的订单A001三天了', label: 'task' },
        { role: 'user', content: 'x', label: 'user' },
      ]);
      const reader = openStore({ url });
      cleanups.push(() => reader.close());
      expect((await reader.conversations.read(head)).map((message) => message.content)).toEqual(['我的订单A001三天了', 'x']);
      expect(await reader.conversations.verify(head)).toBeNull();
      await store.verdicts.put('任务', 1, [{ evaluator: 'e', kind: 'rule', hard: true, weight: 1, status: 'judged', passed: true, score: 1, issues: [], keep: [], evidence: 'x' }]);
      expect((await reader.taskView('任务'))!.attempts).toHaveLength(1);
    },
    60_000,
  );
});

function migrateInProcess(url: string): Promise<string[]> {
  const module = new URL('../../../src/store/database.ts', import.meta.url).href;
  const script = `
    const { migrate, openDatabase } = await import(${JSON.stringify(module)});
    const database = openDatabase(process.argv[1]);
    console.log(JSON.stringify(await migrate(database)));
    await database.destroy();`;
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', script, url], { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.on('close', (code) => (code === 0 ? resolve(JSON.parse(output) as string[]) : reject(new Error(`ended with ${code}`))));
  });
}
