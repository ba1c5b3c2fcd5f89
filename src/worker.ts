import { DefaultLogger, type LogEntry, makeTelemetryFilterString, type NativeConnection, Runtime, Worker, type WorkflowBundleOption } from '@temporalio/worker';
import type { Logger } from 'pino';
import { createActivities } from './activities/index.ts';
import type { Services } from './activities/services.ts';
import { bundleWorkflows } from './bundle-workflows.ts';
import type { AgentTaskActivities } from './contracts/activities.ts';

export interface WorkerOptions {
  connection: NativeConnection;
  namespace: string;
  taskQueue: string;
  services: Services;
  /** Instead of those of `services`: the same ones, wrapped. */
  activities?: AgentTaskActivities;
  /** Made before by {@link bundleWorkflows}; saves up to a second at start. */
  bundle?: WorkflowBundleOption;
}

export interface RunningWorker {
  /** Stops taking work, lets activities finish or hand back, and ends. Idempotent. */
  stop(): Promise<void>;
  /** Rejects when the worker fails by itself. */
  ended: Promise<void>;
}

let installed = false;

/** The SDK has one runtime a process, made at the first connection at the latest: call this before, and its warnings go to our log. */
export function installRuntime(log: Logger): void {
  if (installed) return;
  installed = true;
  const logger = new DefaultLogger('WARN', ({ level, message, meta }: LogEntry) => log[level === 'ERROR' ? 'error' : 'warn']({ ...meta }, message));
  Runtime.install({ logger, shutdownSignals: [], telemetryOptions: { logging: { forward: {}, filter: makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' }) } } });
}

/** Activities stop at a shutdown by their signal, so a drain is short, ms. */
const DRAIN_MS = 5_000;
/** Tasks that wait for people stay in memory up to this number; beyond it a task is replayed when it goes on. */
const CACHED_WORKFLOWS = 1_000;
/** Heartbeats are sent as often as they are made, so that a cancellation reaches an activity within a second (DESIGN §8: 45 ms). */
const HEARTBEAT_MS = 200;

export async function startWorker({ connection, namespace, taskQueue, services, activities, bundle }: WorkerOptions): Promise<RunningWorker> {
  const worker = await Worker.create({
    connection,
    namespace,
    taskQueue,
    activities: activities ?? createActivities(services),
    workflowBundle: bundle ?? (await bundleWorkflows()),
    maxHeartbeatThrottleInterval: HEARTBEAT_MS,
    defaultHeartbeatThrottleInterval: HEARTBEAT_MS,
    maxCachedWorkflows: CACHED_WORKFLOWS,
    shutdownGraceTime: DRAIN_MS,
    reuseV8Context: true,
  });
  const ended = worker.run();
  let stopping: Promise<void> | null = null;
  const stop = (): Promise<void> => {
    stopping ??= (async () => {
      if (worker.getState() === 'RUNNING') worker.shutdown();
      await ended.catch(() => undefined);
    })();
    return stopping;
  };
  return { stop, ended };
}
