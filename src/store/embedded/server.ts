import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Account } from './account.ts';
import type { Binaries } from './binaries.ts';
import { DATABASE, openLog, serverEnvironment, USER, type DataFolder } from './cluster.ts';
import { PostgresUnavailable } from './postgres-unavailable.ts';
import { commandOf, hasEnded, isAlive, processesIn } from './processes.ts';

/** How long a server may take to start (it may have a crash to recover from) and to stop, ms. */
const START_MS = 60_000;
const STOP_MS = 15_000;
/** How long a server that runs already may stay silent, ms. */
const HANG_MS = 5_000;

export interface RunningServer {
  pid: number;
  port: number;
}

export function urlOf(port: number, password: string, database = DATABASE): string {
  return `postgres://${USER}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;
}

/**
 * The server that runs on a cluster, or null. What `postmaster.pid` says is checked: the process, and by a connection that it serves this
 * cluster. A stale file (its pid is gone, or is another program's by now) is removed. A server that hangs, silent for `hangMs`, is stopped.
 */
export async function findServer(folder: DataFolder, password: string, log: (line: string) => void, hangMs: number = HANG_MS): Promise<RunningServer | null> {
  const file = join(folder.cluster, 'postmaster.pid');
  const began = performance.now();
  let said = false;
  for (;;) {
    const [pid, , , port] = readLines(file).map(Number);
    if (!pid) return null;
    if (!isAlive(pid)) break;
    const answer = port ? await ask(folder, port, password) : 'none';
    if (answer === 'serves') return { pid, port: port! };
    if (!isPostgres(pid, folder)) break;
    const waited = performance.now() - began;
    if (!said && waited > 1_000) {
      said = true;
      log(`Waiting for the PostgreSQL server that runs already (pid ${pid}) to answer`);
    }
    if (answer === 'not_yet' && waited > START_MS)
      throw new PostgresUnavailable(`the server in ${folder.cluster} (pid ${pid}) still starts, stops or has no connection free; see ${folder.log}`);
    if (answer === 'none' && waited > hangMs) {
      log(`The PostgreSQL server that runs already (pid ${pid}) does not answer: stopping it`);
      await stopServer(pid, 1_000);
      break;
    }
    await sleep(50);
  }
  await removePidFile(folder, file);
  return null;
}

/** Removing the file takes away the server's own protection against a second one, so nobody may be left of the first. */
async function removePidFile(folder: DataFolder, file: string): Promise<void> {
  const deadline = performance.now() + STOP_MS;
  for (let left = processesIn(folder.cluster); left.length > 0; left = processesIn(folder.cluster)) {
    if (performance.now() > deadline) throw new PostgresUnavailable(`processes of an earlier server still use ${folder.cluster}: ${left.join(', ')}`);
    await sleep(20);
  }
  await rm(file, { force: true });
}

/** Starts a server and waits until it answers. A port that somebody took in the meantime is reported as `port_taken`. */
export async function launchServer(
  folder: DataFolder,
  binaries: Binaries,
  account: Account,
  port: number,
  settings: Record<string, string>,
  log: (line: string) => void,
): Promise<RunningServer | 'port_taken'> {
  const values = { listen_addresses: '127.0.0.1', port: String(port), unix_socket_directories: '', timezone: 'UTC', log_timezone: 'UTC', ...settings };
  const args = ['-D', folder.cluster, ...Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  const { program, args: all, ...ids } = account.command(binaries.postgres, args);
  const output = await openLog(folder);
  const { size } = await output.stat();
  // A session of its own: Ctrl-C in the terminal reaches us alone, and we stop the server after everything that needs it.
  const child = spawn(program, all, { ...ids, env: serverEnvironment(), cwd: '/', detached: true, stdio: ['ignore', output.fd, output.fd] });
  const failed = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(`it ended with ${signal ?? code}`));
  });
  await output.close();
  child.unref();

  const slow = setTimeout(() => log('Starting PostgreSQL (it may have a crash to recover from)'), 1_000);
  const ready = await Promise.race([waitUntilReady(folder, child.pid ?? 0), failed]);
  clearTimeout(slow);
  if (ready === true) return { pid: child.pid!, port };
  const said = (await readFile(folder.log, 'utf8').catch(() => '')).slice(size).trim();
  if (/could not bind|Address already in use|could not create any TCP/.test(said)) return 'port_taken';
  if (child.pid) await stopServer(child.pid);
  throw new PostgresUnavailable(`the server did not start: ${ready === false ? `not ready after ${START_MS / 1000} s` : ready}\n${said.slice(-1_500)}`);
}

/** Ends a server: disconnects everybody and writes everything down; the hard way when that takes too long, ms. Safe to call again. */
export async function stopServer(pid: number, patience = STOP_MS): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    if (!isAlive(pid)) return;
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') return;
      throw error;
    }
    if (await hasEnded(pid, patience)) return;
  }
}

/** Runs statements on a database of the server. @param timeoutMs for the connection */
export async function runOn<Result>(url: string, work: (client: pg.Client) => Promise<Result>, timeoutMs = 10_000): Promise<Result> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: timeoutMs });
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** A server that does not answer in this time is taken to hang, ms. */
const ASK_MS = 2_000;

/** `not_yet`: it says that it is starting, recovering or stopping (57P03), or that every connection is taken (53300). */
async function ask(folder: DataFolder, port: number, password: string): Promise<'serves' | 'not_yet' | 'none'> {
  try {
    return await runOn(
      urlOf(port, password, 'postgres'),
      async (client) => {
        const { rows } = await client.query<{ data_directory: string }>('show data_directory');
        return rows[0]?.data_directory === folder.cluster ? 'serves' : 'none';
      },
      ASK_MS,
    );
  } catch (error) {
    return ['57P03', '53300'].includes((error as { code?: string }).code ?? '') ? 'not_yet' : 'none';
  }
}

/** The server writes its state into the last line of its pid file. */
async function waitUntilReady(folder: DataFolder, pid: number): Promise<boolean> {
  const deadline = performance.now() + START_MS;
  while (performance.now() < deadline) {
    const lines = readLines(join(folder.cluster, 'postmaster.pid'));
    if (Number(lines[0]) === pid && lines[7]?.trim() === 'ready') return true;
    await sleep(10);
  }
  return false;
}

function readLines(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
}

function isPostgres(pid: number, folder: DataFolder): boolean {
  return commandOf(pid)?.includes(folder.cluster) ?? false;
}
