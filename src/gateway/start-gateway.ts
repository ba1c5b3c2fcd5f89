/** Opens the gateway's port, with everything behind it. */
import { isIP } from 'node:net';
import type { Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import type { Client } from '@temporalio/client';
import type { AnyAgent } from '../agents/define-agent.ts';
import { Loopwright } from '../client.ts';
import type { GatewayConfig } from '../config.ts';
import { openKeyring, publicHalf } from '../identity/keyring.ts';
import { createOidcVerifier } from '../identity/oidc.ts';
import { createSigner } from '../identity/sign-decision.ts';
import { createChat } from '../live/chat.ts';
import { createWatcher } from '../live/watch.ts';
import type { Embedder } from '../memory/embedding.ts';
import { hasUsableApiKey } from '../store/usable-api-key.ts';
import type { Store } from '../store/store.ts';
import type { Log } from '../telemetry/log.ts';
import { decide } from './decide.ts';
import { createOpenStreams } from './events/open-streams.ts';
import { createGateway } from './gateway.ts';
import { createRateLimits } from './http/rate-limits.ts';
import { createMetrics } from './metrics.ts';
import type { GatewayServices } from './services.ts';
import { createApprovalViews } from './views/approval.ts';

export interface StartGatewayOptions {
  settings: GatewayConfig;
  /** Folder of the secret keys that decisions are signed with. */
  keys: string;
  /** On a migrated database. */
  store: Store;
  /** Of experiences and knowledge: the one that the workers have. */
  embedder: Embedder;
  databaseUrl: string;
  temporal: Client;
  taskQueue: string;
  agents: Record<string, AnyAgent>;
  samples?: GatewayServices['samples'];
  /** A task in the Temporal UI. Default: nobody knows where that is. */
  temporalUrl?: GatewayServices['temporalUrl'];
  /** Where the console was built. Default: nowhere. */
  consoleFolder?: string | null;
  log: Log;
}

export interface RunningGateway {
  /** Where people open the console; without a slash at the end. */
  url: string;
  port: number;
  /** Ends open streams and stops listening. */
  close(): Promise<void>;
}

/** Used when it is free. */
const USUAL_PORT = 7780;

/** It was told to serve more than this machine, and nobody could sign in but whoever comes first. */
class OpenGatewayError extends Error {
  override readonly name = 'OpenGatewayError';
}

/** @throws {OpenGatewayError}, {KeyringError}; `EADDRINUSE` when the port that is asked for is taken */
export async function startGateway(options: StartGatewayOptions): Promise<RunningGateway> {
  const { settings, store } = options;
  await checkNotOpen(settings, store);
  const services = await createServices(options);
  const api = createGateway({
    services,
    settings,
    oidc: settings.oidc && createOidcVerifier(settings.oidc),
    consoleFolder: options.consoleFolder ?? null,
  });
  const server = createAdaptorServer({ fetch: api.fetch }) as Server;
  const port = await listen(server, settings);
  const { host, publicUrl } = settings;
  const shown = host === '0.0.0.0' || host === '::' ? 'localhost' : isIP(host) === 6 ? `[${host}]` : host;
  return {
    url: publicUrl ?? `http://${shown}:${port}`,
    port,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // streams would keep it open for ever; whoever reads them connects again
      server.closeAllConnections();
      await closed;
      await services.watcher.close();
    },
  };
}

async function checkNotOpen({ host, oidc }: GatewayConfig, store: Store): Promise<void> {
  const isLoopback = host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
  if (isLoopback || oidc || (await hasUsableApiKey(store.database))) return;
  throw new OpenGatewayError(
    `The gateway is not opened on ${host} (LOOPWRIGHT_GATEWAY_HOST), for there is neither an API key nor an OIDC issuer. Make a key first (npm run loopwright -- keys create <subject>), or set LOOPWRIGHT_OIDC_ISSUER.`,
  );
}

async function createServices({ settings, keys, store, embedder, databaseUrl, temporal, taskQueue, agents, log, ...more }: StartGatewayOptions): Promise<GatewayServices> {
  const keyring = await openKeyring(keys);
  // tasks that start from now on know it
  await store.signingKeys.put(publicHalf(await keyring.current('gateway')));
  const loopwright = new Loopwright<Record<string, AnyAgent>>({ temporal, taskQueue, store });
  const metrics = createMetrics();
  const signer = createSigner(keyring, 'gateway');
  const decides = { loopwright, metrics, signer, store };
  return {
    ...decides,
    embedder,
    temporal,
    taskQueue,
    agents,
    samples: more.samples ?? (() => []),
    temporalUrl: more.temporalUrl ?? (() => null),
    watcher: createWatcher({ databaseUrl, store }),
    chat: createChat({
      loopwright,
      store,
      agents,
      decide: (taskId, { approvalId, by: _by, token: _token, ...body }, principal) => decide(decides, principal, { taskId, approvalId, body }),
    }),
    approvals: createApprovalViews({ store, agents }),
    rateLimits: createRateLimits(settings.requestsPerMinute),
    openStreams: createOpenStreams(),
    log,
  };
}

/** The port that is asked for; where none is, the usual one or else any. */
async function listen(server: Server, { host, port }: GatewayConfig): Promise<number> {
  try {
    return await listenOn(server, host, port ?? USUAL_PORT);
  } catch (error) {
    if (port !== null || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return listenOn(server, host, 0);
  }
}

function listenOn(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}
