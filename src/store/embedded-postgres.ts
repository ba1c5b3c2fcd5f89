import { mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { chooseAccount } from './embedded/account.ts';
import { findBinaries, type Binaries } from './embedded/binaries.ts';
import { clusterVersion, DATABASE, dataFolder, initialise, readPassword, type DataFolder } from './embedded/cluster.ts';
import { withFolderLock } from './embedded/folder-lock.ts';
import { choosePort } from './embedded/ports.ts';
import { PostgresUnavailable } from './embedded/postgres-unavailable.ts';
import { isAlive, startOf } from './embedded/processes.ts';
import { findServer, launchServer, runOn, stopServer, urlOf, type RunningServer } from './embedded/server.ts';

export { binariesIn } from './embedded/binaries.ts';
export { PostgresUnavailable } from './embedded/postgres-unavailable.ts';

export interface EmbeddedPostgres {
  /** Of a UTF8 database that this server keeps for us; works for `psql` too. */
  url: string;
  /** "18.4" */
  version: string;
  pid: number;
  /** False: another process that still runs started this server, and `stop` leaves it to that process. */
  owned: boolean;
  /** Stops the server and waits for its end. Calling it again changes nothing. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** Where the data lives; made if absent. The same folder gives the same data and password again. */
  dataDirectory: string;
  /** Used when it is free; else the port of the last start, else any free one. */
  port?: number;
  /** Told what is going on, where that takes over a second. */
  log: (line: string) => void;
  /** Server settings, like `{fsync: 'off'}` for tests. */
  settings?: Record<string, string>;
  /** Another PostgreSQL than the one npm brings. */
  binaries?: Binaries;
  /** A server that runs already and is silent for longer is stopped, ms. Default 5,000. */
  hangMs?: number;
}

/** Who started the server, so that a later start can tell an orphan from a server in use. */
interface ServerRecord {
  pid: number;
  port: number;
  owner: number;
  ownerStart: string | null;
  version: string;
}

/**
 * Starts a real PostgreSQL in a data folder, on 127.0.0.1 and with a password. A server that a killed parent left behind is taken over.
 * The server lives until `stop()`: the caller calls it when it ends, whatever ends it.
 * @throws {PostgresUnavailable} when it can't run here; the message says how to use another database
 */
export async function startPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  await mkdir(options.dataDirectory, { recursive: true }).catch((cause: Error) => {
    throw new PostgresUnavailable(`its data folder can't be made: ${cause.message}`, { cause });
  });
  const folder = dataFolder(await realpath(options.dataDirectory));
  return withFolderLock(folder.lock, options.log, async () => {
    const taken = await takeOver(folder, options);
    if (taken) return taken;
    const record = await startAnew(folder, options);
    return { url: await ensureDatabase(folder, record.port), version: record.version, pid: record.pid, owned: true, stop: () => stopServer(record.pid) };
  });
}

/** The address of the server that runs in a data folder, or null when none does. Starts nothing. */
export async function findPostgres(dataDirectory: string): Promise<string | null> {
  const folder = dataFolder(await realpath(dataDirectory).catch(() => dataDirectory));
  const password = await readPassword(folder).catch(() => null);
  const server = password === null ? null : await findServer(folder, password, () => {});
  return server && urlOf(server.port, password!);
}

async function takeOver(folder: DataFolder, { log, hangMs }: EmbeddedPostgresOptions): Promise<EmbeddedPostgres | null> {
  const password = await readPassword(folder).catch(() => null);
  const server = password === null ? null : await findServer(folder, password, log, hangMs);
  if (!server) return null;
  const record = await readRecord(folder);
  const owned = !(record?.pid === server.pid && isAlive(record.owner) && startOf(record.owner) === record.ownerStart);
  const version = await versionOf(urlOf(server.port, password!, 'postgres'));
  if (owned) {
    log(`Took over the PostgreSQL server that an earlier run left behind (pid ${server.pid}, port ${server.port})`);
    await writeRecord(folder, server, version);
  }
  return { url: await ensureDatabase(folder, server.port), version, pid: server.pid, owned, stop: owned ? () => stopServer(server.pid) : async () => {} };
}

async function startAnew(folder: DataFolder, options: EmbeddedPostgresOptions): Promise<ServerRecord> {
  const binaries = options.binaries ?? (await findBinaries());
  // the folders: the cluster may not be there yet
  const account = chooseAccount([dirname(folder.cluster), dirname(binaries.postgres)], options.log);
  await initialise(folder, binaries, account, options.settings?.['fsync'] !== 'off', options.log);
  if (clusterVersion(folder) !== binaries.major) {
    throw new PostgresUnavailable(
      `${folder.cluster} was made by PostgreSQL ${clusterVersion(folder)}, and this is ${binaries.version}. Move the folder away, or use another data folder`,
    );
  }
  let wanted = options.port ?? (await readRecord(folder))?.port;
  for (let round = 1; round <= 5; round += 1) {
    const server = await launchServer(folder, binaries, account, await choosePort(wanted), options.settings ?? {}, options.log);
    if (server !== 'port_taken') return writeRecord(folder, server, binaries.version);
    wanted = undefined;
  }
  throw new PostgresUnavailable('other programs took every port that was free a moment before');
}

async function ensureDatabase(folder: DataFolder, port: number): Promise<string> {
  const password = await readPassword(folder);
  await runOn(urlOf(port, password, 'postgres'), async (client) => {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`create database ${DATABASE}`);
  });
  return urlOf(port, password);
}

async function versionOf(url: string): Promise<string> {
  return runOn(url, async (client) => {
    const { rows } = await client.query<{ server_version: string }>('show server_version');
    return rows[0]!.server_version.split(' ')[0]!;
  });
}

async function readRecord(folder: DataFolder): Promise<ServerRecord | null> {
  try {
    return JSON.parse(await readFile(folder.server, 'utf8')) as ServerRecord;
  } catch {
    return null;
  }
}

async function writeRecord(folder: DataFolder, server: RunningServer, version: string): Promise<ServerRecord> {
  const record = { ...server, owner: process.pid, ownerStart: startOf(process.pid), version };
  await writeFile(folder.server, JSON.stringify(record), { mode: 0o600 });
  return record;
}
