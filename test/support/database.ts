import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { migrate, openDatabase } from '../../src/store/database.ts';
import { startPostgres, type EmbeddedPostgresOptions } from '../../src/store/embedded-postgres.ts';
import { isAlive } from '../../src/store/embedded/processes.ts';
import type { Migration } from '../../src/store/migrations/index.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { fastFolder } from './fast-folder.ts';

export interface TestDatabase {
  url: string;
  store: Store;
  /** Closes the store and removes the database, whoever is still connected. Throws after that when the audit is not whole. @param brokenAudit a test broke it on purpose */
  drop(options?: { brokenAudit?: boolean }): Promise<void>;
}

/** Nothing a test writes has to survive a power cut. */
export const FAST = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off', jit: 'off', max_connections: '300' };

/** Of a test's own store: each one more has to learn the catalogue of a database that lives for seconds. */
const CONNECTIONS = 4;

/** A server for a test run, in a temporary folder that `stop` removes. `url` is where databases are created. */
export async function startTestPostgres(options: Partial<EmbeddedPostgresOptions> = {}): Promise<{ url: string; pid: number; dataDirectory: string; stop(): Promise<void> }> {
  const dataDirectory = await mkdtemp(join(fastFolder(), 'loopwright-test-'));
  const server = await startPostgres({ dataDirectory, log: () => {}, settings: FAST, ...options });
  const stop = async () => {
    await server.stop();
    await rm(dataDirectory, { recursive: true, force: true });
  };
  return { url: server.url, pid: server.pid, dataDirectory, stop };
}

/**
 * A fresh, migrated database on the run's server (that of vitest's global setup, or `LOOPWRIGHT_TEST_DATABASE`), or on one that this
 * process starts and ends itself. `migrations`: agents' tables, like `support/0001-orders`.
 */
export async function testDatabase(options: { migrations?: Record<string, Migration>; adminUrl?: string; poolSize?: number } = {}): Promise<TestDatabase> {
  const adminUrl = options.adminUrl ?? (await runServer());
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const template = await ensureTemplate(adminUrl);
  await runAdmin(adminUrl, (client) => client.query(`create database ${name} template ${template} strategy file_copy`));
  const url = withDatabase(adminUrl, name);
  const store = openStore({ url, poolSize: options.poolSize ?? CONNECTIONS });
  if (options.migrations) await migrate(store.database, options.migrations);
  const drop: TestDatabase['drop'] = async ({ brokenAudit = false } = {}) => {
    const broken = await brokenAuditOf(url);
    await store.close();
    await runAdmin(adminUrl, (client) => client.query(`drop database if exists ${name} with (force)`));
    if (!brokenAudit && broken !== null) throw new Error(`The audit of this test's database is broken:\n${broken}`);
  };
  return { url, store, drop };
}

/** `audit verify` on whatever the tests left: null when all is right. */
async function brokenAuditOf(url: string): Promise<string | null> {
  const store = openStore({ url, poolSize: 1 });
  try {
    const { problems } = await store.audit.verify();
    return problems.length === 0 ? null : problems.map(({ tenant, seq, problem }) => `${tenant} ${seq} ${problem}`).join('\n');
  } finally {
    await store.close();
  }
}

/** An empty database: nothing has been migrated. */
export async function emptyDatabase(adminUrl?: string): Promise<{ url: string; drop(): Promise<void> }> {
  const admin = adminUrl ?? (await runServer());
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await runAdmin(admin, (client) => client.query(`create database ${name}`));
  return { url: withDatabase(admin, name), drop: () => runAdmin(admin, async (client) => void (await client.query(`drop database if exists ${name} with (force)`))) };
}

async function runServer(): Promise<string> {
  const given = process.env['LOOPWRIGHT_TEST_DATABASE'];
  if (given) return given;
  if (!process.env['VITEST']) return ownServer();
  const { inject } = await import('vitest');
  return inject('databaseUrl') ?? ownServer();
}

let own: Promise<string> | null = null;

function ownServer(): Promise<string> {
  own ??= startTestPostgres().then((server) => {
    // only synchronous work is done on exit, and a test runner may give us no other chance
    process.once('exit', () => endNow(server.pid, server.dataDirectory));
    return server.url;
  });
  return own;
}

function endNow(pid: number, dataDirectory: string): void {
  if (isAlive(pid)) process.kill(pid, 'SIGQUIT');
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let round = 0; round < 100 && isAlive(pid); round += 1) Atomics.wait(pause, 0, 0, 20);
  rmSync(dataDirectory, { recursive: true, force: true });
}

/** A migrated database that is copied for each test (by files: half the time of the log's way), made once for each state of the migrations. */
async function ensureTemplate(adminUrl: string): Promise<string> {
  const name = `loopwright_template_${hashOfMigrations()}`;
  await runAdmin(adminUrl, async (client) => {
    await client.query('select pg_advisory_lock(7155014202)');
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1 and datistemplate', [name]);
    if (rowCount !== 0) return;
    // left over when making it was interrupted
    await client.query(`drop database if exists ${name} with (force)`);
    await client.query(`create database ${name}`);
    const database = openDatabase(withDatabase(adminUrl, name), { poolSize: 1 });
    await migrate(database).finally(() => database.destroy());
    await client.query(`alter database ${name} with is_template true allow_connections false`);
  });
  return name;
}

function hashOfMigrations(): string {
  const root = new URL('../../src/', import.meta.url);
  const folder = new URL('store/migrations/', root);
  const filesOf = (parent: URL): URL[] =>
    readdirSync(parent)
      .sort()
      .map((file) => new URL(file, parent));
  const files = [...filesOf(folder), ...filesOf(new URL('store/schema/', root)), ...['contracts/reasons.ts', 'contracts/verdict.ts'].map((file) => new URL(file, root))];
  return createHash('sha256')
    .update(files.map((file) => readFileSync(file, 'utf8')).join('\n'))
    .digest('hex')
    .slice(0, 16);
}

async function runAdmin<Result>(adminUrl: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}
