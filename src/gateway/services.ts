import type { Client } from '@temporalio/client';
import type { AnyAgent } from '../agents/define-agent.ts';
import type { Loopwright } from '../client.ts';
import type { Embedder } from '../memory/embedding.ts';
import type { DecisionSigner } from '../identity/sign-decision.ts';
import type { Store } from '../store/store.ts';
import type { Log } from '../telemetry/log.ts';
import type { Chat } from '../live/chat.ts';
import type { Watcher } from '../live/watch.ts';
import type { OpenStreams } from './events/open-streams.ts';
import type { RateLimits } from './http/rate-limits.ts';
import type { GatewayMetrics } from './metrics.ts';
import type { ApprovalViews } from './views/approval.ts';

/** What the routes work with. */
export interface GatewayServices {
  loopwright: Loopwright<Record<string, AnyAgent>>;
  temporal: Client;
  taskQueue: string;
  store: Store;
  /** Of experiences and knowledge: the one that the workers have. */
  embedder: Embedder;
  agents: Record<string, AnyAgent>;
  /** Inputs to try an agent with. */
  samples: (agent: string) => { id: string; input: unknown }[];
  signer: DecisionSigner;
  /** A task in the Temporal UI; null when nobody knows where that is. */
  temporalUrl: (taskId: string) => string | null;
  watcher: Watcher;
  chat: Chat;
  approvals: ApprovalViews;
  metrics: GatewayMetrics;
  rateLimits: RateLimits;
  openStreams: OpenStreams;
  log: Log;
}
