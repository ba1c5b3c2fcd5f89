/** The whole of Loopwright on one machine: what the environment does not name is started here. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config, Environment } from '../config.ts';
import { SCRIPTED_JUDGE, SCRIPTED_WRITER } from '../models/routes.ts';
import { startPostgres } from '../store/embedded-postgres.ts';
import type { Log } from '../telemetry/log.ts';
import { connectClient, DEFAULT_NAMESPACE, embeddedTarget, temporalFromEnvironment, type TemporalTarget } from './connect.ts';
import { guardProcess } from './processes.ts';
import { registerSearchAttributes } from './search-attributes.ts';
import { createShutdown, type Shutdown } from './shutdown.ts';
import { claimHome, type StackAddresses, writeStack } from './stack-file.ts';
import { findTemporalBinary } from './temporal-binary.ts';
import { startTemporalServer } from './temporal-server.ts';

export interface Stack extends StackAddresses {
  home: string;
  /** How to reach Temporal, credentials included: for the worker and the client in this process. */
  temporalTarget: TemporalTarget;
  /** What a person should be told. */
  notices: string[];
  /** Fulfilled when a server of ours, or the worker, ends by itself. */
  failed: Promise<Error>;
  /** Stops all that was started, in reverse order. Idempotent. */
  stop(): Promise<void>;
}

/** `ended` rejects when the worker fails by itself. */
interface StackWorker {
  stop: () => Promise<void>;
  ended?: Promise<void>;
}

interface StackGateway {
  /** Base URL, without a slash at the end. */
  url: string;
  close: () => Promise<void>;
}

export interface StackOptions {
  config: Config;
  log: Log;
  environment?: Environment;
  /** False: Temporal in memory and a new database, both gone after `stop`. Default true. */
  keepState?: boolean;
  /** How long a Temporal that the environment names may take to answer, ms. Default 10,000. */
  temporalTimeoutMs?: number;
  /** Temporal's usual ports when they are free. Default: any free ones. */
  usualPorts?: boolean;
  /** Told before and after each step, for people. */
  onStep?: (step: string) => void;
  /** Called when no model is configured. */
  startScriptedModel: () => Promise<{ url: string; close: () => Promise<void> }>;
  /** Called with everything up. Stopped before it. */
  startWorker?: (stack: Omit<Stack, 'stop' | 'failed'>) => Promise<StackWorker>;
  /** Called last. Stopped first. */
  startGateway?: (stack: Omit<Stack, 'stop' | 'failed'>) => Promise<StackGateway>;
  /** Give one to be able to stop while the stack is still starting. */
  shutdown?: Shutdown;
}

const USUAL_TEMPORAL_PORT = 7233;

/** @throws {StackRunningError} when one runs in this home; whatever fails, nothing is left running */
export async function startStack(options: StackOptions): Promise<Stack> {
  const shutdown = options.shutdown ?? createShutdown();
  try {
    return await start(options, shutdown);
  } catch (error) {
    await shutdown.stop().catch(() => {});
    throw error;
  }
}

async function start(options: StackOptions, shutdown: Shutdown): Promise<Stack> {
  const { config, keepState = true } = options;
  await shutdown.add('The lock', await claimHome(config.home));
  const stateFolder = await chooseStateFolder(config.home, keepState, shutdown);

  // All are waited for, also when one fails: a server that comes up later would be left behind.
  const [temporal, database, scripted] = await allOrFirstError([
    provideTemporal(options, stateFolder, shutdown),
    provideDatabase(options, stateFolder, shutdown),
    provideScriptedModel(options, shutdown),
  ]);

  if (shutdown.stopping) throw new Error('The stack was stopped while it was starting.');

  const addresses: StackAddresses = {
    temporal: { address: temporal.target.address, namespace: temporal.target.namespace, uiUrl: temporal.uiUrl },
    databaseUrl: database.url,
    scriptedUrl: scripted,
    model: config.provider ? { writer: config.provider.writer, judge: config.provider.judge, scripted: false } : { writer: SCRIPTED_WRITER, judge: SCRIPTED_JUDGE, scripted: true },
    taskQueue: config.taskQueue,
    gatewayUrl: null,
  };
  const stack = { ...addresses, home: config.home, temporalTarget: temporal.target, notices: config.notices };
  const failures = [temporal.died.then((how) => new Error(`The Temporal server ended: ${how}`))];
  if (options.startWorker) {
    const worker = await step(options, 'Worker', () => options.startWorker!(stack));
    if (worker.ended) failures.push(failureOf(worker.ended));
    await shutdown.add('The worker', () => worker.stop());
  }
  if (options.startGateway) {
    const gateway = await step(options, 'Gateway', () => options.startGateway!(stack));
    stack.gatewayUrl = gateway.url;
    addresses.gatewayUrl = gateway.url;
    await shutdown.add('The gateway', () => gateway.close());
  }
  await writeStack(config.home, { ...addresses, pids: { temporal: temporal.pid, database: database.pid } });
  return { ...stack, failed: Promise.race(failures), stop: () => shutdown.stop() };
}

