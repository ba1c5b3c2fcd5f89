/** Who decides, when: four eyes, escalation, reminders, defaults by tier, edits. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { RefusedError, type TaskHandle } from '../../src/client.ts';
import type { Approval, Decide } from '../../src/contracts/approval.ts';
import { defineEvaluator } from '../../src/evaluation/define-evaluator.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import { answerWith, callTool } from '../support/agents.ts';
import { until } from '../support/loop.ts';
import { transferTool } from '../support/payments.ts';
import { pendingApproval, resultsSent, startReports, type Probe, type Reports } from './reports/probes.ts';

const person = defineEvaluator<never, never>({ name: 'person', kind: 'human', hard: true });

describe.concurrent('people who decide', () => {
  let reports: Reports;
  beforeAll(async () => {
    reports = await startReports();
  });
  afterAll(() => reports.loop.stop());

  type Agent = Parameters<Reports['probe']>[1];
  /** Pays once, then answers. */
  const paying = (name: string, tool: ReturnType<typeof transferTool>, more: Agent = {}): Probe =>
    reports.probe(name, { tools: [tool], ...more }, (request) => (request.toolResults().length > 0 ? answerWith('good') : callTool('transfer', { amount: 9 })));
  const as = (role: string, task: TaskHandle): TaskHandle => reports.loop.clientOf(role).task(task.taskId);
  const answer = (approval: Approval, by: string, more: Partial<Decide> = {}): Decide => ({ approvalId: approval.id, decision: 'approve', hash: approval.hash, by, ...more });
  const refused = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'ok',
      (error: unknown) => (error instanceof RefusedError ? error.code : String(error)),
    );
  const eventsOf = async (taskId: string): Promise<string[]> =>
    (await reports.loop.database.store.taskEvents.listAfter(taskId, 0, 200)).map((event) => event.type).filter((type) => type.startsWith('approval_'));

  it('four eyes: two people who did not ask for it', async () => {
    const effects: number[] = [];
    const probe = paying('four eyes', transferTool(effects), { approvals: { read: 'auto', write: 'auto', dangerous: 'two' } });
    const task = await probe.start({ startedBy: 'zoe' });
    const approval = await pendingApproval(task);
    expect(approval.approvers).toEqual({ quorum: 2, roles: ['approver'], people: null, excludeRequester: true });
    expect(await refused(task.decide(answer(approval, 'zoe')))).toBe('requester');
    expect(await task.decide(answer(approval, 'ann'))).toMatchObject({ status: 'pending', needs: 1, repeated: false });
    expect(await task.decide(answer(approval, 'ann'))).toMatchObject({ status: 'pending', needs: 1, repeated: true });
    expect(await refused(task.decide(answer(approval, 'ann', { decision: 'edit', value: { amount: 1 } })))).toBe('already_voted');
    expect((await task.state()).approvals).toMatchObject([{ status: 'pending', decision: null, votes: [{ by: 'ann', roles: ['approver'] }] }]);
    await until('the vote in its row', async () => (await reports.loop.database.store.approvals.get(task.taskId, approval.id))!.votes.length === 1);
    expect(effects).toEqual([]);
    expect(await task.decide(answer(approval, 'bob'))).toMatchObject({ status: 'approved', needs: 0 });
    expect(await task.result()).toMatchObject({ outcome: 'passed' });
    expect(effects).toEqual([9]);
    expect(await reports.loop.database.store.approvals.get(task.taskId, approval.id)).toMatchObject({ status: 'approved', votes: [{ by: 'ann' }], decision: { by: 'bob' } });
    expect(await eventsOf(task.taskId)).toEqual(['approval_opened', 'approval_voted', 'approval_decided']);
  });

  it('four eyes: one rejection decides', async () => {
    const effects: number[] = [];
    const probe = paying('four eyes reject', transferTool(effects), { approvals: { read: 'auto', write: 'auto', dangerous: 'two' } });
    const task = await probe.start();
    const approval = await pendingApproval(task);
    await task.decide(answer(approval, 'ann'));
    expect(await task.decide(answer(approval, 'bob', { decision: 'reject', reason: 'no budget' }))).toMatchObject({ status: 'rejected', needs: 0 });
    await task.result();
    expect(resultsSent(probe.requests()[1])[0]).toMatch(/"code":"rejected".*no budget/);
    expect(effects).toEqual([]);
  });

  it('a reminder and an escalation come due while it waits; then the next role may decide too', async () => {
    const effects: number[] = [];
    const rule = { policy: 'one' as const, waitMs: 60_000, remindBeforeMs: 59_600, escalate: { afterMs: 1_200, roles: ['director'] } };
    const task = await paying('escalation', transferTool(effects), { approvals: { read: 'auto', write: 'auto', dangerous: rule } }).start();
    const approval = await pendingApproval(task);
    expect(approval).toMatchObject({
      remindAt: approval.createdAt + 400,
      escalation: { at: approval.createdAt + 1_200, roles: ['director'] },
      expiresAt: approval.createdAt + 60_000,
    });
    expect(await refused(as('director', task).decide(answer(approval, 'dora')))).toBe('not_an_approver');
    await until('the escalation', async () => (await eventsOf(task.taskId)).includes('approval_escalated'));
    expect((await task.state()).approvals).toMatchObject([{ remindAt: null, escalation: null, approvers: { roles: ['approver', 'director'] } }]);
    expect(await refused(as('director', task).decide(answer(approval, 'dora')))).toBe('ok');
    await task.result();
    expect(effects).toEqual([9]);
    expect(await eventsOf(task.taskId)).toEqual(['approval_opened', 'approval_reminded', 'approval_escalated', 'approval_decided']);
    const { items } = await reports.loop.database.store.audit.list({ tenant: 'default', taskId: task.taskId });
    expect(items.map((row) => row.action).toReversed()).toEqual(expect.arrayContaining(['approval.opened', 'approval.reminded', 'approval.escalated', 'approval.decided']));
  });

  it.each([
    ['write', 'approve', { outcome: 'passed' }, [9]],
    ['write', 'reject', { outcome: 'passed' }, []],
    ['write', 'handoff', { outcome: 'handed_off', reason: 'asked_for_person' }, []],
    ['dangerous', 'handoff', { outcome: 'handed_off', reason: 'asked_for_person' }, []],
    ['dangerous', 'reject', { outcome: 'passed' }, []],
  ] as const)('nobody answers what is %s: %s', async (risk, onTimeout, outcome, paid) => {
    const effects: number[] = [];
    const rule = { policy: 'one' as const, waitMs: 300, onTimeout };
    const probe = paying(`default ${risk} ${onTimeout}`, transferTool(effects, { risk }), { approvals: { read: 'auto', write: 'auto', dangerous: 'one', [risk]: rule } });
    expect(await probe.run()).toMatchObject(outcome);
    expect(effects).toEqual(paid);
  });

  it('an agent that lets silence approve what is dangerous is refused', async () => {
    const rule = { policy: 'one' as const, onTimeout: 'approve' as const };
    const probe = paying('silence approves', transferTool([]), { approvals: { read: 'auto', write: 'auto', dangerous: rule } });
    expect(await probe.run()).toMatchObject({ outcome: 'failed', explanation: expect.stringContaining('approvals.dangerous.onTimeout') });
  });

  const tiers: Agent['approvals'] = { read: 'auto', write: { policy: 'one', roles: ['clerk'] }, dangerous: { policy: 'one', roles: ['finance'] } };

  it("HITL-08 an edit into what takes another role is asked again under that one's rule", async () => {
    const effects: number[] = [];
    const probe = paying('hitl08', transferTool(effects, { risk: 'write', dangerousAbove: 100 }), { approvals: tiers });
    const task = await probe.start();
    const approval = await pendingApproval(task);
    expect(approval).toMatchObject({ risk: 'write', approvers: { roles: ['clerk'] } });
    await as('clerk', task).decide(answer(approval, 'cleo', { decision: 'edit', value: { amount: 900 } }));
    const again = await pendingApproval(task);
    expect(again).toMatchObject({ risk: 'dangerous', payload: '{"amount":900}', votes: [], approvers: { roles: ['finance'] } });
    expect(await refused(as('clerk', task).decide(answer(again, 'cleo')))).toBe('not_an_approver');
    // another tool is no argument of this one
    await as('finance', task).decide(answer(again, 'fred', { decision: 'edit', value: { tool: 'transfer_money', arguments: { amount: 9 } } }));
    const third = await pendingApproval(task);
    expect(third.summary).toContain('the edit was refused');
    expect(effects).toEqual([]);
    await as('finance', task).decide(answer(third, 'fred'));
    await task.result();
    expect(effects).toEqual([900]);
  });

  it('an edit whose editor may approve what it became runs, and the model is told what was changed', async () => {
    const effects: number[] = [];
    const probe = paying('edit runs', transferTool(effects, { risk: 'write', dangerousAbove: 100 }), { approvals: tiers });
    const task = await probe.start();
    const approval = await pendingApproval(task);
    await reports.loop
      .clientOf('clerk', 'finance')
      .task(task.taskId)
      .decide(answer(approval, 'fay', { decision: 'edit', value: { amount: 500 }, reason: 'as agreed' }));
    expect(await task.result()).toMatchObject({ outcome: 'passed' });
    expect(effects).toEqual([500]);
    expect(resultsSent(probe.requests()[1])[0]).toMatch(/edited the arguments \(as agreed\).*amount is 500 instead of 9/);
  });

  it("an editor's approval of what takes two is the first of them", async () => {
    const effects: number[] = [];
    const probe = paying('edit votes', transferTool(effects), { approvals: { read: 'auto', write: 'auto', dangerous: 'two' } });
    const task = await probe.start();
    const approval = await pendingApproval(task);
    await task.decide(answer(approval, 'ann', { decision: 'edit', value: { amount: 7 } }));
    const again = await pendingApproval(task);
    expect(again).toMatchObject({ payload: '{"amount":7}', votes: [{ by: 'ann', decision: 'edit' }] });
    expect(await refused(task.decide(answer(again, 'ann')))).toBe('already_voted');
    expect(await task.decide(answer(again, 'bob'))).toMatchObject({ status: 'approved', needs: 0 });
    await task.result();
    expect(effects).toEqual([7]);
  });

  it('what must come before is looked at again when the approval comes', async () => {
    const effects: number[] = [];
    const check = defineTool({
      name: 'check',
      version: '1.0.0',
      releasedAt: '2026-01-01',
      description: 'Whether the account is open.',
      input: z.strictObject({ account: z.string() }),
      output: z.object({ open: z.boolean() }),
      risk: 'read',
      polling: true,
      timeoutMs: 5_000,
      execute: async ({ account }) => ({ open: account === 'before' }),
    });
    const transfer = {
      ...transferTool(effects),
      requires: [{ tool: 'check', where: [{ field: 'open', op: 'equals' as const, value: true }], because: 'Closed accounts get nothing.' }],
    };
    const probe = reports.probe('prerequisite again', { tools: [transfer, check] }, (request) => {
      const asked = request.calls().length;
      if (asked === 0) return callTool('check', { account: 'before' });
      // beside the payment that waits, the account is closed
      if (asked === 1) return { toolCalls: [...callTool('transfer', { amount: 9 }).toolCalls, ...callTool('check', { account: 'after' }).toolCalls] };
      return answerWith('good');
    });
    const task = await probe.start();
    const approval = await pendingApproval(task);
    await until(
      'the second check',
      async () => (await reports.view(task.taskId)).attempts[0]!.toolCalls.filter((call) => call.tool === 'check' && call.status === 'success').length === 2,
    );
    await task.decide(answer(approval, 'ann'));
    await task.result();
    expect(effects).toEqual([]);
    expect(resultsSent(probe.requests()[2]).join('\n')).toMatch(/"code":"prerequisite".*It was approved, but.*Closed accounts get nothing/);
  });

  it('an edit of 60,000 characters is kept by its hash, and runs whole', async () => {
    const effects: number[] = [];
    const probe = paying('long edit', transferTool(effects));
    const task = await probe.start();
    const approval = await pendingApproval(task);
    const value = { amount: 9, note: 'x'.repeat(60_000) };
    await task.decide(answer(approval, 'ann', { decision: 'edit', value }));
    expect(JSON.stringify(await task.state()).length).toBeLessThan(12_000);
    expect(await task.result()).toMatchObject({ outcome: 'passed' });
    expect(effects).toEqual([9]);
    const view = await reports.view(task.taskId);
    expect(JSON.parse(view.attempts[0]!.toolCalls[0]!.arguments!)).toEqual(value);
    expect(JSON.parse(view.approvals[0]!.decision!.value!)).toEqual(value);
    expect(resultsSent(probe.requests()[1])[0]!.length).toBeLessThan(4_000);
  });

  it('an output that a person edits or writes is the output, where it fits', async () => {
    const judged = (name: string) => reports.probe(name, { evaluators: [person] }, () => answerWith('good'));
    const edited = await judged('output edited').start();
    const approval = await pendingApproval(edited);
    await edited.decide(answer(approval, 'ann', { decision: 'edit', value: { text: 'better' } }));
    expect(await edited.result()).toMatchObject({ outcome: 'passed', reason: 'answered_by_person', output: { text: 'better' }, text: 'better' });
    const written = await judged('output written').start();
    const asked = await pendingApproval(written);
    await written.decide(answer(asked, 'ann', { decision: 'respond', value: 'Just words.' }));
    expect(await written.result()).toMatchObject({ outcome: 'passed', reason: 'answered_by_person', output: { text: 'good' }, text: 'Just words.' });
  });
});
