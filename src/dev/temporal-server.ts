/** A Temporal dev server of our own: loopback only, free ports, state in a file, and never left behind. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from '@temporalio/client';
import type { Environment } from '../config.ts';
import { connectClient, DEFAULT_NAMESPACE, embeddedTarget } from './connect.ts';
import { freePortNear, freePorts } from './free-ports.ts';
import { prepareNamespace } from './namespace.ts';
import { forget, remember, stopOrphan } from './pid-file.ts';
import { guardProcess, stopProcess } from './processes.ts';
import { registerSearchAttributes } from './search-attributes.ts';

export interface TemporalServer {
  /** `127.0.0.1:port` of the frontend. */
  address: string;
  namespace: string;
  uiUrl: string;
  pid: number;
  /** Where the server logs. */
  logFile: string;
  /** Fulfilled when the process ends by itself; the text says how. Never when we stop it. */
  died: Promise<string>;
  /** SIGTERM, then SIGKILL. May be called twice. */
  stop(): Promise<void>;
}

export interface TemporalServerOptions {
  /** Path of the Temporal CLI. */
  binary: string;
  /** Folder for state, log and pid file. */
  home: string;
  /** Keep the state in memory only: it ends with the server. */
  inMemory?: boolean;
  namespace?: string;
  /** Used when free; the UI's is 1,000 above. Default: any free port. */
  preferredPort?: number;
  environment?: Environment;
  onStep?: (step: string) => void;
}

const START_TIMEOUT_MS = 60_000;
const STOP_GRACE_MS = 10_000;
/** Another process may take a port between our look and the server's bind. */
const PORT_TRIES = 5;

/** Starts one and waits until it serves, with retention set and search attributes registered. @throws with the log's last lines. */
export async function startTemporalServer(options: TemporalServerOptions): Promise<TemporalServer> {
  await mkdir(options.home, { recursive: true });
  const orphan = await stopOrphan(pidFile(options.home), 'server start-dev', STOP_GRACE_MS);
  if (orphan) options.onStep?.(`Stopped a Temporal server (process ${orphan}) that an earlier run left behind`);
  for (let tries = 1; ; tries++) {
    try {
      return await startOnce(options, tries > 1);
    } catch (error) {
      if (tries >= PORT_TRIES || !/address already in use|bind: /i.test((error as Error).message)) throw error;
      options.onStep?.('A port was taken meanwhile; trying others');
    }
  }
}

const pidFile = (home: string) => join(home, 'temporal.pid.json');

async function startOnce(options: TemporalServerOptions, anyPort: boolean): Promise<TemporalServer> {
  const namespace = options.namespace ?? DEFAULT_NAMESPACE;
  const [port, uiPort, metricsPort, httpPort] = await choosePorts(anyPort ? undefined : options.preferredPort);
  const logFile = join(options.home, 'temporal.log');
  const child = spawnServer(options, namespace, { port, uiPort, metricsPort, httpPort }, logFile);
  const ended = whenEnded(child);
  const pid = child.pid;
  if (pid === undefined) throw new Error(`The Temporal server does not start: ${await ended}`);

  const releaseGuard = guardProcess(pid);
  let stopping = false;
  const died = new Promise<string>((resolve) => {
    const tell = async (): Promise<void> => {
      const how = await ended;
      releaseGuard();
      if (!stopping) resolve(`${how}. Its log ends:\n${await lastLines(logFile)}`);
    };
    void tell();
  });
  const stop = async (): Promise<void> => {
    stopping = true;
    await stopProcess(pid, STOP_GRACE_MS);
    await forget(pidFile(options.home), pid);
  };

  try {
    await remember(pidFile(options.home), pid);
    await Promise.race([
      prepare(`127.0.0.1:${port}`, namespace),
      died.then((how) => {
        throw new Error(`The Temporal server did not start: ${how}`);
      }),
    ]);
  } catch (error) {
    await stop();
    throw error;
  }
  return { address: `127.0.0.1:${port}`, namespace, uiUrl: `http://127.0.0.1:${uiPort}`, pid, logFile, died, stop };
}

async function choosePorts(preferred: number | undefined): Promise<[number, number, number, number]> {
  const [frontend, ui, metrics, http] = (await freePorts(4)) as [number, number, number, number];
  if (preferred === undefined) return [frontend, ui, metrics, http];
  return [await freePortNear(preferred), await freePortNear(preferred + 1000), metrics, http];
}

function spawnServer(
  { binary, home, inMemory, environment = process.env }: TemporalServerOptions,
  namespace: string,
  ports: { port: number; uiPort: number; metricsPort: number; httpPort: number },
  logFile: string,
): ChildProcess {
  const serverArguments = [
    'server',
    'start-dev',
    '--ip',
    '127.0.0.1',
    '--ui-ip',
    '127.0.0.1',
    '--namespace',
    namespace,
    '--port',
    String(ports.port),
    '--ui-port',
    String(ports.uiPort),
    '--metrics-port',
    String(ports.metricsPort),
    '--http-port',
    String(ports.httpPort),
    '--log-format',
    'json',
    '--log-level',
    'warn',
    '--ui-disable-news-fetch',
    // Measured: with the default of 20 polls a second every workflow task waits about 50 ms.
    '--dynamic-config-value',
    'history.transferProcessorMaxPollRPS=2000',
    ...(inMemory ? [] : ['--db-filename', join(home, 'temporal.sqlite')]),
  ];
  const log = openSync(logFile, 'w', 0o600);
  try {
    // Its own process group: Ctrl-C in the terminal must reach the worker first, which drains against a living server.
    return spawn(binary, serverArguments, { detached: true, stdio: ['ignore', log, log], env: serverEnvironment(environment) });
  } finally {
    closeSync(log);
  }
}

/** The CLI reads the TEMPORAL_ variables too; those name another server. */
function serverEnvironment(environment: Environment): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('TEMPORAL_'))) as NodeJS.ProcessEnv;
}

function whenEnded(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(`The process ended by itself (${signal ?? `exit code ${code}`})`));
  });
}

async function prepare(address: string, namespace: string): Promise<void> {
  const connection = await connectWhenServing(address, namespace);
  try {
    await prepareNamespace(connection, namespace);
    await registerSearchAttributes(connection, namespace);
  } finally {
    await connection.close();
  }
}

async function connectWhenServing(address: string, namespace: string): Promise<Connection> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    try {
      return await connectClient(embeddedTarget(address, namespace), 1_000);
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(50);
    }
  }
}

async function lastLines(file: string): Promise<string> {
  const handle = await open(file).catch(() => null);
  if (!handle) return '(no log)';
  try {
    const { size } = await handle.stat();
    const buffer = Buffer.alloc(Math.min(size, 65_536));
    await handle.read(buffer, 0, buffer.length, size - buffer.length);
    // A panic says its reason first and its stack after it.
    const [text = ''] = buffer.toString('utf8').split(/^goroutine \d+/m);
    return text.trim().split('\n').slice(-8).join('\n') || '(empty)';
  } finally {
    await handle.close();
  }
}
