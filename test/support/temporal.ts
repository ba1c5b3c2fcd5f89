/** The shared Temporal server of a test run. */
import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { inject } from 'vitest';

/** Close it after use. */
export function testConnection(): Promise<Connection> {
  return Connection.connect({ address: inject('temporalAddress') });
}

/** For a worker. Close it after use. */
export function testNativeConnection(): Promise<NativeConnection> {
  return NativeConnection.connect({ address: inject('temporalAddress') });
}

export function testClient(connection: Connection): Client {
  return new Client({ connection, namespace: inject('temporalNamespace') });
}

/** Tests share the server, so each has a queue of its own. */
export function uniqueTaskQueue(purpose = 'test'): string {
  return `${purpose}-${randomUUID()}`;
}

export function uniqueTaskId(purpose = 'task'): string {
  return `${purpose}-${randomUUID()}`;
}
