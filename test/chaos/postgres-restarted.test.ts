/** Postgres stops in the middle of three tasks and starts again on its folder and port, after longer than a few quick retries would bridge. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPostgres, type EmbeddedPostgres } from '../../src/store/embedded-postgres.ts';
import type { StoredApproval } from '../../src/store/approvals.ts';
import { copyCluster } from '../support/cluster.ts';
import { until } from '../support/loop.ts';
import { approve, decideIfKnown, newRefund, resultOf, startRefund, type Refund, type RefundResult } from './refund.ts';
import { startWorld, type World } from './world.ts';
import { fastFolder } from '../support/fast-folder.ts';

const DOWN_MS = 4_000;

describe('Postgres is stopped and started', () => {
  let dataDirectory: string;
  let postgres: EmbeddedPostgres;
  let world: World;
  /** Of tasks that are in the middle of something when the one restart comes. */
  let results: Record<'answering' | 'refunding' | 'deciding', Promise<RefundResult>>;
  const taskQueue = `chaos-${randomUUID()}`;
  const start = () => startPostgres({ dataDirectory, port: 20_000 + (process.pid % 10_000) + 1, log: () => {}, settings: { fsync: 'off' } });

  beforeAll(async () => {
    dataDirectory = await mkdtemp(join(fastFolder(), 'loopwright-chaos-'));
    await copyCluster(dataDirectory);
    postgres = await start();
    world = await startWorld({ adminUrl: postgres.url });
    await world.startSurvivor(taskQueue);
    const [refunding, deciding] = await Promise.all([startRefunding(), startDeciding()]);
    const answering = await startAnswering();
    const restarted = restart();
    results = {
      answering: restarted.then(() => approve(world, answering.task)).then(() => resultOf(world, answering)),
      refunding: restarted.then(() => resultOf(world, refunding)),
      deciding: Promise.all([decideWhileGone(deciding), restarted]).then(() => resultOf(world, deciding.refund)),
    };
    await Promise.allSettled(Object.values(results));
  });
  afterAll(async () => {
    await world?.stop();
    await postgres?.stop();
    await rm(dataDirectory, { recursive: true, force: true });
  });

  async function restart(): Promise<void> {
    await postgres.stop();
    await sleep(DOWN_MS);
    const { url } = postgres;
    postgres = await start();
    expect(postgres.url).toBe(url);
  }

  /** Its model has been asked, and answers when there is no store. */
  async function startAnswering(): Promise<Refund> {
    const given = await newRefund(world);
    const key = `${given.taskId}/decide.a1.t1`;
    world.model.faults.push({ delayMs: 1_000, when: (request) => request.key === key });
    const refund = await startRefund(world, taskQueue, given);
    await until('the model call', () => world.model.countByKey(key) === 1);
    return refund;
  }

  /** Its refund waits, in a transaction, for an order that somebody else holds. */
  async function startRefunding(): Promise<Refund> {
    const refund = await startRefund(world, taskQueue);
    await until('the approval', async () => (await world.database.store.approvals.listByTask(refund.task.taskId)).length > 0);
    const order = new pg.Client({ connectionString: world.database.url });
    order.on('error', () => {});
    await order.connect();
    await order.query('BEGIN');
    await order.query('SELECT 1 FROM support_order WHERE order_id = $1 FOR UPDATE', [refund.orderId]);
    await approve(world, refund.task);
    await until('the refund to wait for the order', async () => {
      const { rowCount } = await order.query(`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`);
      return rowCount === 1;
    });
    return refund;
  }

  interface Deciding {
    refund: Refund;
    approval: StoredApproval;
  }

  async function startDeciding(): Promise<Deciding> {
    const refund = await startRefund(world, taskQueue);
    return { refund, approval: await until('the approval', async () => (await world.database.store.approvals.listByTask(refund.task.taskId))[0]) };
  }

  async function decideWhileGone({ refund, approval }: Deciding): Promise<void> {
    await until(
      'Postgres to be gone',
      async () =>
        !(await world.database.store.tasks.get(refund.task.taskId).then(
          () => true,
          () => false,
        )),
    );
    await until('the decision', () => decideIfKnown(refund.task, { approvalId: approval.id, decision: 'approve', hash: approval.hash, by: 'approver', reason: '未发货' }));
  }

  function expectDone(result: RefundResult): void {
    expect(result.outcome).toMatchObject({ outcome: 'passed', reason: 'quality_reached', output: { resolution: 'refund_requested' } });
    expect(result.refunds).toEqual([15_900]);
  }

  it("while a model answers: an answer that can't be stored is asked for again when there is a store, and each stored one is paid once", async () => {
    const result = await results.answering;
    expectDone(result);
    const { 'decide.a1.t1': lost, ...others } = result.paid;
    expect(lost).toBeGreaterThan(1);
    expect(new Set(Object.values(others))).toEqual(new Set([1]));
  });

  it('while the refund runs: it is made once', async () => {
    const result = await results.refunding;
    expectDone(result);
    expect(new Set(Object.values(result.paid))).toEqual(new Set([1]));
  });

  it('while an approval is decided: the decision holds', async () => {
    expectDone(await results.deciding);
  });
});
