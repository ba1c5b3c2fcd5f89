/** Decisions that nobody may take: forged, replayed, revoked, malformed; and what is left of them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TaskHandle } from '../../src/client.ts';
import { createDecisionSigner, Loopwright, RefusedError } from '../../src/client.ts';
import type { Approval, Decide } from '../../src/contracts/approval.ts';
import { answerWith, callTool } from '../support/agents.ts';
import { until } from '../support/loop.ts';
import { transferTool } from '../support/payments.ts';
import { registeredKey, testKey, type TestKey } from '../support/signing.ts';
import { pendingApproval, startReports, type Probe, type Reports } from './reports/probes.ts';

describe.concurrent('signed decisions', () => {
  let reports: Reports;
  beforeAll(async () => {
    reports = await startReports();
  });
  afterAll(() => reports.loop.stop());

  const paying = (name: string, effects: number[], more: Parameters<Reports['probe']>[1] = {}): Probe =>
    reports.probe(name, { tools: [transferTool(effects)], ...more }, (request) => (request.toolResults().length > 0 ? answerWith('good') : callTool('transfer', { amount: 9 })));
  const waiting = async (probe: Probe, options: Parameters<Probe['start']>[0] = {}): Promise<{ task: TaskHandle; approval: Approval; yes: Decide }> => {
    const task = await probe.start(options);
    const approval = await pendingApproval(task);
    return { task, approval, yes: { approvalId: approval.id, decision: 'approve', hash: approval.hash, by: 'carol' } };
  };
  const clientOf = (key: TestKey, ...roles: string[]) =>
    new Loopwright({ temporal: reports.loop.temporal, taskQueue: reports.loop.taskQueue, signer: createDecisionSigner({ keyId: key.keyId, secretKey: key.secretKey, roles }) });
  const events = async (taskId: string): Promise<number> => (await reports.loop.temporal.workflow.getHandle(taskId).describe()).historyLength;
  const audit = async (taskId: string) => (await reports.loop.database.store.audit.list({ tenant: 'default', taskId, limit: 500 })).items.toReversed();
  const refused = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'ok',
      (error: unknown) => (error instanceof RefusedError ? error.code : String(error)),
    );

  it('ten forged Updates leave no event in history', async () => {
    const effects: number[] = [];
    const { task, yes } = await waiting(paying('ten forged', effects));
    const before = await events(task.taskId);
    const raw = reports.loop.clientOf().task(task.taskId);
    const good = (await task.signed(yes)).token!;
    const forged: Decide[] = [
      yes,
      { ...yes, token: null },
      { ...yes, by: 'mallory', token: good },
      { ...yes, decision: 'reject', token: good },
      { ...yes, token: { ...good, roles: ['admin'] } },
      { ...yes, token: { ...good, expiresAt: good.expiresAt + 1 } },
      { ...yes, token: { ...good, signature: 'f'.repeat(128) } },
      { ...yes, token: { ...good, keyId: 'nobody' } },
      await clientOf(testKey(), 'approver').task(task.taskId).signed(yes),
      await reports.loop.client.task('another-task').signed(yes),
    ];
    const codes = await Promise.all(forged.map((payload) => refused(raw.decide(payload))));
    expect(codes).toEqual(['unsigned', 'unsigned', ...Array.from({ length: 5 }, () => 'bad_signature'), 'unknown_key', 'unknown_key', 'bad_signature']);
    expect(await events(task.taskId)).toBe(before);
    expect(await task.decide({ ...yes, token: good })).toMatchObject({ status: 'approved', needs: 0, repeated: false });
    expect(await task.result()).toMatchObject({ outcome: 'passed' });
    expect(effects).toEqual([9]);
  });

  it('a raw signal with a forged decision for a dangerous tool changes nothing and leaves an audit row', async () => {
    const effects: number[] = [];
    const { task, approval, yes } = await waiting(paying('forged signal', effects));
    const workflow = reports.loop.temporal.workflow.getHandle(task.taskId);
    const good = await task.signed(yes);
    await workflow.signal('decide', { ...yes, by: 'mallory' });
    await workflow.signal('decide', { ...good, by: 'mallory' });
    const state = await until('two refusals', async () => {
      const now = await task.state();
      return now.refusals.length === 2 ? now : null;
    });
    expect(state.approvals).toMatchObject([{ id: approval.id, status: 'pending', decision: null, votes: [] }]);
    expect(effects).toEqual([]);
    await workflow.signal('decide', good);
    expect(await task.result()).toMatchObject({ outcome: 'passed' });
    expect(effects).toEqual([9]);
    const rows = await audit(task.taskId);
    expect(rows.filter((row) => row.action === 'decision.refused')).toMatchObject([
      { actor: 'mallory', actorVia: 'unsigned', after: { message: 'decide', code: 'unsigned' } },
      { actor: 'mallory', after: { code: 'bad_signature' } },
    ]);
    expect(rows.filter((row) => row.action === 'approval.decided')).toMatchObject([
      {
        actor: 'carol',
        actorVia: 'token',
        approvalId: approval.id,
        before: { status: 'pending', hash: approval.hash },
        after: { status: 'approved', decision: { by: 'carol', roles: ['approver'], via: 'signal', token: { keyId: reports.loop.key.keyId, signature: good.token!.signature } } },
      },
    ]);
    expect(await reports.loop.database.store.audit.verify('default')).toMatchObject({ problems: [] });
  });

  it('a revoked key decides nothing, also in a task that knows it', async () => {
    const effects: number[] = [];
    const key = await registeredKey(reports.loop.database.store);
    const { task, yes } = await waiting(paying('revoked', effects));
    await reports.loop.database.store.signingKeys.revoke(key.keyId);
    expect(await refused(clientOf(key, 'approver').task(task.taskId).decide(yes))).toBe('revoked_key');
    expect((await task.state()).approvals).toMatchObject([{ status: 'pending', decision: null }]);
    expect(await refused(task.decide(yes))).toBe('ok');
    await task.result();
    expect(effects).toEqual([9]);
    expect((await audit(task.taskId)).find((row) => row.action === 'decision.refused')).toMatchObject({ actor: 'carol', after: { code: 'revoked_key' } });
    // what starts afterwards does not know it
    const later = await waiting(paying('revoked later', effects));
    expect(await refused(clientOf(key, 'approver').task(later.task.taskId).decide(later.yes))).toBe('unknown_key');
    await later.task.cancel({ reason: 'enough' });
  });

  it("HITL-10 HITL-13 only whom the task names decides it, by a key of their own and not by the message's body", async () => {
    const effects: number[] = [];
    const daves = await registeredKey(reports.loop.database.store, { subject: 'dave', roles: ['approver'] });
    const { task, approval, yes } = await waiting(paying('hitl10', effects), { approvers: ['carol'] });
    const dave = clientOf(daves, 'approver').task(task.taskId);
    expect(await refused(dave.decide({ ...yes, by: 'dave' }))).toBe('not_an_approver');
    expect(await refused(dave.decide(yes))).toBe('bad_signature');
    expect(
      await refused(
        clientOf(daves, 'approver', 'admin')
          .task(task.taskId)
          .decide({ ...yes, by: 'dave' }),
      ),
    ).toBe('bad_signature');
    await reports.loop.temporal.workflow.getHandle(task.taskId).signal('decide', await dave.signed(yes));
    expect(await refused(task.decide({ ...yes, approvalId: 'a7.t7.c7' }))).toBe('unknown_approval');
    expect(await refused(task.decide({ ...yes, hash: '0'.repeat(64) }))).toBe('wrong_hash');
    expect(await refused(reports.loop.clientOf('operator').task(task.taskId).decide(yes))).toBe('not_an_approver');
    expect((await task.state()).approvals).toMatchObject([{ id: approval.id, status: 'pending' }]);
    expect(effects).toEqual([]);
    expect(await refused(task.decide(yes))).toBe('ok');
    expect(await task.result()).toMatchObject({ outcome: 'passed' });
    expect(effects).toEqual([9]);
  });

  it('HITL-12 duplicates at the same time count once; what conflicts is told who was first', async () => {
    const effects: number[] = [];
    const { task, yes } = await waiting(paying('hitl12', effects));
    const answers = await Promise.allSettled([task.decide(yes), task.decide(yes), task.decide({ ...yes, by: 'dave' }), task.decide({ ...yes, decision: 'reject', by: 'dave' })]);
    const accepted = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    const first = accepted.filter((answer) => !answer.repeated);
    expect(first).toHaveLength(1);
    const winner = first[0]!.decision.by;
    for (const answer of accepted) expect(answer).toMatchObject({ status: first[0]!.status, decision: { by: winner } });
    for (const answer of answers)
      if (answer.status === 'rejected')
        expect(answer.reason).toMatchObject({ code: expect.stringMatching(/already_decided|task_closed/), message: expect.stringMatching(`by ${winner}|closed`) });
    await task.result();
    expect(effects).toEqual(first[0]!.status === 'approved' ? [9] : []);
    expect((await audit(task.taskId)).filter((row) => row.action === 'approval.decided')).toHaveLength(1);
  });

  it('finishes after whatever is sent by signal: broken signatures, wrong types, bytes that are no JSON', async () => {
    const effects: number[] = [];
    const { task, yes } = await waiting(paying('broken signals', effects));
    const { temporal } = reports.loop;
    const workflow = temporal.workflow.getHandle(task.taskId);
    const { token } = await task.signed(yes);
    const payloads: unknown[] = [
      ...['', 'g'.repeat(128), 'F'.repeat(128), 7, null, {}, [token!.signature]].map((signature) => ({ ...yes, token: { ...token, signature } })),
      ...[null, 7, 'token', [], { keyId: null }, { ...token, roles: [null] }, { ...token, expiresAt: '9' }].map((each) => ({ ...yes, token: each })),
      null,
      undefined,
      [],
      'approve',
    ];
    for (const payload of payloads) await workflow.signal('decide', payload);
    // what no client of ours would send
    const encoded = (encoding: string, data: string) => ({ metadata: { encoding: Buffer.from(encoding) }, data: Buffer.from(data) });
    for (const broken of [encoded('json/plain', '{"approvalId":'), encoded('json/plain', '\u0000\u00ff'), encoded('binary/secret', 'x'), {}])
      for (const signalName of ['decide', 'message', 'tune', 'cancel', 'restore'])
        await temporal.workflowService.signalWorkflowExecution({
          namespace: temporal.options.namespace,
          workflowExecution: { workflowId: task.taskId },
          signalName,
          input: { payloads: [broken] },
        });
    const sent = payloads.length + 4 * 5;
    const state = await until('all refusals', async () => {
      const now = await task.state();
      return now.refusals.length === sent ? now : null;
    });
    expect(state.approvals).toMatchObject([{ status: 'pending' }]);
    expect(state.refusals.filter((refusal) => refusal.text.includes('could not be read'))).not.toEqual([]);
    expect(await refused(task.decide(yes))).toBe('ok');
    expect(await task.result()).toMatchObject({ outcome: 'passed' });
    expect(effects).toEqual([9]);
  });

  it('a decision that can not be written down does not count, and may be taken again', async () => {
    const effects: number[] = [];
    const { task, yes } = await waiting(paying('no audit', effects), { tenant: 'locked' });
    const { database } = reports.loop.database.store;
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const lock = database.transaction().execute(async (transaction) => {
      await transaction.selectFrom('audit_head').select('tenant').where('tenant', '=', 'locked').forUpdate().execute();
      locked.resolve();
      await released;
    });
    await locked.promise;
    expect(await refused(task.decide(yes))).toBe('audit_unavailable');
    expect((await task.state()).approvals).toMatchObject([{ status: 'pending', decision: null, votes: [] }]);
    expect(effects).toEqual([]);
    release();
    await lock;
    expect(await refused(task.decide(yes))).toBe('ok');
    expect(await task.result()).toMatchObject({ outcome: 'passed' });
    expect(effects).toEqual([9]);
  });
});
