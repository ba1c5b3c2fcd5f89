import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { binariesIn, findPostgres, PostgresUnavailable, startPostgres, type EmbeddedPostgres } from '../../../src/store/embedded-postgres.ts';
import { findBinaries, type Binaries } from '../../../src/store/embedded/binaries.ts';
import { isAlive } from '../../../src/store/embedded/processes.ts';
import { copyCluster } from '../../support/cluster.ts';
import { fastFolder } from '../../support/fast-folder.ts';

const MODULE = new URL('../../../src/store/embedded-postgres.ts', import.meta.url);
const AS_ROOT = process.getuid?.() === 0;

let parent: string;
let dataDirectory: string;
let lines: string[];
const servers: EmbeddedPostgres[] = [];
const children: ChildProcess[] = [];
beforeEach(async () => {
  parent = await mkdtemp(join(fastFolder(), 'loopwright-embedded-'));
  await chmod(parent, 0o755);
  dataDirectory = join(parent, 'data');
  lines = [];
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const server of servers.splice(0)) await server.stop();
  await rm(parent, { recursive: true, force: true });
});

async function start(options: { port?: number; binaries?: Binaries; hangMs?: number } = {}): Promise<EmbeddedPostgres> {
  const server = await startPostgres({ dataDirectory, log: (line) => lines.push(line), settings: { fsync: 'off' }, ...options });
  servers.push(server);
  return server;
}

async function query<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

const portOf = (url: string) => Number(new URL(url).port);

