/** What is kept of decisions when a run continues as new, under floods, and what a person restores. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { RefusedError, type TaskHandle } from '../../src/client.ts';
import type { Approval, Decide } from '../../src/contracts/approval.ts';
import { signStatement } from '../../src/policy/decision-token.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import { defineEvaluator } from '../../src/evaluation/define-evaluator.ts';
import { answerWith, callTool, corrections, type ProbeInput, type ProbeOutput } from '../support/agents.ts';
import { until } from '../support/loop.ts';
import { transferTool } from '../support/payments.ts';
import { growUntilNextRun, pendingApproval, startReports, sent, type Reports } from './reports/probes.ts';

describe.concurrent('what is kept', () => {
  let reports: Reports;
  beforeAll(async () => {
    reports = await startReports();
  });
  afterAll(() => reports.loop.stop());

  const answer = (approval: Approval, by = 'carol', more: Partial<Decide> = {}): Decide => ({ approvalId: approval.id, decision: 'approve', hash: approval.hash, by, ...more });
  const refused = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'ok',
      (error: unknown) => (error instanceof RefusedError ? error.code : String(error)),
    );
  const runsEnded = async (taskId: string): Promise<number> =>
    (await reports.loop.database.store.database.selectFrom('checkpoint').select('run_id').where('task_id', '=', taskId).execute()).length;

  it('a used token stays used when the run continues as new', async () => {
    const effects: number[] = [];
    const probe = reports.probe('token rolls over', { tools: [transferTool(effects)], limits: { turnsPerRun: 1 } }, (request) =>
      request.toolResults().length >= 2 ? answerWith('good') : callTool('transfer', { amount: request.toolResults().length + 1 }),
    );
    const task = await probe.start();
    const first = await pendingApproval(task);
    const { token } = await task.signed(answer(first));
    await task.decide({ ...answer(first), token: token! });
    const second = await pendingApproval(task, (approval) => approval.id !== first.id);
    expect(await runsEnded(task.taskId)).toBeGreaterThan(0);
    // signed anew, for the second approval, but under the token id of the first
    const { key } = reports.loop;
    const statement = {
      keyId: key.keyId,
      taskId: task.taskId,
      approvalId: second.id,
      argumentsHash: second.hash,
      approver: 'carol',
      roles: ['approver'],
      decision: 'approve',
      reason: '',
      value: null,
    };
    const reused = { ...statement, tokenId: token!.tokenId, expiresAt: token!.expiresAt };
    const forged: Decide = {
      ...answer(second),
      token: { keyId: key.keyId, roles: ['approver'], tokenId: token!.tokenId, expiresAt: token!.expiresAt, signature: signStatement(reused, key.secretKey) },
    };
    expect(await refused(task.decide(forged))).toBe('token_used');
    expect(await refused(task.decide({ ...answer(second), token: token! }))).toBe('bad_signature');
    await task.decide(answer(second));
    expect(await task.result()).toMatchObject({ outcome: 'passed' });
    expect(effects).toEqual([1, 2]);
  });

  it('a flood of refused signals neither keeps a run from ending nor fills the audit', async () => {
    let flooding = true;
    const probe = reports.probe('flood', { limits: { turnsPerRun: 2, maxTurns: 60 } }, (request) =>
      flooding || request.calls().length < 4 ? callTool('read_note', { name: `n${request.calls().length}` }) : answerWith('good'),
    );
    const task = await probe.start();
    const workflow = reports.loop.temporal.workflow.getHandle(task.taskId);
    let count = 0;
    const flood = async (): Promise<void> => {
      while (flooding) {
        await workflow.signal('decide', { approvalId: 'none' });
        count += 1;
        // steady, and slow enough that the server serves others too
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    };
    const flooded = flood();
    await until('two runs to end in the flood', async () => count > 50 && (await runsEnded(task.taskId)) >= 2, 90_000).finally(() => (flooding = false));
    await flooded;
    expect(await task.result()).toMatchObject({ outcome: 'passed' });
    const { items } = await reports.loop.database.store.audit.list({ tenant: 'default', taskId: task.taskId, action: 'decision.refused', limit: 500 });
    expect(items.length).toBeGreaterThan(0);
    expect(items.length).toBeLessThanOrEqual(101);
    expect((await reports.view(task.taskId)).refusals.length).toBeLessThanOrEqual(101);
  }, 120_000);

  it('what was decided in a turn is not asked again when the run continues as new in it, however much it is; the state stays short', async () => {
    const effects: number[] = [];
    const probe = reports.probe('many in a turn', { tools: [transferTool(effects)], limits: { maxParallelCalls: 30 } }, (request) =>
      request.toolResults().length > 0 ? answerWith('good') : { toolCalls: Array.from({ length: 26 }, (_, index) => callTool('transfer', { amount: index + 1 }).toolCalls[0]!) },
    );
    const task = await probe.start();
    const approvals = await until('26 approvals', async () => {
      const all = (await task.state()).approvals;
      return all.length === 26 ? all : null;
    });
    for (const approval of approvals.slice(0, 25)) await task.decide(answer(approval));
    await until('25 payments', () => effects.length === 25);
    const { approvals: shown } = await task.state();
    expect(shown).toHaveLength(21);
    expect(shown.filter((approval) => approval.status === 'pending')).toHaveLength(1);
    const [last] = approvals.slice(25);
    await growUntilNextRun(reports.loop, task.taskId); // in the middle of the turn
    await until('the open approval', async () => (await task.state()).approvals.some((approval) => approval.id === last!.id && approval.status === 'pending'));
    await task.decide(answer(last!));
    expect(await task.result()).toMatchObject({ outcome: 'passed', toolCalls: 26 });
    expect(effects.toSorted((one, other) => one - other)).toEqual(Array.from({ length: 26 }, (_, index) => index + 1));
    expect((await reports.view(task.taskId)).approvals).toHaveLength(26);
  });

  it('a write that a cancellation met while it ran is named in the outcome', async () => {
    const started = Promise.withResolvers<void>();
    const slow = defineTool({
      name: 'slow_write',
      version: '1.0.0',
      releasedAt: '2026-01-01',
      description: 'Writes, slowly.',
      input: z.strictObject({ name: z.string() }),
      output: z.object({ done: z.boolean() }),
      risk: 'write',
      timeoutMs: 20_000,
      execute: async () => {
        started.resolve();
        await new Promise((resolve) => setTimeout(resolve, 1_500));
        return { done: true };
      },
    });
    const probe = reports.probe('cancelled write', { tools: [slow] }, () => callTool('slow_write', { name: 'x' }));
    const task = await probe.start();
    await started.promise;
    await task.cancel({ reason: 'stop', by: 'gus' });
    expect(await task.result()).toMatchObject({
      outcome: 'cancelled',
      explanation: expect.stringMatching(/Cancelled by gus: stop.*not known whether.*slow_write/),
      calls: [{ tool: 'slow_write', status: 'indeterminate' }],
    });
    // where the agent waits for people at its end, one is asked
    const again = Promise.withResolvers<void>();
    const asking = reports.probe(
      'cancelled write asks',
      { tools: [{ ...slow, execute: async () => (again.resolve(), new Promise<never>(() => {})) }], limits: { handoffWaitMs: 30_000 } },
      () => callTool('slow_write', { name: 'x' }),
    );
    const asked = await asking.start();
    await again.promise;
    await asked.cancel({ reason: 'stop', by: 'gus' });
    const approval = await pendingApproval(asked);
    expect(approval).toMatchObject({ id: 'a1.t1.c1.effect', kind: 'handoff' });
    await asked.decide(answer(approval, 'carol', { decision: 'reject', reason: 'it did not' }));
    expect(await asked.result()).toMatchObject({ outcome: 'cancelled', explanation: 'Cancelled by gus: stop', calls: [{ tool: 'slow_write', status: 'failure' }] });
  });

  describe('restore', () => {
    /** Scores a draft by its number. */
    const scoring = (scores: Record<number, number>) => [
      defineEvaluator<ProbeInput, ProbeOutput>({
        name: 'scores',
        kind: 'rule',
        hard: false,
        evaluate: ({ output: { text } }) => {
          const score = scores[Number(text.split(' ')[1])] ?? 0;
          return { passed: score >= 80, score, issues: [{ type: 'low', message: `${text} is not enough`, severity: 'high', subject: text }], evidence: text };
        },
      }),
    ];
    const handoff = (task: TaskHandle): Promise<Approval> => pendingApproval(task, (approval) => approval.kind === 'handoff');

    it('makes an earlier attempt the output; whoever is asked about another is asked anew', async () => {
      const limits = { maxAttempts: 3, passScore: 80, escalationAfterFail: true, handoffWaitMs: 60_000 };
      const probe = reports.probe('restore waits', { evaluators: scoring({ 1: 20, 2: 60, 3: 40 }), limits }, (request) => answerWith(`draft ${corrections(request) + 1}`));
      const task = await probe.start();
      const asked = await handoff(task);
      expect((await task.state()).best).toEqual({ attempt: 2, score: 60 });
      expect(await refused(task.restore({ attempt: 9, by: 'ann' }))).toBe('unknown_attempt');
      expect(await refused(task.restore({ attempt: 0, by: 'ann' }))).toBe('malformed');
      expect(await task.restore({ attempt: 1, by: 'ann', reason: 'the tone' })).toEqual({ attempt: 1, score: 20 });
      expect(await refused(task.decide(answer(asked)))).toBe('expired');
      const again = await pendingApproval(task, (approval) => approval.id !== asked.id);
      expect(again.payload).toBe('{"text":"draft 1"}');
      expect(await task.state()).toMatchObject({ best: { attempt: 1 }, restores: [{ attempt: 1, by: 'ann', reason: 'the tone' }] });
      await task.decide(answer(again));
      expect(await task.result()).toMatchObject({ outcome: 'passed', reason: 'accepted_by_person', bestAttempt: 1, output: { text: 'draft 1' }, score: 20 });
      const { store } = reports.loop.database;
      expect((await store.audit.list({ tenant: 'default', taskId: task.taskId, action: 'task.restored' })).items).toMatchObject([
        { actor: 'ann', after: { attempt: 1, reason: 'the tone' } },
      ]);
      expect((await store.taskEvents.listAfter(task.taskId, 0, 200)).filter((event) => event.type === 'restored')).toMatchObject([{ detail: { attempt: 1, by: 'ann' } }]);
    });

    it('the next correction starts from it, and only what is better than all before takes its place', async () => {
      const gate = Promise.withResolvers<void>();
      const pause = defineTool({
        name: 'pause',
        version: '1.0.0',
        releasedAt: '2026-01-01',
        description: 'Waits.',
        input: z.strictObject({}),
        output: z.object({ done: z.boolean() }),
        risk: 'read',
        timeoutMs: 20_000,
        execute: async () => {
          await gate.promise;
          return { done: true };
        },
      });
      const pausing = reports.probe(
        'restore corrects',
        {
          evaluators: scoring({ 1: 20, 2: 60, 3: 40, 4: 70 }),
          tools: [pause],
          limits: { maxAttempts: 4, passScore: 80, escalationAfterFail: false },
        },
        (request) => {
          const draft = corrections(request) + 1;
          return draft === 3 && request.toolResults().length === 0 ? callTool('pause', {}) : answerWith(`draft ${draft}`);
        },
      );
      const task = await pausing.start();
      await until('the third attempt', async () => (await task.state()).phase === 'calling_tools');
      await reports.loop.temporal.workflow.getHandle(task.taskId).signal('restore', { attempt: 1, by: 'ann', reason: 'the tone' });
      await until('the restore', async () => (await task.state()).best?.attempt === 1);
      gate.resolve();
      // attempt 3 scores 40: more than what was restored, and less than attempt 2
      expect(await task.result()).toMatchObject({ outcome: 'best_effort', bestAttempt: 4, score: 70 });
      const correction = sent(pausing.requests('decide').at(-1)).findLast((message) => message.content?.startsWith('<correction>'))!.content!;
      expect(correction).toContain('went back to the output of attempt 1');
      expect(JSON.parse(/<correction>(.*)<\/correction>/.exec(correction)![1]!)).toMatchObject({ best: { output: { text: 'draft 1' } } });
    });
  });
});
