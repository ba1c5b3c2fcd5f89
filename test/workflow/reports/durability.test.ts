import type { temporal } from '@temporalio/proto';
import { Worker } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { createActivities } from '../../../src/activities/index.ts';
import type { AgentTaskActivities } from '../../../src/contracts/activities.ts';
import { defineTool } from '../../../src/tools/define-tool.ts';
import { startWorker, type RunningWorker } from '../../../src/worker.ts';
import { answerWith, callTool } from '../../support/agents.ts';
import { until, type Loop } from '../../support/loop.ts';
import { testNativeConnection } from '../../support/temporal.ts';
import { pendingApproval, sent, startReports, type Reports } from './probes.ts';

const tool = { version: '1.0.0', releasedAt: '2026-01-01', timeoutMs: 5_000 };
/** A tool with an effect, counted by what it was called for. */
function effectTool(name: string, risk: 'read' | 'write' | 'dangerous', effects: string[], polling = false) {
  return defineTool({
    ...tool,
    name,
    risk,
    polling,
    description: `Does ${name}.`,
    input: z.strictObject({ what: z.string() }),
    output: z.object({ done: z.string() }),
    execute: async ({ what }) => {
      effects.push(`${name} ${what}`);
      return { done: what };
    },
  });
}

type History = temporal.api.history.v1.IHistory;
/** Histories of a task's runs, last to first; of so many at most. */
async function runsOf(loop: Loop, taskId: string, most = 10): Promise<History[]> {
  const histories: History[] = [];
  let runId = (await loop.temporal.workflow.getHandle(taskId).describe()).runId as string | undefined | null;
  while (runId && histories.length < most) {
    const history: History = await loop.temporal.workflow.getHandle(taskId, runId).fetchHistory();
    histories.push(history);
    runId = continuedFrom(history);
  }
  return histories;
}

function continuedFrom({ events }: History): string | undefined | null {
  return events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId;
}

async function replays(loop: Loop, taskId: string, most = 10): Promise<void> {
  for (const history of await runsOf(loop, taskId, most)) await Worker.runReplayHistory({ workflowBundle: { codePath: inject('workflowBundle') } }, history, taskId);
}