/** Another process that starts a server in the folder, says so, and stops it on SIGTERM. */
async function startInProcess(): Promise<{ child: ChildProcess; pid: number; url: string; owned: boolean }> {
  const script = `
    const { startPostgres } = await import(${JSON.stringify(MODULE.href)});
    const server = await startPostgres({ dataDirectory: process.argv[1], log: () => {}, settings: { fsync: 'off' } });
    process.once('SIGTERM', async () => { await server.stop(); await server.stop(); process.exit(0); });
    setInterval(() => {}, 1000);
    console.log(JSON.stringify({ pid: server.pid, url: server.url, owned: server.owned }));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, dataDirectory], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const [chunk] = (await once(child.stdout!, 'data')) as [Buffer];
  return { child, ...JSON.parse(chunk.toString()) };
}

async function kill(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  const ended = once(child, 'exit');
  child.kill(signal);
  return (await ended)[0] as number | null;
}

describe('a data folder', () => {
  it('holds a PostgreSQL 18 that keeps its data, its password and its port, listens on loopback alone, and wants the password, which its owner alone sees', async () => {
    const first = await start();
    expect(first.version).toMatch(/^18\./);
    expect(lines).toEqual(['Making a new PostgreSQL cluster (about 2 s)']);
    await query(first.url, "create table kept as select '订单已发货' as text");
    expect(
      await query(
        first.url,
        "select current_setting('listen_addresses') as listen, current_setting('unix_socket_directories') as sockets, current_setting('server_encoding') as encoding",
      ),
    ).toEqual([{ listen: '127.0.0.1', sockets: '', encoding: 'UTF8' }]);
    const wrong = new URL(first.url);
    wrong.password = 'wrong';
    await expect(query(wrong.href, 'select 1')).rejects.toThrow(/password authentication failed/);
    expect((await stat(join(dataDirectory, 'password'))).mode & 0o777).toBe(0o600);
    expect((await stat(join(dataDirectory, 'cluster'))).mode & 0o777).toBe(0o700);
    // where there is a psql
    const psql = spawnSync('psql', [first.url, '-Atc', "select '好' || 1"], { encoding: 'utf8' });
    if (!psql.error) expect(psql.stdout).toBe('好1\n');

    await first.stop();
    await first.stop();
    expect(isAlive(first.pid)).toBe(false);
    expect(await findPostgres(dataDirectory)).toBeNull();

    const second = await start();
    expect(second.url).toBe(first.url);
    expect(await query(second.url, "select text, length(text), text ~ '发.$' as matches, lower('ÄÖ') as low from kept")).toEqual([
      { text: '订单已发货', length: 5, matches: true, low: 'äö' },
    ]);
    expect(await findPostgres(dataDirectory)).toBe(second.url);
  });

  it('may lie where only its owner can go, and so may its programs, as in a project under /root', async () => {
    const { postgres } = await findBinaries();
    await cp(dirname(dirname(postgres)), join(parent, 'native'), { recursive: true, verbatimSymlinks: true });
    await chmod(parent, 0o700);
    const server = await start({ binaries: binariesIn(join(parent, 'native', 'bin')) });
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });
});

describe('ports', () => {
  it('one in use is avoided, wanted or remembered; settings that the server refuses are named', async () => {
    await copyCluster(dataDirectory);
    await expect(startPostgres({ dataDirectory, log: () => {}, settings: { no_such_setting: '1' } })).rejects.toThrow(/no_such_setting/);
    const blocker = createServer();
    blocker.listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    const { port } = blocker.address() as AddressInfo;
    try {
      const server = await start({ port });
      expect(portOf(server.url)).not.toBe(port);
      await server.stop();
      await writeFile(join(dataDirectory, 'server.json'), JSON.stringify({ port }));
      expect(portOf((await start()).url)).not.toBe(port);
    } finally {
      blocker.close();
    }
  });
});

describe('other processes', () => {
  it('a server whose parent was killed is taken over, and stopped by whoever took it', async () => {
    await copyCluster(dataDirectory);
    const orphan = await startInProcess();
    await kill(orphan.child, 'SIGKILL');
    expect(isAlive(orphan.pid)).toBe(true);
    const server = await start();
    expect(server).toMatchObject({ pid: orphan.pid, url: orphan.url, owned: true });
    expect(lines.join()).toMatch(/Took over/);
    await server.stop();
    expect(isAlive(orphan.pid)).toBe(false);
  });

  it('a server whose parent lives is shared, and left to its parent', async () => {
    await copyCluster(dataDirectory);
    const other = await startInProcess();
    const server = await start();
    expect(server).toMatchObject({ pid: other.pid, url: other.url, owned: false });
    // a process group of its own: Ctrl-C in the terminal is not for it
    expect(Number(spawnSync('ps', ['-o', 'pgid=', '-p', String(server.pid)], { encoding: 'utf8' }).stdout)).toBe(server.pid);
    await server.stop();
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(await kill(other.child, 'SIGTERM')).toBe(0);
    expect(isAlive(other.pid)).toBe(false);
    expect((await readFile(join(dataDirectory, 'postgres.log'), 'utf8')).trim()).toMatch(/database system is shut down$/);
  });

  it('that start at once share one server, where a first start was interrupted too: it is done again', async () => {
    await mkdir(join(dataDirectory, 'cluster.partial', 'cluster'), { recursive: true });
    await writeFile(join(dataDirectory, 'start.lock'), JSON.stringify({ pid: 999_999_999, start: 'long ago' }));
    const all = await Promise.all([startInProcess(), startInProcess(), start()]);
    expect(new Set(all.map((one) => one.pid)).size).toBe(1);
    expect(all.filter((one) => one.owned)).toHaveLength(1);
    expect(await query(all[0].url, 'select 1 as one')).toEqual([{ one: 1 }]);
  }, 30_000);

  it('a server that was killed itself recovers; a stale pid file is no obstacle, even when its pid is another program by now', async () => {
    await copyCluster(dataDirectory);
    const killed = await start();
    await query(killed.url, 'create table kept as select 1 as one');
    process.kill(killed.pid, 'SIGKILL');
    const first = await start();
    expect(first.pid).not.toBe(killed.pid);
    expect(await query(first.url, 'select one from kept')).toEqual([{ one: 1 }]);
    await first.stop();
    const bystander = spawn('sleep', ['1000']);
    children.push(bystander);
    const file = join(dataDirectory, 'cluster', 'postmaster.pid');
    for (const pid of [bystander.pid!, 999_999_999]) {
      await writeFile(file, [pid, join(dataDirectory, 'cluster'), 1, portOf(first.url), '', '127.0.0.1', '', 'ready', ''].join('\n'));
      const server = await start();
      expect(server).toMatchObject({ owned: true, url: first.url });
      await server.stop();
    }
    expect(isAlive(bystander.pid!)).toBe(true);
  });

  it('a server that hangs is stopped and started anew', async () => {
    await copyCluster(dataDirectory);
    const orphan = await startInProcess();
    await kill(orphan.child, 'SIGKILL');
    process.kill(orphan.pid, 'SIGSTOP');
    const server = await start({ hangMs: 1_000 });
    expect(server.pid).not.toBe(orphan.pid);
    expect(isAlive(orphan.pid)).toBe(false);
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  }, 120_000);
});

describe("where it can't run", () => {
  it('says how to use another database', async () => {
    const failure = await startPostgres({ dataDirectory, log: () => {}, binaries: { initdb: '/bin/false', postgres: '/bin/false', version: '18.4', major: 18 } }).catch(
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(PostgresUnavailable);
    expect((failure as Error).message).toMatch(/DATABASE_URL=postgres:\/\//);
  });

  it('leaves a folder alone that is not its own, or is of another major version', async () => {
    await mkdir(join(dataDirectory, 'cluster'), { recursive: true });
    await writeFile(join(dataDirectory, 'cluster', 'letters'), 'to keep');
    await expect(start()).rejects.toThrow(/is not one of its clusters/);
    expect(await readFile(join(dataDirectory, 'cluster', 'letters'), 'utf8')).toBe('to keep');
    await writeFile(join(dataDirectory, 'cluster', 'PG_VERSION'), '14\n');
    await writeFile(join(dataDirectory, 'password'), 'x\n');
    await expect(start()).rejects.toThrow(/was made by PostgreSQL 14/);
  });
});

it.skipIf(!AS_ROOT)(
  'runs for an ordinary user too',
  async () => {
    const home = join(parent, 'home');
    await mkdir(home, { mode: 0o777 });
    await chmod(home, 0o777);
    const script = `
    const { startPostgres } = await import(${JSON.stringify(MODULE.href)});
    const server = await startPostgres({ dataDirectory: process.argv[1], log: () => {} });
    await server.stop();
    console.log(server.version, process.getuid());`;
    const result = spawnSync(process.execPath, ['--input-type=module', '-e', script, join(home, 'data')], { uid: 65_534, gid: 65_534, encoding: 'utf8', cwd: '/' });
    expect(result.stdout, result.stderr).toMatch(/^18\.\d+ 65534/);
  },
  30_000,
);
