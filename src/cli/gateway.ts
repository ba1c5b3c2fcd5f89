/** Wires a gateway with real services: what `dev` and `gateway` have in common. */
import { Client } from '@temporalio/client';
import type { Config } from '../config.ts';
import { agents } from '../agents/index.ts';
import { connectClient, type TemporalTarget } from '../dev/connect.ts';
import { startGateway, type RunningGateway } from '../gateway/start-gateway.ts';
import { openStore } from '../store/store.ts';
import type { Log } from '../telemetry/log.ts';
import { taskUrl } from './addresses.ts';
import { agentNames, loadCases } from './agents.ts';
import { embedderOf } from './embedder.ts';

export interface GatewayTarget {
  config: Config;
  temporalTarget: TemporalTarget;
  taskQueue: string;
  databaseUrl: string;
  uiUrl: string | null;
  log: Log;
  /** Told what is done, for people. */
  onStep?: (step: string) => void;
}

/** On a migrated database. @throws {OpenGatewayError}, {KeyringError} */
export async function startServicesGateway({ config, temporalTarget, taskQueue, databaseUrl, uiUrl, log, onStep = () => {} }: GatewayTarget): Promise<RunningGateway> {
  const store = openStore({ url: databaseUrl });
  const connection = await connectClient(temporalTarget);
  const { namespace } = temporalTarget;
  const closeServices = async (): Promise<void> => {
    await connection.close();
    await store.close();
  };
  try {
    const samples = new Map(await Promise.all(agentNames.map(async (name) => [name, await samplesOf(name)] as const)));
    const gateway = await startGateway({
      settings: config.gateway,
      keys: config.keys,
      store,
      embedder: embedderOf(config),
      databaseUrl,
      temporal: new Client({ connection, namespace }),
      taskQueue,
      agents,
      samples: (agent) => samples.get(agent) ?? [],
      temporalUrl: (taskId) => taskUrl(uiUrl, namespace, taskId),
      consoleFolder: await provideConsole(log, onStep),
      log,
    });
    return {
      ...gateway,
      async close() {
        await gateway.close();
        await closeServices();
      },
    };
  } catch (error) {
    await closeServices();
    throw error;
  }
}

async function samplesOf(agent: string): Promise<{ id: string; input: unknown }[]> {
  return (await loadCases(agent)).map(({ name, input }) => ({ id: name, input }));
}

interface ConsoleBuild {
  isStale(): Promise<boolean>;
  buildConsole(): Promise<string>;
  built: string;
}

/** Where the console lies, built anew when its sources are newer and what builds it is installed; null when it is not there. */
async function provideConsole(log: Log, onStep: (step: string) => void): Promise<string | null> {
  // by its address: the console is a page, and nothing here is linked with it
  const { isStale, buildConsole, built } = (await import(new URL('../console/build.ts', import.meta.url).href)) as ConsoleBuild;
  if (!(await isStale())) return built;
  onStep('Console: building');
  try {
    return await buildConsole();
  } catch (error) {
    log.warn({ err: error }, 'the console could not be built: npx vite build --config src/console/vite.config.ts says why');
    return built;
  }
}
