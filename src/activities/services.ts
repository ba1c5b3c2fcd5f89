import type { Logger } from 'pino';
import type { AnyAgent } from '../agents/define-agent.ts';
import type { ModelRoute } from '../contracts/snapshot.ts';
import type { ModelClient } from '../models/model.ts';
import type { Sandbox } from '../sandbox/index.ts';
import type { Store } from '../store/store.ts';

/** What activities work with; only the worker wires real ones. */
export interface Services {
  store: Store;
  models: ModelClient;
  /** By name. */
  agents: Record<string, AnyAgent>;
  writer: ModelRoute;
  /** Null: no second model, so the judge is off. */
  judge: ModelRoute | null;
  sandbox: Pick<Sandbox, 'runCode'>;
  /** Development only: decisions on what is not dangerous count without a signature. */
  unsignedDecisions: boolean;
  log: Logger;
}
