/**
 * The worker is killed (SIGKILL) at every boundary of a refund. Which boundaries there are is written down nowhere: an undisturbed run says
 * every point that it passes, and then the task runs once for each of them. Tasks whose points are near to each other share a worker and die
 * with it, so that the server's timeouts are waited for once and not sixty times.
 */
import { randomUUID } from 'node:crypto';
import { Worker } from '@temporalio/worker';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { approve, newRefund, resultOf, startRefund, type RefundResult } from './refund.ts';
import { startWorld } from './world.ts';

interface KilledRun extends RefundResult {
  signal: string | null;
  recoveryMs: number;
}

const TASKS_PER_WORKER = 17;
const world = await startWorld();
const recoveries = new Map<string, number>();
afterAll(async () => {
  await world.stop();
  const sorted = [...recoveries].toSorted((one, other) => one[1] - other[1]);
  const [quickest, median, slowest] = [sorted[0], sorted[Math.floor(sorted.length / 2)], sorted.at(-1)].map((entry) => entry && `${(entry[1] / 1_000).toFixed(1)} s (${entry[0]})`);
  console.log(`${sorted.length} kills; from SIGKILL to the end of the task: quickest ${quickest}, median ${median}, slowest ${slowest}`);
});

async function runUndisturbed(): Promise<{ result: RefundResult; points: string[] }> {
  const taskQueue = `chaos-${randomUUID()}`;
  const worker = await world.startVictim(taskQueue);
  const refund = await startRefund(world, taskQueue);
  await approve(world, refund.task);
  const result = await resultOf(world, refund);
  await worker.kill();
  return { result, points: worker.points(refund.task.taskId) };
}

/** Runs one task for each point, on one worker that dies when each has come to its own. */
async function runKilled(points: string[]): Promise<Map<string, KilledRun>> {
  const taskQueue = `chaos-${randomUUID()}`;
  const prepared = await Promise.all(points.map(async (point) => ({ point, ...(await newRefund(world)) })));
  const victim = await world.startVictim(taskQueue, Object.fromEntries(prepared.map(({ taskId, point }) => [taskId, point])));
  const running = await Promise.all(prepared.map(async ({ point, ...refund }) => ({ point, refund: await startRefund(world, taskQueue, refund) })));
  const ends = Promise.all(
    running.map(async ({ point, refund }) => {
      let over = false;
      const approved = approve(world, refund.task, () => over);
      const end = await refund.task.result().then(() => Date.now());
      over = true;
      await approved;
      return [point, refund, end] as const;
    }),
  );
  const death = await Promise.race([victim.died, ends.then(() => null)]);
  if (!death) throw new Error(`the tasks ended before their worker came to all of ${points.join('; ')}`);
  const survivor = await world.startSurvivor(taskQueue);
  const runs = await Promise.all(
    (await ends).map(async ([point, refund, end]) => [point, { ...(await resultOf(world, refund)), signal: death.signal, recoveryMs: end - death.at }] as const),
  );
  await survivor.stop();
  return new Map(runs);
}

const { result: undisturbed, points } = await runUndisturbed();

describe('an undisturbed refund', () => {
  it('passes, refunds once and pays each call once', () => {
    expect(undisturbed.outcome).toMatchObject({ outcome: 'passed', reason: 'quality_reached', output: { resolution: 'refund_requested' } });
    expect(undisturbed.refunds).toEqual([15_900]);
    expect(new Set(Object.values(undisturbed.paid))).toEqual(new Set([1]));
  });

  it('comes to every kind of point', () => {
    const kinds = new Set(points.map((point) => point.replace(/ #\d+$/, '')));
    for (const activity of ['loadSnapshot', 'perceive', 'plan', 'decide', 'callTool', 'review', 'evaluate', 'recordApproval', 'closeAttempt', 'closeTask']) {
      expect(kinds).toContain(`before ${activity}`);
      expect(kinds).toContain(`after ${activity}`);
    }
    for (const kind of ['reply received decide', 'reply received judge', 'reply stored', 'call begun, not run', 'effect committed, call not finished', 'call finished'])
      expect(kinds).toContain(kind);
  });
});

describe('the worker is killed', () => {
  const groups = Array.from({ length: Math.ceil(points.length / TASKS_PER_WORKER) }, (_, group) => points.slice(group * TASKS_PER_WORKER, (group + 1) * TASKS_PER_WORKER));
  const runs = groups.map((group) => runKilled(group));
  for (const run of runs) run.catch(() => undefined);

  it.each(points)(
    '%s',
    async (point) => {
      const run = (await runs[Math.floor(points.indexOf(point) / TASKS_PER_WORKER)])!.get(point)!;
      recoveries.set(point, run.recoveryMs);
      expect(run.signal).toBe('SIGKILL');
      expect(run.refunds).toEqual([15_900]);
      expect(run.facts).toEqual(undisturbed.facts);
      expect(Object.keys(run.paid).toSorted()).toEqual(Object.keys(undisturbed.paid).toSorted());
      // between its arrival and its commit a paid answer is lost, and asked for once more: there, and nowhere else
      const isLost = point.startsWith('reply received');
      expect(Object.values(run.paid).filter((count) => count !== 1)).toEqual(isLost ? [2] : []);
      expect(run.lost).toEqual(isLost ? [{ costMicros: expect.any(Number), estimated: true }] : []);
      expect(run.outcome.usage.costMicros - undisturbed.outcome.usage.costMicros).toBe(isLost ? run.lost[0]!.costMicros : 0);
    },
    120_000,
  );

  it('and every history of these tasks replays', async () => {
    const tasks = [undisturbed, ...(await Promise.all(runs)).flatMap((group) => [...group.values()])];
    const histories = (async function* () {
      for (const { taskId } of tasks) yield { workflowId: taskId, history: await world.temporal.workflow.getHandle(taskId).fetchHistory() };
    })();
    const replayed: string[] = [];
    for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle: { codePath: inject('workflowBundle') } }, histories)) {
      expect(error).toBeUndefined();
      replayed.push(workflowId);
    }
    expect(replayed).toHaveLength(points.length + 1);
  }, 120_000);
});
