/** A running stack, as commands in another terminal use it. */
import { Client, type Connection } from '@temporalio/client';
import { Loopwright } from '../client.ts';
import { loadConfig, type Config } from '../config.ts';
import { attach, type Attachment } from '../dev/attach.ts';
import { connectClient } from '../dev/connect.ts';
import { openStore, type Store } from '../store/store.ts';
import type { TaskView } from '../store/task-view.ts';
import type { AnyAgent } from '../agents/define-agent.ts';
import { taskUrl } from './addresses.ts';
import type { Terminal } from './terminal.ts';

export interface Attached extends Attachment {
  config: Config;
  connection: Connection;
  temporal: Client;
  loopwright: Loopwright<Record<string, AnyAgent>>;
  /** Null when DATABASE_URL is not set beside TEMPORAL_ADDRESS. */
  store: Store | null;
  urlOf(taskId: string): string | null;
}

/** Connects, runs `work`, and closes everything again. @throws {NoStackError} */
export async function withStack<Result>({ environment }: Terminal, work: (stack: Attached) => Promise<Result>): Promise<Result> {
  const config = loadConfig(environment);
  const attachment = await attach(config, environment);
  const connection = await connectClient(attachment.temporalTarget);
  const store = attachment.databaseUrl === null ? null : openStore({ url: attachment.databaseUrl, poolSize: 2 });
  const { namespace } = attachment.temporalTarget;
  const temporal = new Client({ connection, namespace });
  const loopwright = new Loopwright<Record<string, AnyAgent>>({ temporal, taskQueue: attachment.taskQueue, ...(store ? { store } : {}) });
  try {
    return await work({ ...attachment, config, connection, temporal, loopwright, store, urlOf: (taskId) => taskUrl(attachment.uiUrl, namespace, taskId) });
  } finally {
    await store?.close();
    await connection.close();
  }
}

/** For commands that read facts. */
export function storeOf({ store }: Pick<Attached, 'store'>): Store {
  if (!store) throw new Error('This command reads the facts in Postgres: set DATABASE_URL beside TEMPORAL_ADDRESS.');
  return store;
}

export async function viewOf(stack: Pick<Attached, 'store'>, taskId: string): Promise<TaskView> {
  const view = await storeOf(stack).taskView(taskId);
  if (!view) throw new Error(`There is no task ${taskId}.`);
  return view;
}
