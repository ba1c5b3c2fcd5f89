/** A whole loop for a test: the run's Temporal and Postgres, a scripted model over HTTP, a worker and a client. */
import { randomUUID } from 'node:crypto';
import { Client, type Connection } from '@temporalio/client';
import type { NativeConnection } from '@temporalio/worker';
import { pino } from 'pino';
import { inject } from 'vitest';
import type { Services } from '../../src/activities/services.ts';
import type { AnyAgent } from '../../src/agents/define-agent.ts';
import { createDecisionSigner, Loopwright, type DecisionSigner } from '../../src/client.ts';
import type { ModelRoute } from '../../src/contracts/snapshot.ts';
import { createHashedEmbedder, type Embedder } from '../../src/memory/embedding.ts';
import { createModelClient } from '../../src/models/openai-client.ts';
import type { ScriptedAgent } from '../../src/models/scripted/script.ts';
import { startScriptedServer, type ScriptedServer } from '../../src/models/scripted/server.ts';
import { createSandbox } from '../../src/sandbox/index.ts';
import { installRuntime, startWorker, type RunningWorker } from '../../src/worker.ts';
import { testDatabase, type TestDatabase } from './database.ts';
import { registeredKey, type TestKey } from './signing.ts';
import { testConnection, testNativeConnection } from './temporal.ts';

export interface LoopOptions {
  agents: Record<string, AnyAgent>;
  scripts: Record<string, ScriptedAgent>;
  /** Replies come in pieces that watchers see. Default false: most tests only want the answer, which is sooner there whole. */
  stream?: boolean;
  /** Instead of the scripted server: any OpenAI-compatible base URL. */
  baseURL?: string;
  writer?: Partial<ModelRoute>;
  judge?: Partial<ModelRoute> | null;
  /** A model proposes rules in `learn`: the scripted one, at the stage `learn`. Default false. */
  reflector?: boolean;
  /** Default: the hashed one. */
  embedder?: Embedder;
  /** Roles that the client signs with; a test that is about roles names its own. Default: `approver`. */
  roles?: string[];
  /** Development: decisions count without a signature, on what is not dangerous. Default false. */
  unsignedDecisions?: boolean;
  /** Share of the tasks that each live rule is left out of. Default 0: what is live is in every prompt. */
  leaveOutShare?: number;
  /** False: no worker is started here. */
  worker?: boolean;
}

export interface Loop {
  client: Loopwright<Record<string, AnyAgent>>;
  temporal: Client;
  taskQueue: string;
  database: TestDatabase;
  model: ScriptedServer;
  services: Services;
  /** Lines of the log, parsed. */
  logged: Record<string, unknown>[];
  /** Registered before the worker starts; it may vouch for anybody, as a gateway's. */
  key: TestKey;
  /** Signs as somebody who holds these roles. */
  signer(...roles: string[]): DecisionSigner;
  /** A client that signs with these roles; without any it does not sign. */
  clientOf(...roles: string[]): Loopwright<Record<string, AnyAgent>>;
  worker: RunningWorker | null;
  /** Stops the worker and starts another: nothing stays in memory. */
  restartWorker(): Promise<void>;
  stopWorker(): Promise<void>;
  stop(): Promise<void>;
}

const ROUTE: Omit<ModelRoute, 'route' | 'model'> = { inputMicrosPerMillion: 1_000_000, outputMicrosPerMillion: 2_000_000, contextWindow: 128_000 };

export async function startLoop(options: LoopOptions): Promise<Loop> {
  installRuntime(pino({ level: 'silent' }));
  const migrations = Object.assign({}, ...Object.values(options.agents).map((agent) => agent.migrations)) as AnyAgent['migrations'];
  const [database, model, connection, native] = await Promise.all([
    testDatabase({ migrations }),
    startScriptedServer({ agents: options.scripts }),
    testConnection(),
    testNativeConnection(),
  ]);
  const taskQueue = `test-${randomUUID()}`;
  const logged: Record<string, unknown>[] = [];
  const connect = { baseURL: options.baseURL ?? model.url, apiKey: () => 'scripted', strict: true, stream: options.stream ?? false };
  const services: Services = {
    store: database.store,
    models: createModelClient({ routes: { writer: connect, judge: connect } }),
    embedder: options.embedder ?? createHashedEmbedder(),
    agents: options.agents,
    writer: { route: 'writer', model: 'scripted-writer', ...ROUTE, ...options.writer },
    judge: options.judge === null ? null : { route: 'judge', model: 'scripted-judge', ...ROUTE, ...options.judge },
    reflector: options.reflector ? { route: 'writer', model: 'scripted-writer', ...ROUTE } : null,
    sandbox: createSandbox(),
    unsignedDecisions: options.unsignedDecisions ?? false,
    leaveOutShare: options.leaveOutShare ?? 0,
    log: pino(
      { level: 'info' },
      {
        write: (line: string) => {
          logged.push(JSON.parse(line) as Record<string, unknown>);
        },
      },
    ),
  };
  const key = await registeredKey(database.store);
  const loop = assemble({ connection, native, taskQueue, database, model, services, logged, key, roles: options.roles ?? ['approver'] });
  if (options.worker !== false) await loop.restartWorker();
  return loop;
}

interface Parts {
  connection: Connection;
  native: NativeConnection;
  taskQueue: string;
  database: TestDatabase;
  model: ScriptedServer;
  services: Services;
  logged: Record<string, unknown>[];
  key: TestKey;
  roles: string[];
}

function assemble({ connection, native, taskQueue, database, model, services, logged, key, roles }: Parts): Loop {
  const temporal = new Client({ connection, namespace: inject('temporalNamespace') });
  const signer = (...held: string[]): DecisionSigner => createDecisionSigner({ keyId: key.keyId, secretKey: key.secretKey, roles: held });
  const clientOf = (...held: string[]): Loop['client'] =>
    new Loopwright<Record<string, AnyAgent>>({ temporal, taskQueue, store: database.store, ...(held.length > 0 ? { signer: signer(...held) } : {}) });
  const loop: Loop = {
    client: clientOf(...roles),
    key,
    signer,
    clientOf,
    temporal,
    taskQueue,
    database,
    model,
    services,
    logged,
    worker: null,
    async stopWorker() {
      await loop.worker?.stop();
      loop.worker = null;
    },
    async restartWorker() {
      await loop.stopWorker();
      loop.worker = await startWorker({ connection: native, namespace: inject('temporalNamespace'), taskQueue, services, bundle: { codePath: inject('workflowBundle') } });
    },
    async stop() {
      await loop.stopWorker();
      await Promise.all([model.close(), native.close(), connection.close()]);
      await database.drop();
    },
  };
  return loop;
}

/** Waits until `read` gives something truthy; the longer it takes, the less often it is read. @throws after `timeoutMs`, saying what was waited for. */
export async function until<T>(what: string, read: () => Promise<T> | T, timeoutMs = 20_000): Promise<NonNullable<T>> {
  const began = Date.now();
  for (;;) {
    const value = await read();
    if (value) return value as NonNullable<T>;
    const waited = Date.now() - began;
    if (waited > timeoutMs) throw new Error(`waited ${timeoutMs} ms for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, Math.min(Math.max(waited / 10, 25), 100)));
  }
}
