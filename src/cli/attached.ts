/** A running stack, as commands in another terminal use it. */
import { Client, type Connection, WorkflowNotFoundError } from '@temporalio/client';
import { Loopwright } from '../client.ts';
import { loadConfig, type Config, type Environment } from '../config.ts';
import { attach, type Attachment } from '../dev/attach.ts';
import { connectClient } from '../dev/connect.ts';
import { openStore, type Store } from '../store/store.ts';
import type { TaskView } from '../store/task-view.ts';
import type { AnyAgent } from '../agents/define-agent.ts';
import { taskUrl } from './addresses.ts';
import { createLocalSigner } from './local-signer.ts';
import { createStillThere, isConnectionLost } from './stack-stopped.ts';
import type { Terminal } from './terminal.ts';

export interface Attached extends Attachment {
  config: Config;
  connection: Connection;
  temporal: Client;
  loopwright: Loopwright<Record<string, AnyAgent>>;
  /** Null when DATABASE_URL is not set beside TEMPORAL_ADDRESS. */
  store: Store | null;
  environment: Environment;
  urlOf(taskId: string): string | null;
  /** @param withinMs how long a stack that is stopping may take @throws {StackStoppedError} when the stack that this command attached to has ended */
  stillThere(withinMs?: number): Promise<void>;
}

/** A stack that stops ends its database first and gives its home back last, ms. */
const STOPPING_MS = 15_000;

/** Connects, runs `work`, and closes everything again. @throws {NoStackError} */
export async function withStack<Result>({ environment }: Terminal, work: (stack: Attached) => Promise<Result>): Promise<Result> {
  const config = loadConfig(environment);
  const attachment = await attach(config, environment);
  const connection = await connectClient(attachment.temporalTarget);
  const store = attachment.databaseUrl === null ? null : openStore({ url: attachment.databaseUrl, poolSize: 2 });
  const { namespace } = attachment.temporalTarget;
  const temporal = new Client({ connection, namespace });
  const loopwright = new Loopwright<Record<string, AnyAgent>>({ temporal, taskQueue: attachment.taskQueue, ...(store ? { store, signer: createLocalSigner(config, store) } : {}) });
  const stillThere = createStillThere(config.home, attachment);
  try {
    return await work({
      ...attachment,
      config,
      environment,
      connection,
      temporal,
      loopwright,
      store,
      stillThere,
      urlOf: (taskId) => taskUrl(attachment.uiUrl, namespace, taskId),
    });
  } catch (error) {
    if (isConnectionLost(error)) await stillThere(STOPPING_MS);
    throw error;
  } finally {
    await store?.close();
    await connection.close();
  }
}

/** @throws when there is no such task */
export async function ensureTask({ store, temporal }: Pick<Attached, 'store' | 'temporal'>, taskId: string): Promise<void> {
  if (await store?.tasks.get(taskId)) return;
  // in its first moments a task has no row
  await temporal.workflow
    .getHandle(taskId)
    .describe()
    .catch((error: unknown) => {
      throw error instanceof WorkflowNotFoundError ? new Error(`There is no task ${taskId}.`) : error;
    });
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
