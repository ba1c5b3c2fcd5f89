/** Wires a worker with real services: what `dev`, `demo` and `worker` have in common. */
import { NativeConnection, type NativeConnectionOptions } from '@temporalio/worker';
import type { Services } from '../activities/services.ts';
import { agents, scripts } from '../agents/index.ts';
import type { Config } from '../config.ts';
import { DEFAULT_TENANT } from '../contracts/names.ts';
import { loadAllShipped } from '../datasets/shipped.ts';
import { createModelClient } from '../models/openai-client.ts';
import { resolveRoutes, type Routes } from '../models/routes.ts';
import { startScriptedServer } from '../models/scripted/server.ts';
import { startDispatcher } from '../notify/dispatcher.ts';
import { createRouter } from '../notify/route.ts';
import { loadNotifyConfig } from '../notify/targets.ts';
import { migrate } from '../store/migrate.ts';
import { createSandbox } from '../sandbox/index.ts';
import { openStore } from '../store/store.ts';
import type { Log } from '../telemetry/log.ts';
import { installRuntime, type RunningWorker, startWorker } from '../worker.ts';
import { workflowBundle } from '../workflow-bundle.ts';
import { agentMigrations } from './agents.ts';
import { embedderOf } from './embedder.ts';
import { registerLocalKey } from './local-signer.ts';

export interface WorkerTarget {
  config: Config;
  connectionOptions: NativeConnectionOptions;
  namespace: string;
  taskQueue: string;
  databaseUrl: string;
  /** Base URL of the scripted model; needed when no model is configured. */
  scriptedUrl: string | null;
  log: Log;
  /** Development: decisions count without a signature, except on what is dangerous. */
  unsignedDecisions: boolean;
  /** Development: whoever uses this machine may sign as anybody, with a key that is made on first use. */
  signsAsAnybody: boolean;
  /** The workflow code, where it is being made already. Default: made here. */
  bundle?: Promise<{ code: string }>;
}

/** Models by the configuration, or the scripted ones. @throws {RouteError} */
function routesOf({ provider }: Config, scriptedUrl: string | null): Routes {
  if (!provider) return resolveRoutes({ scriptedURL: scriptedUrl });
  return resolveRoutes({
    apiKey: provider.apiKey,
    baseURL: provider.baseUrl,
    model: provider.writer,
    judgeModel: provider.judge,
    price: provider.writerPrice,
    judgePrice: provider.judgePrice,
    contextWindow: provider.contextWindow,
    strict: provider.strict,
    stream: provider.stream,
  });
}

/** What a person should be told about the models: prices that are not known, a judge that is off. */
export function modelNotices(config: Config): string[] {
  return config.provider ? routesOf(config, null).notices : config.notices;
}

/** Said loudly wherever decisions count that nobody has signed; null where none do. */
export function unsignedNotice(unsignedDecisions: boolean): string | null {
  return unsignedDecisions
    ? 'DEVELOPMENT: decisions are accepted UNSIGNED, from whoever reaches Temporal, on everything that is not dangerous. Set LOOPWRIGHT_UNSIGNED_DECISIONS=false to refuse them.'
    : null;
}

/** Whether `dev` and `demo` take unsigned decisions. */
export function unsignedInDevelopment({ unsignedDecisions }: Config): boolean {
  return unsignedDecisions ?? true;
}

/** The scripted model of every registered agent. */
export function startScriptedModel(): Promise<{ url: string; close: () => Promise<void> }> {
  return startScriptedServer({ agents: scripts });
}

/** Migrates the database, starts a worker and tells people what they are told of; `stop` drains both and closes what they used. */
export async function startServicesWorker(target: WorkerTarget): Promise<RunningWorker> {
  const routes = routesOf(target.config, target.scriptedUrl);
  const notify = loadNotifyConfig();
  installRuntime(target.log);
  const store = openStore({ url: target.databaseUrl, notifies: createRouter(notify.targets) });
  try {
    await migrate(store.database, agentMigrations());
    await loadAllShipped(store, DEFAULT_TENANT, agents);
    if (target.signsAsAnybody) await registerLocalKey(target.config, store);
    const connection = await NativeConnection.connect(target.connectionOptions);
    const services: Services = {
      store,
      models: createModelClient({ routes: routes.connections }),
      embedder: embedderOf(target.config),
      agents,
      writer: routes.writer,
      judge: routes.judge,
      reflector: target.config.provider ? routes.writer : null,
      sandbox: createSandbox(),
      unsignedDecisions: target.unsignedDecisions,
      leaveOutShare: target.config.leaveOutShare,
      log: target.log,
    };
    const worker = await startOn(connection, services, target).catch(async (error: unknown) => {
      await connection.close();
      throw error;
    });
    const dispatcher = startDispatcher({ store, config: notify, log: target.log });
    const stop = async (): Promise<void> => {
      await worker.stop();
      await dispatcher.stop();
      await connection.close();
      await store.close();
    };
    return { stop: once(stop), ended: worker.ended };
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function startOn(
  connection: NativeConnection,
  services: Services,
  { config, namespace, taskQueue, bundle = workflowBundle(config.cache) }: WorkerTarget,
): Promise<RunningWorker> {
  return startWorker({ connection, namespace, taskQueue, services, bundle: await bundle });
}

function once(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  return () => (running ??= run());
}
