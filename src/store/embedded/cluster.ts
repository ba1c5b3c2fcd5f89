import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { chown, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Account } from './account.ts';
import type { Binaries } from './binaries.ts';
import { PostgresUnavailable } from './postgres-unavailable.ts';

export const USER = 'loopwright';
export const DATABASE = 'loopwright';

/** What the data folder holds. The cluster belongs to the account that runs the server, the rest to us. */
export interface DataFolder {
  cluster: string;
  password: string;
  server: string;
  lock: string;
  log: string;
}

export function dataFolder(dataDirectory: string): DataFolder {
  return {
    cluster: join(dataDirectory, 'cluster'),
    password: join(dataDirectory, 'password'),
    server: join(dataDirectory, 'server.json'),
    lock: join(dataDirectory, 'start.lock'),
    log: join(dataDirectory, 'postgres.log'),
  };
}

/** Makes the cluster unless it is there; `durable`: waits until it is on disk. A first start that was killed leaves nothing that a second would mistake for a cluster. */
export async function initialise(folder: DataFolder, binaries: Binaries, account: Account, durable: boolean, log: (line: string) => void): Promise<string> {
  if (existsSync(join(folder.cluster, 'PG_VERSION')) && existsSync(folder.password)) return readPassword(folder);
  if (existsSync(folder.cluster))
    throw new PostgresUnavailable(`${folder.cluster} is not one of its clusters (no ${existsSync(folder.password) ? 'PG_VERSION' : 'password'}). Move it away`);
  log('Making a new PostgreSQL cluster (about 2 s)');
  const partial = `${folder.cluster}.partial`;
  const passwordFile = join(partial, 'password');
  const password = randomBytes(24).toString('base64url');
  await rm(partial, { recursive: true, force: true });
  for (const path of [partial, join(partial, 'cluster')]) await makeFolder(path, account);
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  if (account.owner) await chown(passwordFile, account.owner.uid, account.owner.gid);
  const args = ['--pgdata', join(partial, 'cluster'), '--username', USER, '--pwfile', passwordFile, '--auth', 'scram-sha-256', '--encoding', 'UTF8', '--no-instructions'];
  await runInitdb(binaries, account, [...args, ...localeOf(binaries), ...(durable ? [] : ['--no-sync'])]);
  await writeFile(folder.password, `${password}\n`, { mode: 0o600 });
  await rename(join(partial, 'cluster'), folder.cluster);
  await rm(partial, { recursive: true, force: true });
  return password;
}

export async function readPassword(folder: DataFolder): Promise<string> {
  return (await readFile(folder.password, 'utf8')).trim();
}

/** Major version of the server that made the cluster. */
export function clusterVersion(folder: DataFolder): number {
  return Number(readFileSync(join(folder.cluster, 'PG_VERSION'), 'utf8'));
}

/** Environment of the server: ours without what would steer it elsewhere. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('PG') && !name.startsWith('LC_') && name !== 'LANG' && name !== 'TZ');
  return { ...Object.fromEntries(kept), LC_ALL: 'C', TZ: 'UTC' };
}

/** PostgreSQL 17 and later carry Unicode's rules themselves; older ones ask the system, and C always exists. Both keep any text in UTF8. */
function localeOf(binaries: Binaries): string[] {
  return binaries.major >= 17 ? ['--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8', '--locale', 'C'] : ['--locale', 'C'];
}

async function makeFolder(path: string, account: Account): Promise<void> {
  await mkdir(path, { mode: 0o700 });
  if (account.owner) await chown(path, account.owner.uid, account.owner.gid);
}

async function runInitdb(binaries: Binaries, account: Account, args: string[]): Promise<void> {
  const { program, args: all, ...ids } = account.command(binaries.initdb, args);
  const output = await new Promise<{ code: number | null; text: string }>((resolve) => {
    const child = spawn(program, all, { ...ids, env: serverEnvironment(), cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
    child.on('error', (error) => resolve({ code: null, text: error.message }));
    child.on('close', (code) => resolve({ code, text }));
  });
  if (output.code !== 0) throw new PostgresUnavailable(`initdb failed: ${output.text.trim().slice(-1_500)}`);
}

/** Opens the server's log for appending; a file, not a pipe, so that the server outlives us without trouble. */
export async function openLog(folder: DataFolder) {
  return open(folder.log, 'a', 0o600);
}
