/**
 * The worker is killed (SIGKILL) at every boundary of a refund. Which boundaries there are is written down nowhere: an undisturbed run says
 * every point that it passes. Then tasks share a worker and die with it, each at a point of its own; the next worker dies when each has come to a
 * later one, and so on, so that all points are died at once and the server's timeouts are waited for a few times only.
 */
import { randomUUID } from 'node:crypto';
import { Worker } from '@temporalio/worker';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { approve, newRefund, resultOf, startRefund, type Refund, type RefundResult } from './refund.ts';
import { startWorld, type Point, type Victim } from './world.ts';

interface Death {
  signal: string | null;
  /** From the SIGKILL to the first thing that the next worker does for the task, ms; to the task's end after the last death. */
  recoveryMs: number;
}

interface KilledTask {
  /** Where it died, in order. */
  points: Point[];
  deaths: Death[];
  result: RefundResult;
}

/** Deaths of one task. */
const ROUNDS = 3;
const world = await startWorld();
const taskQueue = `chaos-${randomUUID()}`;
const recoveries: [name: string, ms: number][] = [];
afterAll(async () => {
  await world.stop();
  const sorted = recoveries.toSorted((one, other) => one[1] - other[1]);
  const [quickest, median, slowest] = [sorted[0], sorted[Math.floor(sorted.length / 2)], sorted.at(-1)].map((entry) => entry && `${(entry[1] / 1_000).toFixed(1)} s (${entry[0]})`);
  console.log(`${sorted.length} kills; from SIGKILL until the task goes on: quickest ${quickest}, median ${median}, slowest ${slowest}`);
});

async function runUndisturbed(): Promise<{ result: RefundResult; points: Point[]; worker: Victim }> {
  const worker = await world.startVictim(taskQueue);
  const refund = await startRefund(world, taskQueue);
  await approve(world, refund.task);
  return { result: await resultOf(world, refund), points: worker.points(refund.task.taskId), worker };
}

/** Runs tasks, each of which dies at points far from one another, on workers that die when each has come to its next. */
async function runKilled(first: Victim): Promise<KilledTask[]> {
  const prepared = await Promise.all(Array.from({ length: TASKS }, () => newRefund(world)));
  const pointsOf = (index: number): Point[] => points.filter((_, place) => place % TASKS === index);
  const killAt = (round: number): Record<string, string> =>
    Object.fromEntries(prepared.flatMap(({ taskId }, index) => (pointsOf(index)[round] ? [[taskId, pointsOf(index)[round]!.place]] : [])));
  first.killAt(killAt(0));
  const refunds = await Promise.all(prepared.map((refund) => startRefund(world, taskQueue, refund)));
  const ends = Promise.all(refunds.map(approvedEnd));

  const victims = [first];
  const deaths: Awaited<Victim['died']>[] = [];
  for (let round = 0; ; round += 1) {
    const death = await Promise.race([victims[round]!.died, ends.then(() => null)]);
    if (!death) throw new Error(`the tasks ended before their worker came to all of ${JSON.stringify(killAt(round))}`);
    deaths.push(death);
    if (Object.keys(killAt(round + 1)).length === 0) break;
    victims.push(await world.startVictim(taskQueue, killAt(round + 1)));
  }
  const survivor = await world.startSurvivor(taskQueue);
  const endedAt = await ends;
  const tasks = await Promise.all(
    refunds.map(async (refund, index): Promise<KilledTask> => {
      const goesOnAt = (round: number): number => victims[round + 1]?.points(refund.task.taskId)[0]?.at ?? endedAt[index]!;
      const own = deaths.slice(0, pointsOf(index).length).map(({ signal, at }, round) => ({ signal, recoveryMs: goesOnAt(round) - at }));
      return { points: pointsOf(index), deaths: own, result: await resultOf(world, refund) };
    }),
  );
  await survivor.stop();
  return tasks;
}

/** Approves it as soon as it asks; when it ended, Unix ms. */
async function approvedEnd({ task }: Refund): Promise<number> {
  let over = false;
  const approved = approve(world, task, () => over);
  const end = await task.result().then(() => Date.now());
  over = true;
  await approved;
  return end;
}

const { result: undisturbed, points, worker } = await runUndisturbed();
const TASKS = Math.ceil(points.length / ROUNDS);

describe('an undisturbed refund', () => {
  it('passes, refunds once and pays each call once', () => {
    expect(undisturbed.outcome).toMatchObject({ outcome: 'passed', reason: 'quality_reached', output: { resolution: 'refund_requested' } });
    expect(undisturbed.refunds).toEqual([15_900]);
    expect(new Set(Object.values(undisturbed.paid))).toEqual(new Set([1]));
  });

  it('comes to every kind of point', () => {
    const kinds = new Set(points.map(({ place }) => place.replace(/ @\d+$/, '')));
    for (const activity of ['loadSnapshot', 'perceive', 'plan', 'decide', 'callTool', 'review', 'evaluate', 'recordApproval', 'closeAttempt', 'closeTask']) {
      expect(kinds).toContain(`before ${activity}`);
      expect(kinds).toContain(`after ${activity}`);
    }
    for (const kind of ['reply received decide', 'reply received judge', 'reply stored', 'call begun, not run', 'effect committed, call not finished', 'call finished'])
      expect(kinds).toContain(kind);
  });
});

describe('the worker is killed', () => {
  const running = runKilled(worker);
  running.catch(() => undefined);

  it.each(points.map((point, index) => ({ name: point.point, index })))(
    '$name',
    async ({ name, index }) => {
      const { deaths, result } = (await running)[index % TASKS]!;
      const death = deaths[Math.floor(index / TASKS)]!;
      recoveries.push([name, death.recoveryMs]);
      expect(death.signal).toBe('SIGKILL');
      expect(result.refunds).toEqual([15_900]);
      expect(result.facts).toEqual(undisturbed.facts);
    },
    180_000,
  );

  it('and what was paid and stored is not paid again', async () => {
    for (const { points: died, result } of await running) {
      expect(Object.keys(result.paid).toSorted()).toEqual(Object.keys(undisturbed.paid).toSorted());
      // between its arrival and its commit a paid answer is lost, and asked for once more: there, and nowhere else
      const lost = died.filter(({ point }) => point.startsWith('reply received'));
      expect(Object.values(result.paid).filter((count) => count !== 1)).toEqual(lost.map(() => 2));
      expect(result.lost).toEqual(lost.map(() => ({ costMicros: expect.any(Number), estimated: true })));
      expect(result.outcome.usage.costMicros - undisturbed.outcome.usage.costMicros).toBe(result.lost.reduce((sum, { costMicros }) => sum + costMicros, 0));
    }
  });

  it('and every history of these tasks replays', async () => {
    const tasks = [undisturbed, ...(await running).map(({ result }) => result)];
    const histories = (async function* () {
      for (const { taskId } of tasks) yield { workflowId: taskId, history: await world.temporal.workflow.getHandle(taskId).fetchHistory() };
    })();
    const replayed: string[] = [];
    for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle: { codePath: inject('workflowBundle') } }, histories)) {
      expect(error).toBeUndefined();
      replayed.push(workflowId);
    }
    expect(replayed).toHaveLength(TASKS + 1);
  }, 120_000);
});
