/** A stack with a worker in this process: what `dev` and `demo` start. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { destination } from 'pino';
import type { Config, Environment } from '../config.ts';
import { type ForegroundStack, runStack } from '../dev/run-stack.ts';
import type { StackOptions } from '../dev/stack.ts';
import { createLog, type Log } from '../telemetry/log.ts';
import { workflowBundle } from '../workflow-bundle.ts';
import { startScriptedModel, startServicesWorker, unsignedInDevelopment } from './services.ts';
import type { Output } from './output.ts';
import { withProgress } from './stack-progress.ts';
import { type Safe, safe } from './text/safe.ts';

export interface ForegroundOptions extends Pick<StackOptions, 'keepState' | 'usualPorts'> {
  config: Config;
  environment: Environment;
  log: Log;
  output: Output;
  /** Serve the API and the console too. */
  gateway?: boolean;
  /** Lines for a person. */
  say: (line: Safe) => void;
  /** Run when the worker has stopped, before the servers do. */
  afterWorker?: () => Promise<void>;
}

/** Starts everything; Ctrl-C stops it, and a server or worker that fails ends the process with its reason. @throws {StackRunningError} */
export function startForeground({ config, environment, log, output, say, afterWorker, gateway = false, ...more }: ForegroundOptions): Promise<ForegroundStack> {
  return withProgress('Starting the stack', output.live, say, async (onStep) => {
    // The workflow code is bundled while the servers start.
    const bundle = workflowBundle(config.cache);
    bundle.catch(() => {}); // whoever awaits it learns of it
    let end: (() => Promise<void>) | null = null;
    let failure: Error | null = null;
    const fail = async (error: Error): Promise<void> => {
      failure = error;
      if (!end) return; // still starting: seen below
      say(safe`The worker ended: ${error.message}`);
      await end().catch((stopError: Error) => say(safe`${stopError.message}`));
      process.exit(1);
    };
    const foreground = await runStack(
      {
        ...more,
        config,
        environment,
        log,
        onStep,
        startScriptedModel,
        ...(gateway
          ? {
              startGateway: async ({ temporalTarget, taskQueue, databaseUrl, temporal }) => {
                const { startServicesGateway } = await import('./gateway.ts');
                return startServicesGateway({ config, temporalTarget, taskQueue, databaseUrl, uiUrl: temporal.uiUrl, log, onStep });
              },
            }
          : {}),
        startWorker: async (stack) => {
          const worker = await startServicesWorker({
            config,
            log,
            bundle,
            connectionOptions: stack.temporalTarget.connectionOptions,
            namespace: stack.temporal.namespace,
            taskQueue: stack.taskQueue,
            databaseUrl: stack.databaseUrl,
            scriptedUrl: stack.scriptedUrl,
            unsignedDecisions: unsignedInDevelopment(config),
            signsAsAnybody: true,
          });
          worker.ended.catch((error: Error) => void fail(error));
          return {
            stop: async () => {
              await worker.stop();
              await afterWorker?.();
            },
          };
        },
      },
      (line) => say(safe`${line}`),
    );
    end = () => foreground.end();
    if (failure) await fail(failure);
    return foreground;
  });
}

/** On a terminal the log goes into a file, so that it does not run through what a person reads. */
export function createForegroundLog(config: Config, name: string, terminal: boolean): { log: Log; file: string | null } {
  const secrets = [config.provider?.apiKey];
  if (!terminal) return { log: createLog({ level: config.logLevel, name, secrets }), file: null };
  // before the log makes it: what is kept there, tasks' histories among it, is the user's alone
  mkdirSync(config.home, { recursive: true, mode: 0o700 });
  const file = join(config.home, `${name}.log`);
  return { log: createLog({ level: config.logLevel, name, secrets, destination: destination({ dest: file, mkdir: true, append: true, mode: 0o600, sync: true }) }), file };
}
