import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../../../src/tools/define-tool.ts';
import { answerWith, callTool } from '../../support/agents.ts';
import { until } from '../../support/loop.ts';
import { pendingApproval, resultsSent, startReports, type Reports } from './probes.ts';

function transfer(effects: number[]) {
  return defineTool({
    name: 'transfer',
    version: '1.0.0',
    releasedAt: '2026-01-01',
    description: 'Transfers money.',
    input: z.strictObject({ amount: z.int() }),
    output: z.object({ done: z.boolean() }),
    risk: 'dangerous',
    timeoutMs: 5_000,
    execute: async ({ amount }) => {
      effects.push(amount);
      return { done: true };
    },
  });
}

/** At the client; what REST, the web card and the long poll make of it comes with the gateway (issue C). */
describe.concurrent('people', () => {
  let reports: Reports;
  beforeAll(async () => {
    reports = await startReports();
  });
  afterAll(() => reports.loop.stop());

  it('HITL-01 equal calls of one turn are approved each on its own', async () => {
    const effects: number[] = [];
    const paying = reports.probe('hitl01', { tools: [transfer(effects)] }, (request) =>
      request.toolResults().length > 0 ? answerWith('good') : { toolCalls: [9, 9, 9].flatMap((amount) => callTool('transfer', { amount }).toolCalls) },
    );
    const task = await paying.start();
    const approvals = await until('three approvals', async () => {
      const all = (await task.state()).approvals;
      return all.length === 3 ? all : null;
    });
    expect(new Set(approvals.map((approval) => approval.id)).size).toBe(3);
    expect(new Set(approvals.map((approval) => approval.hash)).size).toBe(1);
    const [first, second, third] = approvals;
    await task.decide({ approvalId: first!.id, decision: 'approve', hash: first!.hash, by: 'carol' });
    await task.decide({ approvalId: second!.id, decision: 'reject', hash: second!.hash, by: 'carol', reason: 'once is enough' });
    await until('the first call', () => effects.length === 1);
    expect((await task.state()).approvals.map((approval) => approval.status)).toEqual(['approved', 'rejected', 'pending']);
    await expect(task.decide({ approvalId: second!.id, decision: 'approve', hash: second!.hash, by: 'dave' })).rejects.toMatchObject({ code: 'already_decided' });
    expect(effects).toEqual([9]);
    expect(paying.requests()).toHaveLength(1);
    await task.decide({ approvalId: third!.id, decision: 'approve', hash: third!.hash, by: 'carol' });
    expect(await task.result()).toMatchObject({ outcome: 'passed', toolCalls: 2 });
    expect(effects).toEqual([9, 9]);
    const results = resultsSent(paying.requests()[1]);
    expect(results.map((text) => (text.includes('"done":true') ? 'ran' : text))).toEqual(['ran', expect.stringMatching(/"code":"rejected".*once is enough/), 'ran']);
    expect((await reports.view(task.taskId)).attempts[0]!.toolCalls.map((call) => call.status)).toEqual(['success', 'denied', 'success']);
  });

  it("HITL-06 a caller who stops waiting takes nothing from an approval's life", async () => {
    const effects: number[] = [];
    const paying = reports.probe('hitl06', { tools: [transfer(effects)], limits: { approvalTimeoutMs: 300_000 } }, (request) =>
      request.toolResults().length > 0 ? answerWith('good') : callTool('transfer', { amount: 5 }),
    );
    const task = await paying.start();
    const approval = await pendingApproval(task);
    const { temporal } = reports.loop;
    // three callers who wait for a second and go: on the result, on the state, on the events
    const polls = [
      temporal.withDeadline(Date.now() + 1_000, () => temporal.workflow.getHandle(task.taskId).result()),
      temporal.withDeadline(Date.now() + 1, () => temporal.workflow.getHandle(task.taskId).query('state')),
      (async () => {
        const end = Date.now() + 1_000;
        for await (const event of task.events(50)) {
          if (event.type === 'task-closed' || Date.now() > end) return;
          if (event.type === 'approval-opened') break;
        }
        throw new Error('went away');
      })(),
    ];
    const ended = await Promise.allSettled(polls);
    expect(ended.map((each) => each.status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect((await task.state()).approvals).toMatchObject([{ id: approval.id, status: 'pending', decision: null, expiresAt: approval.expiresAt }]);
    expect(approval.expiresAt - approval.createdAt).toBe(300_000);
    expect(await task.decide({ approvalId: approval.id, decision: 'approve', hash: approval.hash, by: 'carol' })).toMatchObject({ status: 'approved' });
    expect(await task.result()).toMatchObject({ outcome: 'passed', toolCalls: 1 });
    expect(effects).toEqual([5]);
    expect((await reports.view(task.taskId)).approvals).toMatchObject([{ status: 'approved', decision: { by: 'carol', via: 'update' } }]);
  });

  it('HITL-07 what expired was not run, will not be run, and nobody is told otherwise', async () => {
    const effects: number[] = [];
    const paying = reports.probe('hitl07', { tools: [transfer(effects)], limits: { approvalTimeoutMs: 2_000 } }, (request) =>
      request.toolResults().length > 0 ? { ...answerWith('good'), delayMs: 4_000 } : callTool('transfer', { amount: 7 }),
    );
    const task = await paying.start();
    const approval = await pendingApproval(task);
    const told = await until('the model to be told', () => resultsSent(paying.requests()[1])[0]);
    expect(Date.now() - approval.createdAt).toBeLessThan(5_000);
    expect(told).toMatch(/"status":"denied","code":"approval_expired".*was not run and will not be run/);
    const late = { approvalId: approval.id, decision: 'approve' as const, hash: approval.hash, by: 'carol' };
    await until('4 s', () => Date.now() - approval.createdAt > 4_000);
    await expect(task.decide(late)).rejects.toMatchObject({ name: 'RefusedError', code: 'expired' });
    await reports.loop.temporal.workflow.getHandle(task.taskId).signal('decide', late);
    const outcome = await task.result();
    expect(outcome).toMatchObject({ outcome: 'passed', toolCalls: 0 });
    await expect(task.decide(late)).rejects.toMatchObject({ name: 'RefusedError' });
    expect(effects).toEqual([]);
    const { approvals, refusals, attempts } = await reports.view(task.taskId);
    // a silence is never written down as somebody's rejection
    expect(approvals).toMatchObject([{ status: 'expired', decision: { by: 'timeout', via: 'timeout' } }]);
    // a refused Update leaves no trace in the workflow; the gateway audits it (issue C)
    expect(refusals).toMatchObject([{ message: 'decide', code: 'expired', text: expect.stringContaining(approval.id) }]);
    expect(attempts[0]!.toolCalls).toMatchObject([{ tool: 'transfer', status: 'denied', code: 'approval_expired', executions: 0 }]);
  });
});
