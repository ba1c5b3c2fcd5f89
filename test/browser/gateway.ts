/** The gateway of a test's loop, on a port of its own that it keeps when it is stopped and started again. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadConfig } from '../../src/config.ts';
import { type RunningGateway, startGateway } from '../../src/gateway/start-gateway.ts';
import type { Loop } from '../support/loop.ts';

export interface TestGateway {
  url: string;
  /** Breaks every connection, as a crash would. */
  stop(): Promise<void>;
  /** On the same port, with the same keys. */
  restart(): Promise<void>;
  /** Stops it for good. */
  close(): Promise<void>;
}

const consoleFolder = join(dirname(fileURLToPath(import.meta.url)), '../../dist/console');

export async function startTestGateway(loop: Loop): Promise<TestGateway> {
  const keys = await mkdtemp(join(tmpdir(), 'loopwright-keys-'));
  const open = (port: number): Promise<RunningGateway> =>
    startGateway({
      settings: { ...loadConfig({}).gateway, port },
      keys,
      store: loop.database.store,
      embedder: loop.services.embedder,
      databaseUrl: loop.database.url,
      temporal: loop.temporal,
      taskQueue: loop.taskQueue,
      agents: loop.services.agents,
      consoleFolder,
      log: loop.services.log,
    });
  let running: RunningGateway | null = await open(0);
  const { url, port } = running;
  const stop = async (): Promise<void> => {
    await running?.close();
    running = null;
  };
  return {
    url,
    stop,
    async restart() {
      running = await open(port);
    },
    async close() {
      await stop();
      await rm(keys, { recursive: true, force: true });
    },
  };
}
