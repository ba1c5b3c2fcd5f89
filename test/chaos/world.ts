/** Where workers are killed: a Temporal, a Postgres, the scripted model in this process, victims in processes of their own, survivors here. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { pino } from 'pino';
import { inject } from 'vitest';
import { registry, scripts } from '../../src/agents/index.ts';
import type { AnyAgent } from '../../src/agents/define-agent.ts';
import { createDecisionSigner, Loopwright } from '../../src/client.ts';
import { startScriptedServer, type ScriptedServer } from '../../src/models/scripted/server.ts';
import { installRuntime, startWorker, type RunningWorker } from '../../src/worker.ts';
import { probe, probeScript } from '../fixtures/probe-agent.ts';
import { transferAgent, transferScript } from '../fixtures/transfer-agent.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { registeredKey } from '../support/signing.ts';
import { connectWorker, type ChaosSettings } from './connect-worker.ts';

const AGENTS = { support: registry.support.agent, transfer: transferAgent, probe } as Record<string, AnyAgent>;
const FIXTURE = fileURLToPath(new URL('../fixtures/chaos-worker.ts', import.meta.url));

export interface Point {
  /** `before callTool #2`: the second time that this worker began it. */
  point: string;
  /** `before callTool @14`: the same for every worker. */
  place: string;
  at: number;
}

export interface Victim {
  /** Points that a task, an experiment or a run of `learn` came to, in order; `at` in Unix ms. */
  points(id: string): Point[];
  /** Names more that halt at their point, as `startVictim` does. */
  killAt(points: Record<string, string>): void;
  /** When it died, Unix ms, and by which signal. */
  died: Promise<{ at: number; signal: string | null }>;
  kill(): Promise<void>;
}

export interface World {
  database: TestDatabase;
  model: ScriptedServer;
  temporal: Client;
  clientOf(taskQueue: string): Loopwright<Record<string, AnyAgent>>;
  /** A worker in a process of its own, which dies when every id of `killAt` has come to its point; resolves when it takes work. */
  startVictim(taskQueue: string, killAt?: Record<string, string>): Promise<Victim>;
  /** A worker in this process, with all agents or some. */
  startSurvivor(taskQueue: string, agents?: Record<string, AnyAgent>): Promise<RunningWorker>;
  stop(): Promise<void>;
}

/** @param options another Temporal or Postgres than the run's */
export async function startWorld(options: { address?: string; adminUrl?: string } = {}): Promise<World> {
  installRuntime(pino({ level: 'silent' }));
  const address = options.address ?? inject('temporalAddress');
  const [database, model, connection] = await Promise.all([
    testDatabase({ migrations: { ...registry.support.agent.migrations, ...transferAgent.migrations }, adminUrl: options.adminUrl }),
    startScriptedServer({ agents: { support: scripts.support!, transfer: transferScript, probe: probeScript } }),
    Connection.connect({ address }),
  ]);
  const settings: Omit<ChaosSettings, 'taskQueue' | 'killAt'> = {
    address,
    namespace: inject('temporalNamespace'),
    databaseUrl: database.url,
    modelUrl: model.url,
    bundlePath: inject('workflowBundle'),
  };
  const { native, services } = await connectWorker(settings, AGENTS, pino({ level: 'silent' }));
  const key = await registeredKey(database.store);
  const signer = createDecisionSigner({ keyId: key.keyId, secretKey: key.secretKey, roles: ['approver'] });
  const temporal = new Client({ connection, namespace: settings.namespace });
  const victims = new Set<Victim>();
  const survivors = new Set<RunningWorker>();
  return {
    database,
    model,
    temporal,
    clientOf: (taskQueue) => new Loopwright<Record<string, AnyAgent>>({ temporal, taskQueue, store: database.store, signer }),
    async startVictim(taskQueue, killAt = {}) {
      const victim = await startVictim({ ...settings, taskQueue, killAt });
      victims.add(victim);
      return victim;
    },
    async startSurvivor(taskQueue, agents = AGENTS) {
      const survivor = await startWorker({
        connection: native,
        namespace: settings.namespace,
        taskQueue,
        services: { ...services, agents },
        bundle: { codePath: settings.bundlePath },
      });
      survivors.add(survivor);
      return survivor;
    },
    async stop() {
      await Promise.all([...[...victims].map((victim) => victim.kill()), ...[...survivors].map((survivor) => survivor.stop())]);
      await Promise.all([model.close(), native.close(), connection.close(), services.store.close()]);
      await database.drop();
    },
  };
}

async function startVictim(settings: ChaosSettings): Promise<Victim> {
  const child = fork(FIXTURE, [], {
    execPath: process.execPath,
    execArgv: [],
    env: { ...process.env, CHAOS_WORKER: JSON.stringify(settings) },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const points: (Point & { id: string })[] = [];
  const died = once(child, 'exit').then(([, signal]) => ({ at: Date.now(), signal: signal as string | null }));
  const ready = new Promise<void>((resolve) => {
    child.on('message', (said: { ready: true } | { id: string; point: string; place: string }) => {
      if ('ready' in said) resolve();
      else points.push({ ...said, at: Date.now() });
    });
  });
  await Promise.race([
    ready,
    died.then(({ signal }) => {
      throw new Error(`the worker ended (${signal ?? child.exitCode}) before it took work`);
    }),
  ]);
  return {
    points: (id) => points.filter((said) => said.id === id),
    killAt: (wanted) => void child.send(wanted),
    died,
    kill: async () => {
      child.kill('SIGKILL');
      await died;
    },
  };
}
