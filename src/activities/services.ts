import type { Logger } from 'pino';
import type { AnyAgent } from '../agents/define-agent.ts';
import type { ModelRoute } from '../contracts/snapshot.ts';
import type { Embedder } from '../memory/embedding.ts';
import type { ModelClient } from '../models/model.ts';
import type { Sandbox } from '../sandbox/index.ts';
import type { Store } from '../store/store.ts';

/** What activities work with; only the worker wires real ones. */
export interface Services {
  store: Store;
  models: ModelClient;
  embedder: Embedder;
  /** By name. */
  agents: Record<string, AnyAgent>;
  writer: ModelRoute;
  /** Null: no second model, so the judge is off. */
  judge: ModelRoute | null;
  /** Proposes rules in `learn`; absent or null: no model is configured, and rules are found by code. */
  reflector?: ModelRoute | null;
  sandbox: Pick<Sandbox, 'runCode'>;
  /** Development only: decisions on what is not dangerous count without a signature. */
  unsignedDecisions: boolean;
  /** Share of the tasks that each live rule is left out of, to see what it is worth, 0..1. Absent: none. */
  leaveOutShare?: number;
  log: Logger;
}
