import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Approval } from '../../src/contracts/approval.ts';
import { defineEvaluator } from '../../src/evaluation/define-evaluator.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import { answerWith, callTool, readNote, saysGood } from '../support/agents.ts';
import { until } from '../support/loop.ts';
import { growUntilNextRun, pendingApproval, startReports, type Reports } from './reports/probes.ts';

const tool = {
  version: '1.0.0',
  releasedAt: '2026-01-01',
  timeoutMs: 20_000,
  input: z.strictObject({ n: z.number().optional(), to: z.string().optional() }),
  output: z.object({ ok: z.boolean() }),
};
const boss = defineEvaluator<never, never>({ name: 'boss', kind: 'human', hard: true });
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Ways in which a task lost a message or an answer, or never ended. */
describe.concurrent('endings', () => {
  let reports: Reports;
  beforeAll(async () => {
    reports = await startReports();
  });
  afterAll(() => reports.loop.stop());
  const notes = (count: number) => (request: { calls(): unknown[] }) =>
    request.calls().length < count ? callTool('read_note', { name: `n${request.calls().length}` }) : answerWith('good');

  it('says what a person wrote in place of the output', async () => {
    const task = await reports.probe('own words', { evaluators: [saysGood, boss] as never }, () => answerWith('good draft')).start();
    const { id, hash } = await pendingApproval(task);
    await task.decide({ approvalId: id, decision: 'respond', hash, by: 'boss', value: 'My own words.' });
    expect(await task.result()).toMatchObject({ outcome: 'passed', reason: 'answered_by_person', text: 'My own words.' });
  });

  it("takes a person's edit of an output for a verdict", async () => {
    const task = await reports.probe('edited output', { evaluators: [saysGood, boss] as never, limits: { maxAttempts: 1 } }, () => answerWith('good draft')).start();
    const { id, hash } = await pendingApproval(task);
    await task.decide({ approvalId: id, decision: 'edit', hash, by: 'boss', value: { text: 'good and short' } });
    await task.result();
    const verdicts = (await reports.view(task.taskId)).attempts[0]!.verdicts.filter(({ evaluator }) => evaluator === 'boss');
    expect(verdicts).toMatchObject([{ status: 'judged', passed: false, evidence: expect.stringContaining('good and short') }]);
  });

  it('is cancelled by a message that was there before its first step', async () => {
    const { name } = reports.probe('cancelled first', {}, notes(3));
    const workflow = await reports.loop.temporal.workflow.signalWithStart('agentTask', {
      workflowId: `cancelled-first-${reports.loop.taskQueue}`,
      taskQueue: reports.loop.taskQueue,
      args: [{ agent: name, input: { task: 'x' }, limits: {}, parameters: {} }],
      signal: 'cancel',
      signalArgs: ['not needed'],
    });
    expect(await workflow.result()).toMatchObject({ outcome: 'cancelled', explanation: expect.stringContaining('not needed') });
    expect((await reports.view(workflow.workflowId)).task).toMatchObject({ outcome: 'cancelled', phase: 'closed' });
  });

  it('is cancelled while its state is saved for the next run', async () => {
    const { checkpoints } = reports.loop.services.store;
    const save = checkpoints.save.bind(checkpoints);
    let saving = false;
    const taskId = `cancelled-saving-${reports.loop.taskQueue}`;
    checkpoints.save = async (checkpoint, ...more) => {
      if (checkpoint.taskId === taskId) {
        saving = true;
        await wait(1_500);
      }
      return save(checkpoint, ...more);
    };
    const task = await reports.probe('cancelled saving', { tools: [readNote], limits: { turnsPerRun: 1, maxTurns: 5 } }, notes(2)).start({ taskId });
    await until('the save', () => saving);
    await task.cancel({ reason: 'stop' });
    expect(await task.result()).toMatchObject({ outcome: 'cancelled', explanation: expect.stringContaining('stop') });
  });

  it('keeps what was done when Temporal cancels a run that has not taken up its state', async () => {
    const { checkpoints } = reports.loop.services.store;
    const get = checkpoints.get.bind(checkpoints);
    let isDown = true;
    let asked = 0;
    const taskId = `cancelled-taking-up-${reports.loop.taskQueue}`;
    checkpoints.get = async (id, ...more) => {
      if (id !== taskId || !isDown) return get(id, ...more);
      asked += 1;
      throw Object.assign(new Error('down'), { code: 'ECONNREFUSED' });
    };
    const task = await reports.probe('cancelled taking up', { tools: [readNote], limits: { turnsPerRun: 1, maxTurns: 9 } }, notes(3)).start({ taskId });
    await until('the load', () => asked > 1);
    await reports.loop.temporal.workflow.getHandle(taskId).cancel();
    await wait(500);
    isDown = false;
    expect(await task.result()).toMatchObject({ outcome: 'cancelled', turns: 1, toolCalls: 1 });
    expect((await reports.view(taskId)).task).toMatchObject({ outcome: 'cancelled', turns: 1, toolCalls: 1 });
  });

  it('ends with facts when a worker no longer has the agent', async () => {
    const pay = defineTool({ ...tool, name: 'pay', description: 'Pays.', risk: 'dangerous', execute: async () => ({ ok: true }) });
    const probe = reports.probe('agent gone', { tools: [pay] }, (request) => (request.calls().length === 0 ? callTool('pay', {}) : answerWith('good')));
    const task = await probe.start();
    const { id, hash } = await pendingApproval(task);
    delete reports.loop.services.agents[probe.name];
    await task.decide({ approvalId: id, decision: 'edit', hash, by: 'boss', value: { n: 1 } });
    expect(await task.result()).toMatchObject({ outcome: 'failed', reason: 'unknown_agent' });
    expect((await reports.view(task.taskId)).task).toMatchObject({ outcome: 'failed' });
  });

  it("ends when the agent's own functions fail", async () => {
    const boom = () => {
      throw new Error('boom');
    };
    const remembering = reports.probe('memory fails', { memory: { situation: boom, fix: () => null, reward: () => 0 } as never }, () => answerWith('good'));
    const rendering = reports.probe('rendering fails', { renderOutput: boom, evaluators: [] }, () => answerWith('good'));
    let calls = 0;
    const late = reports.probe(
      'memory fails late',
      {
        memory: {
          situation: () => {
            calls += 1;
            return calls > 1 ? boom() : '';
          },
          fix: () => null,
          reward: () => 0,
        } as never,
      },
      () => answerWith('good'),
    );
    const outcomes = await Promise.all([remembering.run(), rendering.run(), late.run()]);
    expect(outcomes).toMatchObject([
      { outcome: 'failed', reason: 'internal_error' },
      { outcome: 'failed', reason: 'internal_error' },
      { outcome: 'passed', text: 'good' },
    ]);
  });

  it('refuses waits beyond any date', async () => {
    const outcome = await reports.probe('endless wait', {}, () => answerWith('good')).run({ limits: { approvalTimeoutMs: Number.MAX_SAFE_INTEGER } });
    expect(outcome).toMatchObject({ outcome: 'failed', reason: 'invalid_input' });
  });

  it('fails once, by name, when it is started with what is no task', async () => {
    for (const [index, args] of [[], [null], ['hello'], [{ agent: 5 }], [{ agent: 'x'.repeat(3_000), input: 1 }]].entries()) {
      const workflow = await reports.loop.temporal.workflow.start('agentTask', {
        workflowId: `malformed-${index}-${reports.loop.taskQueue}`,
        taskQueue: reports.loop.taskQueue,
        args,
      });
      await expect(workflow.result()).rejects.toMatchObject({ cause: { message: expect.stringContaining('A task is started with') } });
    }
  });

  it('holds only as many waiting messages as a checkpoint can carry, however they are escaped', async () => {
    const releases = new Map<string, () => void>();
    const slow = defineTool({
      ...tool,
      name: 'slow',
      description: 'Slow.',
      risk: 'read',
      execute: async (_input, { taskId }) => {
        await new Promise<void>((resolve) => releases.set(taskId, resolve));
        return { ok: true };
      },
    });
    const probe = reports.probe('escapes', { tools: [slow], limits: { turnsPerRun: 1, maxTurns: 9, maxTotalTokens: 1_000_000_000, maxCostMicros: 1_000_000_000_000 } }, (request) =>
      request.calls().length === 0 ? callTool('slow', {}) : answerWith('good'),
    );
    const texts = ['"'.repeat(7_900), '\u0001'.repeat(7_900), '汉'.repeat(7_900)];
    await Promise.all(
      texts.map(async (text) => {
        const task = await probe.start();
        const release = await until('the tool', () => releases.get(task.taskId));
        let taken = 0;
        await expect(
          (async () => {
            for (; taken < 40; taken += 1) await task.message(text);
          })(),
        ).rejects.toMatchObject({ code: 'too_many' });
        release();
        expect(taken).toBeGreaterThan(3);
        expect((await task.result()).reason).not.toBe('internal_error');
      }),
    );
  }, 120_000);

  it('keeps secrets of later messages from the model', async () => {
    const probe = reports.probe('secret message', { tools: [readNote] }, (request) =>
      request.users().some((text) => text.includes('my key')) ? answerWith('good') : callTool('read_note', { name: `n${request.calls().length}` }),
    );
    const task = await probe.start({ limits: { maxTurns: 100 } });
    await task.message('my key is sk-abcdefghijklmnopqrstuvwx and password=hunter2hunter2');
    await task.result();
    expect(JSON.stringify(probe.requests())).not.toMatch(/hunter2|sk-abcdef/);
  });

  it('does not run an effect twice because one turn asks for it twice', async () => {
    const ran: string[] = [];
    const write = defineTool({
      ...tool,
      name: 'write_once',
      description: 'Writes.',
      risk: 'write',
      execute: async (_input, { callId }) => {
        ran.push(callId);
        return { ok: true };
      },
    });
    const outcome = await reports
      .probe('twins', { tools: [write] }, (request) =>
        request.calls().length === 0
          ? { toolCalls: [...callTool('write_once', { n: 1 }).toolCalls, ...callTool('write_once', { n: 1 }).toolCalls, ...callTool('write_once', { n: 2 }).toolCalls] }
          : answerWith('good'),
      )
      .run();
    expect(outcome.outcome).toBe('passed');
    expect(ran.toSorted()).toEqual(['a1.t1.c1', 'a1.t1.c3']);
  });

  it("never runs an approval's call with other arguments after a roll-over", async () => {
    const paid: unknown[] = [];
    const payWith = (to: string) =>
      defineTool({
        ...tool,
        name: 'pay',
        description: 'Pays.',
        risk: 'dangerous',
        input: z.strictObject({ n: z.number(), to: z.string().default(to) }) as never,
        execute: async (input) => {
          paid.push(input);
          return { ok: true };
        },
      });
    const probe = reports.probe('other bytes', { tools: [payWith('ann')] as never }, (request) => (request.calls().length === 0 ? callTool('pay', { n: 9 }) : answerWith('good')));
    const task = await probe.start();
    const first = await pendingApproval(task);
    // a deployment changes the default while the task waits, and its history grows until it rolls over
    reports.loop.services.agents[probe.name] = { ...reports.loop.services.agents[probe.name]!, tools: [payWith('eve')] } as never;
    await growUntilNextRun(reports.loop, task.taskId);
    const second = await until('the approval of what would run now', async () =>
      (await task.state()).approvals.find((approval: Approval) => approval.status === 'pending' && approval.hash !== first.hash),
    );
    expect(second.payload).toBe('{"n":9,"to":"eve"}');
    await expect(task.decide({ approvalId: first.id, decision: 'approve', hash: first.hash, by: 'boss' })).rejects.toMatchObject({ code: 'expired' });
    await task.decide({ approvalId: second.id, decision: 'reject', hash: second.hash, by: 'boss' });
    await task.result();
    expect(paid).toEqual([]);
  }, 120_000);
});
