/** Connections to Temporal. `@temporalio/envconfig` reads address, namespace, TLS, API key and profiles as every Temporal tool does. */
import { Connection, type ConnectionOptions } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import type { NativeConnectionOptions } from '@temporalio/worker';
import { ConfigError, type Environment } from '../config.ts';
import { createRetries } from './retries.ts';

export interface TemporalTarget {
  /** `host:port`, for people and for `stack.json`. */
  address: string;
  namespace: string;
  /** For a worker's `NativeConnection.connect`. Holds the API key: never log it. */
  connectionOptions: NativeConnectionOptions;
  /** Whether the environment names it, so that it is not ours to set up or stop. */
  external: boolean;
}

export const DEFAULT_NAMESPACE = 'default';

/** Only these say that another Temporal is wanted: a config file at its default place must not turn a demo against production. */
const CHOOSES_TEMPORAL = ['TEMPORAL_ADDRESS', 'TEMPORAL_PROFILE', 'TEMPORAL_CONFIG_FILE'] as const;

/** Null when the environment names no Temporal. @throws {ConfigError} */
export function temporalFromEnvironment(environment: Environment): TemporalTarget | null {
  const chosen = CHOOSES_TEMPORAL.find((name) => environment[name]?.trim());
  if (!chosen) return null;
  const useFile = Boolean(environment['TEMPORAL_PROFILE']?.trim() || environment['TEMPORAL_CONFIG_FILE']?.trim());
  try {
    const { connectionOptions, namespace } = loadClientConnectConfig({ overrideEnvVars: withoutEmpty(environment), disableFile: !useFile });
    if (!connectionOptions.address) throw new Error('names no address');
    return { address: connectionOptions.address, namespace: namespace ?? DEFAULT_NAMESPACE, connectionOptions, external: true };
  } catch (error) {
    const problem = `can't be used: ${(error as Error).message}`.replace(/\.$/, '');
    throw new ConfigError([{ variable: chosen, problem, fix: 'Correct it, or unset it to use the embedded Temporal server' }]);
  }
}

/** The target of a Temporal server that we started ourselves. */
export function embeddedTarget(address: string, namespace: string): TemporalTarget {
  return { address, namespace, connectionOptions: { address }, external: false };
}

/** A client's connection. @throws when Temporal does not answer within `timeoutMs`. */
export async function connectClient(target: TemporalTarget, timeoutMs = 10_000): Promise<Connection> {
  const { address, tls, apiKey, metadata } = target.connectionOptions;
  const retries = createRetries();
  const options: ConnectionOptions = { address, connectTimeout: timeoutMs, interceptors: [retries.interceptor] };
  if (tls !== undefined) options.tls = tls as ConnectionOptions['tls'];
  if (apiKey !== undefined) options.apiKey = apiKey as ConnectionOptions['apiKey'];
  if (metadata !== undefined) options.metadata = metadata as ConnectionOptions['metadata'];
  try {
    return stopBeforeClose(await Connection.connect(options), retries.stop);
  } catch (error) {
    throw new Error(`Temporal at ${target.address} does not answer: ${(error as Error).message}`, { cause: error });
  }
}

function stopBeforeClose(connection: Connection, stop: () => void): Connection {
  const close = connection.close.bind(connection);
  connection.close = () => {
    stop();
    return close();
  };
  return connection;
}

function withoutEmpty(environment: Environment): Record<string, string> {
  return Object.fromEntries(Object.entries(environment).filter((entry): entry is [string, string] => Boolean(entry[1]?.trim())));
}
