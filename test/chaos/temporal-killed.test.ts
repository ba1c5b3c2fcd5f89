/** The Temporal server is killed (SIGKILL) and started again on its file and port; the worker and the waiting client live on. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { isAlive } from '../../src/dev/processes.ts';
import { startTemporalServer, type TemporalServer } from '../../src/dev/temporal-server.ts';
import { until } from '../support/loop.ts';
import { approve, newRefund, resultOf, startRefund } from './refund.ts';
import { startWorld, type World } from './world.ts';
import { fastFolder } from '../support/fast-folder.ts';

describe('the Temporal server is killed', () => {
  let home: string;
  let server: TemporalServer;
  let world: World;
  const taskQueue = `chaos-${randomUUID()}`;

  // below the ports that systems give to outgoing connections: between the two starts nobody else may get it
  beforeAll(async () => {
    home = await mkdtemp(join(fastFolder(), 'loopwright-chaos-'));
    server = await startTemporalServer({ binary: inject('temporalBinary'), home, preferredPort: 20_000 + (process.pid % 10_000) });
    world = await startWorld({ address: server.address });
    await world.startSurvivor(taskQueue);
  });
  afterAll(async () => {
    await world?.stop();
    await server?.stop();
    await rm(home, { recursive: true, force: true });
  });

  async function kill(): Promise<void> {
    process.kill(server.pid, 'SIGKILL');
    await until('the server to be gone', () => !isAlive(server.pid));
  }

  async function startAgain(): Promise<void> {
    const { address } = server;
    server = await startTemporalServer({ binary: inject('temporalBinary'), home, preferredPort: Number(address.split(':')[1]) });
    expect(server.address).toBe(address);
  }

  async function expectDone(result: Awaited<ReturnType<typeof resultOf>>): Promise<void> {
    expect(result.outcome).toMatchObject({ outcome: 'passed', reason: 'quality_reached', output: { resolution: 'refund_requested' } });
    expect(result.refunds).toEqual([15_900]);
    expect(new Set(Object.values(result.paid))).toEqual(new Set([1]));
  }

  it('while a task waits for an approval', async () => {
    const refund = await startRefund(world, taskQueue);
    const result = resultOf(world, refund);
    await until('the approval', async () => (await world.database.store.approvals.listByTask(refund.task.taskId)).length > 0);
    await kill();
    await startAgain();
    await approve(world, refund.task);
    await expectDone(await result);
  });

  it('while a model answers: its answer comes when there is no server to tell', async () => {
    const given = await newRefund(world);
    const isDecide = (key: string): boolean => key === `${given.taskId}/decide.a1.t1`;
    world.model.faults.push({ delayMs: 1_500, when: (request) => isDecide(request.key) });
    const refund = await startRefund(world, taskQueue, given);
    const result = resultOf(world, refund);
    const asked = await until('the model call', () => world.model.requests.find(({ key }) => isDecide(key)));
    await kill();
    expect(asked.status).toBeNull();
    await until('the answer to be stored', () => world.database.store.modelReplies.get(asked.key));
    await startAgain();
    await approve(world, refund.task);
    await expectDone(await result);
  });
});
