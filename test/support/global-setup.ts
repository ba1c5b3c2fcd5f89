/**
 * One Temporal server (in memory) and one Postgres for the whole run. Tests share them: they use task queues, workflow ids and
 * databases of their own. Vitest calls this only when a test of the `integration` project is to run.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { loadConfig } from '../../src/config.ts';
import { buildConsole, isStale } from '../../src/console/build.ts';
import { createShutdown } from '../../src/dev/shutdown.ts';
import { findTemporalBinary } from '../../src/dev/temporal-binary.ts';
import { startTemporalServer } from '../../src/dev/temporal-server.ts';
import { workflowBundle } from '../../src/workflow-bundle.ts';
import { startPostgres } from '../../src/store/embedded-postgres.ts';
import { copyCluster, makeCluster } from './cluster.ts';
import { FAST } from './database.ts';
import { fastFolder } from './fast-folder.ts';

/** What tests share. */
interface Servers {
  temporalAddress: string;
  temporalNamespace: string;
  /** Path of the workflow bundle, made once for all workers of the run. */
  workflowBundle: string;
  /** Path of the Temporal CLI, for tests that start servers of their own. */
  temporalBinary: string;
  /** A database of a superuser on the shared server: create your own from it. */
  databaseUrl: string;
  /** A data folder with a cluster that never ran, for `copyCluster`. */
  cluster: string;
}

declare module 'vitest' {
  export interface ProvidedContext extends Servers {}
}

/** For Go's scheduler and collector: with four test files beside it, one thread and rarer collections do the same with less processor time. */
const FRUGAL = { GOMAXPROCS: '1', GOGC: '400' };

/** A test that runs vitest passes on what it shares itself: names and values of {@link Servers} as JSON. */
const GIVEN = 'LOOPWRIGHT_TEST_SERVERS';

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env[GIVEN];
  if (given === undefined) return start(project);
  for (const [name, value] of Object.entries(JSON.parse(given) as Servers)) project.provide(name as keyof Servers, value);
  return async () => {};
}

async function start(project: TestProject): Promise<() => Promise<void>> {
  const config = loadConfig();
  const onStep = (step: string): void => console.error(`[setup] ${step}`);
  const shutdown = createShutdown();
  const folder = await mkdtemp(join(fastFolder(), 'loopwright-test-'));
  await shutdown.add('The folder', () => rm(folder, { recursive: true, force: true }));

  const startTemporal = async (): Promise<void> => {
    const binary = await findTemporalBinary({ cache: config.cache, environment: process.env, onStep });
    const server = await startTemporalServer({ binary: binary.path, home: folder, inMemory: true, environment: { ...process.env, ...FRUGAL }, onStep });
    await shutdown.add('Temporal', () => server.stop());
    project.provide('temporalAddress', server.address);
    project.provide('temporalNamespace', server.namespace);
    project.provide('temporalBinary', binary.path);
  };
  const startDatabase = async (): Promise<void> => {
    const made = join(folder, 'made');
    await makeCluster(made);
    project.provide('cluster', made);
    if (config.databaseUrl) return project.provide('databaseUrl', config.databaseUrl);
    await copyCluster(join(folder, 'postgres'), made);
    const postgres = await startPostgres({ dataDirectory: join(folder, 'postgres'), log: onStep, settings: FAST });
    await shutdown.add('Postgres', () => postgres.stop());
    project.provide('databaseUrl', postgres.url);
  };

  const bundle = async (): Promise<void> => {
    const { code } = await workflowBundle(config.cache);
    const path = join(folder, 'workflows.js');
    await writeFile(path, code);
    project.provide('workflowBundle', path);
  };

  // Here and once: tests of the browser that start together would each build it.
  const pages = async (): Promise<void> => {
    if (await isStale()) await buildConsole();
  };

  const results = await Promise.allSettled([startTemporal(), startDatabase(), bundle(), pages()]);
  const failure = results.find((result) => result.status === 'rejected');
  if (failure) {
    await shutdown.stop();
    throw failure.reason;
  }
  return () => shutdown.stop();
}
