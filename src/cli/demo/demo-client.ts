import { Client } from '@temporalio/client';
import type { AnyAgent } from '../../agents/define-agent.ts';
import { Loopwright } from '../../client.ts';
import type { Config } from '../../config.ts';
import { connectClient } from '../../dev/connect.ts';
import type { Stack } from '../../dev/stack.ts';
import { openStore, type Store } from '../../store/store.ts';
import { createLocalSigner } from '../local-signer.ts';

export interface DemoClient {
  loopwright: Loopwright<Record<string, AnyAgent>>;
  store: Store;
}

/** Work with a stack that is up, as a service would; closed afterwards. */
export async function withDemoClient<Result>(stack: Stack, config: Config, work: (client: DemoClient) => Promise<Result>): Promise<Result> {
  const connection = await connectClient(stack.temporalTarget);
  const store = openStore({ url: stack.databaseUrl, poolSize: 4 });
  try {
    const temporal = new Client({ connection, namespace: stack.temporal.namespace });
    return await work({ store, loopwright: new Loopwright({ temporal, taskQueue: stack.taskQueue, store, signer: createLocalSigner(config, store) }) });
  } finally {
    await store.close();
    await connection.close();
  }
}