/** Never settles when the worker ends because it was stopped. */
function failureOf(ended: Promise<void>): Promise<Error> {
  return new Promise((resolve) => {
    ended.catch((error: Error) => resolve(new Error(`The worker ended: ${error.message}`, { cause: error })));
  });
}

async function chooseStateFolder(home: string, keepState: boolean, shutdown: Shutdown): Promise<string> {
  if (keepState) return home;
  const folder = await mkdtemp(join(tmpdir(), 'loopwright-'));
  await shutdown.add('The state folder', () => rm(folder, { recursive: true, force: true }));
  return folder;
}

interface ProvidedTemporal {
  target: TemporalTarget;
  uiUrl: string | null;
  pid: number | null;
  died: Promise<string>;
}

async function provideTemporal(options: StackOptions, folder: string, shutdown: Shutdown): Promise<ProvidedTemporal> {
  const environment = options.environment ?? process.env;
  const external = temporalFromEnvironment(environment);
  if (external) return useExternalTemporal(options, external);

  const onStep = options.onStep ?? (() => {});
  const binary = await findTemporalBinary({ cache: options.config.cache, environment, onStep });
  const server = await step(options, `Temporal ${binary.version} (from ${binary.from})`, () =>
    startTemporalServer({
      binary: binary.path,
      home: folder,
      inMemory: options.keepState === false,
      namespace: environment['TEMPORAL_NAMESPACE']?.trim() || DEFAULT_NAMESPACE,
      preferredPort: options.usualPorts ? USUAL_TEMPORAL_PORT : undefined,
      environment,
      onStep,
    }),
  );
  await shutdown.add('Temporal', () => server.stop());
  options.log.info({ address: server.address, ui: server.uiUrl, serverPid: server.pid, logFile: server.logFile }, 'Temporal serves');
  return { target: embeddedTarget(server.address, server.namespace), uiUrl: server.uiUrl, pid: server.pid, died: server.died };
}

async function useExternalTemporal(options: StackOptions, target: TemporalTarget): Promise<ProvidedTemporal> {
  await step(options, `Temporal at ${target.address}`, async () => {
    const connection = await connectClient(target, options.temporalTimeoutMs);
    try {
      await registerSearchAttributes(connection, target.namespace);
    } finally {
      await connection.close();
    }
  });
  return { target, uiUrl: null, pid: null, died: new Promise(() => {}) };
}

async function provideDatabase(options: StackOptions, folder: string, shutdown: Shutdown): Promise<{ url: string; pid: number | null }> {
  if (options.config.databaseUrl) return { url: options.config.databaseUrl, pid: null };
  const dataDirectory = join(folder, 'postgres');
  await mkdir(folder, { recursive: true });
  const postgres = await step(options, 'PostgreSQL', () => startPostgres({ dataDirectory, log: (line) => (options.onStep ?? (() => {}))(line) }));
  const releaseGuard = postgres.owned ? guardProcess(postgres.pid, 'INT') : () => {};
  await shutdown.add('PostgreSQL', async () => {
    await postgres.stop();
    releaseGuard();
  });
  return { url: postgres.url, pid: postgres.pid };
}

async function provideScriptedModel(options: StackOptions, shutdown: Shutdown): Promise<string | null> {
  if (options.config.provider) return null;
  const server = await options.startScriptedModel();
  await shutdown.add('The scripted model', () => server.close());
  return server.url;
}

async function step<T>(options: StackOptions, name: string, run: () => Promise<T>): Promise<T> {
  const startedAt = Date.now();
  options.onStep?.(`${name}: starting`);
  const result = await run();
  options.onStep?.(`${name}: ready after ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
  return result;
}

async function allOrFirstError<T extends unknown[]>(promises: { [K in keyof T]: Promise<T[K]> }): Promise<T> {
  const settled: PromiseSettledResult<unknown>[] = await Promise.allSettled(promises);
  const failures = settled.flatMap((result) => (result.status === 'rejected' ? [result.reason as Error] : []));
  if (failures.length === 1) throw failures[0];
  if (failures.length > 1) throw new AggregateError(failures, failures.map((error) => error.message).join('\n'));
  return settled.map((result) => (result.status === 'fulfilled' ? result.value : undefined)) as T;
}
