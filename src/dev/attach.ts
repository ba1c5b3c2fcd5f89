/** How a command in another terminal finds what it talks to. */
import type { Config, Environment } from '../config.ts';
import { embeddedTarget, temporalFromEnvironment, type TemporalTarget } from './connect.ts';
import { readStack } from './stack-file.ts';

export interface Attachment {
  temporalTarget: TemporalTarget;
  /** Null when only Temporal is known. */
  databaseUrl: string | null;
  uiUrl: string | null;
  taskQueue: string;
  /** Base URL of the console; null when no gateway is known. */
  consoleUrl: string | null;
}

export class NoStackError extends Error {
  override readonly name = 'NoStackError';
}

/** What the environment names comes first, then the stack that runs in the home. @throws {NoStackError} */
export async function attach(config: Config, environment: Environment = process.env): Promise<Attachment> {
  const external = temporalFromEnvironment(environment);
  const running = await readStack(config.home);
  if (!external && !running) {
    throw new NoStackError(`No stack runs in ${config.home}. Start one with \`npm run dev\`, or set TEMPORAL_ADDRESS and DATABASE_URL.`);
  }
  const ownTemporal = external ?? embeddedTarget(running!.temporal.address, running!.temporal.namespace);
  return {
    temporalTarget: ownTemporal,
    databaseUrl: config.databaseUrl ?? running?.databaseUrl ?? null,
    uiUrl: external ? null : running!.temporal.uiUrl,
    taskQueue: external ? config.taskQueue : running!.taskQueue,
    consoleUrl: config.gateway.publicUrl ?? (external ? null : (running!.gatewayUrl ?? null)),
  };
}
