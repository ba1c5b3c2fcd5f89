import { sql } from 'kysely';
import type { Readiness } from '../contracts/api/identity.ts';
import { coreMigrations } from '../store/migrations/index.ts';
import type { GatewayServices } from './services.ts';

type Check = Readiness['checks']['database'];

/** Of Temporal's task queue types, the one of workflows. */
const WORKFLOW_QUEUE = 1;
/** A table that is locked for longer is not in use, ms. */
const LOCKED_MS = 500;
/** A check that takes longer has failed, ms. */
const CHECK_MS = 3_000;

/** Asks each part; says what is wrong where something is. */
export async function checkReadiness(services: Pick<GatewayServices, 'store' | 'temporal' | 'taskQueue'>): Promise<Readiness> {
  const { store, temporal, taskQueue } = services;
  const [database, migrations, server, workers] = await Promise.all([
    check('PostgreSQL', async () => {
      await sql`select 1`.execute(store.database);
      // a table that is locked answers nobody, and what tasks teach would wait
      await store.experiences.awaitLock(LOCKED_MS);
    }),
    check('Migrations', async () => {
      const { rows } = await sql<{ name: string }>`select name from loopwright_migration`.execute(store.database);
      const missing = Object.keys(coreMigrations).filter((name) => !rows.some((row) => row.name === name));
      if (missing.length > 0) throw new Error(`${missing.join(', ')} did not run: start a worker of this version`);
    }),
    check('Temporal', () =>
      temporal.withDeadline(Date.now() + CHECK_MS, async () => void (await temporal.workflowService.describeNamespace({ namespace: temporal.options.namespace }))),
    ),
    check('Workers', () =>
      temporal.withDeadline(Date.now() + CHECK_MS, async () => {
        const { pollers } = await temporal.workflowService.describeTaskQueue({
          namespace: temporal.options.namespace,
          taskQueue: { name: taskQueue },
          taskQueueType: WORKFLOW_QUEUE,
        });
        if ((pollers ?? []).length === 0) throw new Error(`nobody polls the task queue ${taskQueue}: start a worker`);
      }),
    ),
  ]);
  const checks = { database, migrations, temporal: server, workers };
  return { ready: Object.values(checks).every(({ ok }) => ok), checks };
}

async function check(what: string, work: () => Promise<void>): Promise<Check> {
  try {
    await Promise.race([work(), timeout(what)]);
    return { ok: true, detail: `${what}: ok` };
  } catch (error) {
    return { ok: false, detail: `${what}: ${error instanceof Error ? error.message : String(error)}` };
  }
}

function timeout(what: string): Promise<never> {
  return new Promise((_resolve, reject) => setTimeout(() => reject(new Error(`${what} did not answer within ${CHECK_MS} ms`)), CHECK_MS).unref());
}