describe.concurrent('durability', () => {
  let reports: Reports;
  beforeAll(async () => {
    reports = await startReports();
  });
  afterAll(() => reports.loop.stop());

  it('DUR-01 queries between steps change nothing that a replay sees', async () => {
    const effects: string[] = [];
    const own = await startReports();
    try {
      const paying = own.probe('dur01', { tools: [effectTool('look', 'read', effects), effectTool('pay', 'dangerous', effects)] }, (request) => {
        const done = request.toolResults().length;
        return done === 0 ? callTool('look', { what: 'a' }) : done === 1 ? callTool('pay', { what: 'b' }) : done === 2 ? callTool('look', { what: 'c' }) : answerWith('good');
      });
      const task = await paying.start();
      const approval = await pendingApproval(task);
      const query = () => own.loop.temporal.workflow.getHandle(task.taskId).query('state');
      for (let asked = 0; asked < 50; asked += 1) expect(await query()).toMatchObject({ approvals: [{ id: approval.id, status: 'pending' }] });
      await own.loop.restartWorker(); // nothing is in memory any more
      await Promise.all(Array.from({ length: 10 }, query));
      await task.decide({ approvalId: approval.id, decision: 'approve', hash: approval.hash, by: 'carol' });
      expect(await task.result()).toMatchObject({ outcome: 'passed', toolCalls: 3 });
      expect(effects).toEqual(['look a', 'pay b', 'look c']);
      await query();
      await replays(own.loop, task.taskId);
    } finally {
      await own.loop.stop();
    }
  });

  it('DUR-05 messages that come around a roll-over are each read once, in order', async () => {
    const { loop, stop, hooks, probe } = await startHooked();
    try {
      const task = await probe(
        'dur05',
        { tools: [effectTool('poll', 'read', [], true)], limits: { turnsPerRun: 20, maxTurns: 300, maxTotalTokens: 100_000_000, maxCostMicros: 1_000_000_000 } },
        (request) => (numbersIn(request.users()).length >= 100 ? answerWith('good') : callTool('poll', { what: 'mail' })),
      ).start();
      const workflow = loop.temporal.workflow.getHandle(task.taskId);
      let number = 0;
      const send = async (count: number) => {
        for (let index = 0; index < count; index += 1) await workflow.signal('message', { text: `instruction ${(number += 1)}`, by: 'ops' });
      };
      hooks.after('decide', 19, () => send(20)); // in the last turns of the first run
      hooks.before('saveCheckpoint', 1, () => send(20)); // while its state is being saved
      hooks.after('saveCheckpoint', 1, () => send(20)); // saved, and then there is more
      hooks.before('loadSnapshot', 2, () => send(20)); // the next run is there and knows nothing yet
      hooks.after('decide', 22, () => send(20));
      expect(await task.result()).toMatchObject({ outcome: 'passed' });
      const all = Array.from({ length: 100 }, (_, index) => index + 1);
      expect(numbersIn(sent(loop.model.requests.at(-1)).map((message) => message.content ?? ''))).toEqual(all);
      const runs = (await runsOf(loop, task.taskId)).toReversed();
      expect(runs.length).toBeGreaterThanOrEqual(2);
      const signals = runs.map(({ events }) => (events ?? []).filter((event) => event.workflowExecutionSignaledEventAttributes).length);
      expect(signals[0]).toBeGreaterThanOrEqual(60);
      expect(signals.slice(1).reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(40);
      expect((await task.state()).messages).toEqual({ received: 100, waiting: [] });
      await replays(loop, task.taskId);
    } finally {
      await stop();
    }
  });

  it('DUR-05 approvals that wait keep their ids over a roll-over, and nothing runs twice', async () => {
    const effects: string[] = [];
    const { loop, stop, hooks, probe } = await startHooked();
    try {
      const task = await probe('dur05_waiting', { tools: [effectTool('note', 'write', effects), effectTool('pay', 'dangerous', effects)] }, (request) =>
        request.toolResults().length > 0
          ? answerWith('good')
          : { toolCalls: [...callTool('note', { what: 'a' }).toolCalls, ...['b', 'c', 'd'].flatMap((what) => callTool('pay', { what }).toolCalls)] },
      ).start();
      const before = await until('three approvals', async () => {
        const { approvals } = await task.state();
        return approvals.length === 3 ? approvals : null;
      });
      const [first, second, third] = before;
      const approve = (approval: typeof first) => ({ approvalId: approval!.id, decision: 'approve' as const, hash: approval!.hash, by: 'carol' });
      await task.decide(approve(first));
      await until('the first effect', () => effects.length === 2);
      const workflow = loop.temporal.workflow.getHandle(task.taskId);
      const firstRun = (await workflow.describe()).runId;
      const loading = hooks.hold('loadSnapshot', 2);
      // A few messages of a size that is refused make history long enough; one at a time, for a worker can't take more than 4 MB at once.
      for (let sent = 1; sent <= 4; sent += 1) {
        await workflow.signal('message', 'x'.repeat(1_000_000));
        await until('the refusal', async () => (await task.state()).refusals.length === sent);
      }
      await workflow.signal('message', 'x'.repeat(1_000_000));
      await loading.reached;
      await workflow.signal('decide', await task.signed(approve(second))); // the new run does not know its approvals yet
      const answered = task.decide(approve(third));
      loading.release();
      expect(await answered).toMatchObject({ status: 'approved', repeated: false });
      expect(await task.result()).toMatchObject({ outcome: 'passed', toolCalls: 4 });
      expect(effects.toSorted()).toEqual(['note a', 'pay b', 'pay c', 'pay d']);
      // the first run holds more than one answer of the server may, so only the second is read
      const [last] = await runsOf(loop, task.taskId, 1);
      expect(continuedFrom(last!)).toBe(firstRun);
      const { approvals } = await task.state();
      expect(approvals.map(({ id, createdAt, expiresAt }) => ({ id, createdAt, expiresAt }))).toEqual(before.map(({ id, createdAt, expiresAt }) => ({ id, createdAt, expiresAt })));
      expect(loop.model.requests).toHaveLength(2);
      await replays(loop, task.taskId, 1);
    } finally {
      await stop();
    }
  });

  it('DUR-13 one id is one task, whoever starts it how often', async () => {
    const effects: string[] = [];
    const paying = reports.probe('dur13', { tools: [effectTool('pay', 'dangerous', effects)] }, (request) =>
      request.toolResults().length === 0 ? callTool('pay', { what: 'a' }) : answerWith('good'),
    );
    reports.probe('dur13_other', {}, () => answerWith('good'));
    reports.probe('dur13_fields', { input: z.object({ a: z.int(), b: z.object({ c: z.int(), d: z.int() }) }), renderInput: JSON.stringify }, () => answerWith('good'));
    const taskId = `k1-${Math.random()}`;
    const start = (task = 'pay it') => paying.start({ taskId, task });
    const handles = await Promise.all(Array.from({ length: 5 }, () => start()));
    expect(new Set(handles.map((handle) => handle.taskId))).toEqual(new Set([taskId]));
    const approval = await pendingApproval(handles[0]!);
    const runs = async () => (await runsOf(reports.loop, taskId)).length;
    const untouched = async () =>
      expect((await start()).state()).resolves.toMatchObject({ phase: 'waiting_for_person', approvals: [{ id: approval.id, status: 'pending' }], refusals: [] });
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await untouched();
    const reordered = await reports.loop.client.start('dur13_fields', { a: 1, b: { c: 2, d: 3 } }, { taskId: `${taskId}-fields` });
    expect((await reports.loop.client.start('dur13_fields', { b: { d: 3, c: 2 }, a: 1 }, { taskId: reordered.taskId })).taskId).toBe(reordered.taskId);
    await expect(start('pay it twice')).rejects.toMatchObject({ code: 'task_id_taken' });
    await expect(reports.loop.client.start('dur13_other', { task: 'pay it' }, { taskId })).rejects.toMatchObject({ code: 'task_id_taken' });
    await untouched();
    await handles[1]!.decide({ approvalId: approval.id, decision: 'approve', hash: approval.hash, by: 'carol' });
    const outcome = await handles[2]!.result();
    expect(outcome).toMatchObject({ outcome: 'passed', toolCalls: 1 });
    expect(await (await start()).result()).toEqual(outcome);
    await expect(start('pay it twice')).rejects.toMatchObject({ code: 'task_id_taken' });
    expect(effects).toEqual(['pay a']);
    expect(await runs()).toBe(1);
  });
});

/** A loop whose activities can be watched and held: what happens at an exact moment happens there. */
async function startHooked() {
  const parts = await startReports({ worker: false });
  const { loop } = parts;
  const hooks = new Hooks();
  const native = await testNativeConnection();
  const worker: RunningWorker = await startWorker({
    connection: native,
    namespace: inject('temporalNamespace'),
    taskQueue: loop.taskQueue,
    services: loop.services,
    activities: hooks.around(createActivities(loop.services)),
    bundle: { codePath: inject('workflowBundle') },
  });
  const stop = async () => {
    await worker.stop();
    await native.close();
    await loop.stop();
  };
  return { loop, stop, hooks, probe: parts.probe };
}

type Name = keyof AgentTaskActivities;
class Hooks {
  readonly #hooks = new Map<string, () => Promise<unknown>>();
  readonly #counts = new Map<Name, number>();

  before(name: Name, call: number, work: () => Promise<unknown>): void {
    this.#hooks.set(`before ${name} ${call}`, work);
  }
  after(name: Name, call: number, work: () => Promise<unknown>): void {
    this.#hooks.set(`after ${name} ${call}`, work);
  }
  hold(name: Name, call: number): { reached: Promise<void>; release: () => void } {
    const reached = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    this.before(name, call, () => {
      reached.resolve();
      return released.promise;
    });
    return { reached: reached.promise, release: released.resolve };
  }

  around(activities: AgentTaskActivities): AgentTaskActivities {
    return Object.fromEntries(
      Object.entries(activities).map(([name, run]) => [
        name,
        async (input: never) => {
          const call = (this.#counts.get(name as Name) ?? 0) + 1;
          this.#counts.set(name as Name, call);
          await this.#hooks.get(`before ${name} ${call}`)?.();
          const result = await (run as (input: never) => Promise<unknown>)(input);
          await this.#hooks.get(`after ${name} ${call}`)?.();
          return result;
        },
      ]),
    ) as unknown as AgentTaskActivities;
  }
}

function numbersIn(texts: string[]): number[] {
  return texts.flatMap((text) => (/^instruction (\d+)$/.exec(text) ? [Number(text.slice('instruction '.length))] : []));
}
