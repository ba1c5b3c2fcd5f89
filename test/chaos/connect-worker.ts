/** What a worker works with, here and in a child process. */
import { NativeConnection } from '@temporalio/worker';
import type { Logger } from 'pino';
import type { Services } from '../../src/activities/services.ts';
import type { AnyAgent } from '../../src/agents/define-agent.ts';
import type { ModelRoute } from '../../src/contracts/snapshot.ts';
import { createHashedEmbedder } from '../../src/memory/embedding.ts';
import { createModelClient } from '../../src/models/openai-client.ts';
import { createSandbox } from '../../src/sandbox/index.ts';
import { openStore } from '../../src/store/store.ts';

/** Plain data: it goes to another process. */
export interface ChaosSettings {
  address: string;
  namespace: string;
  taskQueue: string;
  databaseUrl: string;
  /** Base URL of the scripted server. */
  modelUrl: string;
  bundlePath: string;
  /** By workflow id: the point where the worker dies. It dies when every task, experiment and run of `learn` named here has come to its point. */
  killAt: Record<string, string>;
}

const ROUTE: Omit<ModelRoute, 'route' | 'model'> = { inputMicrosPerMillion: 1_000_000, outputMicrosPerMillion: 2_000_000, contextWindow: 128_000 };

export async function connectWorker(
  settings: Pick<ChaosSettings, 'address' | 'databaseUrl' | 'modelUrl'>,
  agents: Record<string, AnyAgent>,
  log: Logger,
): Promise<{ native: NativeConnection; services: Services }> {
  const native = await NativeConnection.connect({ address: settings.address });
  const connection = { baseURL: settings.modelUrl, apiKey: () => 'scripted', strict: true, stream: false };
  const services: Services = {
    store: openStore({ url: settings.databaseUrl, poolSize: 10 }),
    models: createModelClient({ routes: { writer: connection, judge: connection } }),
    embedder: createHashedEmbedder(),
    agents,
    writer: { route: 'writer', model: 'scripted-writer', ...ROUTE },
    judge: { route: 'judge', model: 'scripted-judge', ...ROUTE },
    sandbox: createSandbox(),
    unsignedDecisions: false,
    log,
  };
  return { native, services };
}
