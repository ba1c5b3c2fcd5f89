import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { RefusedError, type TaskHandle } from '../../src/client.ts';
import type { Approval } from '../../src/contracts/approval.ts';
import { scriptedAgent, type ScriptedRequest } from '../../src/models/scripted/script.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import { answerWith, callTool, probeAgent, readNote } from '../support/agents.ts';
import { startLoop, until, type Loop } from '../support/loop.ts';

const sent: { to: string; amount: number }[] = [];
const sendMoney = defineTool({
  name: 'send_money',
  version: '1.0.0',
  releasedAt: '2026-01-01',
  description: 'Sends money.',
  input: z.strictObject({ to: z.string(), amount: z.number().max(1_000) }),
  output: z.object({ sent: z.boolean() }),
  risk: 'dangerous',
  timeoutMs: 5_000,
  idempotent: true,
  execute: async (payment) => {
    sent.push(payment);
    return { sent: true };
  },
});

/** Sends what the task says, then tells what came back. */
function decide(request: ScriptedRequest) {
  const to = /pay (\S+)/.exec(request.transcript())?.[1];
  const asked = request.calls().length;
  if (request.transcript().includes('wait for a message'))
    return request.users().some((text) => text.includes('go on')) ? answerWith('good') : callTool('read_note', { name: `wait ${asked}` });
  if (!to) return answerWith('good');
  if (asked === 0) return callTool('send_money', { to, amount: 9 });
  return answerWith(
    `good, and the tool said ${request
      .toolResults()
      .at(-1)
      ?.text.replaceAll(/<[^>]*>/g, '')}`,
  );
}

describe('messages to a running task', () => {
  let loop: Loop;
  beforeAll(async () => {
    loop = await startLoop({
      agents: { probe: probeAgent({ tools: [sendMoney, readNote], limits: { maxTurns: 400, approvalTimeoutMs: 60_000 } }) },
      scripts: { probe: scriptedAgent({ decide }) },
    });
  });
  afterAll(() => loop.stop());

  const pending = (task: TaskHandle) => until('a pending approval', async () => (await task.state()).approvals.find((approval) => approval.status === 'pending'));
  const refused = async (work: Promise<unknown>): Promise<string> => {
    const error = await work.then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(RefusedError);
    return (error as RefusedError).code;
  };
  const start = async (to: string): Promise<{ task: TaskHandle; approval: Approval }> => {
    const task = await loop.client.start('probe', { task: `pay ${to}` });
    return { task, approval: await pending(task) };
  };

  it('runs exactly the arguments that were approved', async () => {
    const { task, approval } = await start('ann');
    expect(approval).toMatchObject({ kind: 'tool_call', risk: 'dangerous', tool: 'send_money', payload: '{"amount":9,"to":"ann"}' });
    expect(sent.filter((payment) => payment.to === 'ann')).toEqual([]);
    const decided = await task.decide({ approvalId: approval.id, decision: 'approve', hash: approval.hash, by: 'boss' });
    expect(decided).toMatchObject({ status: 'approved', repeated: false });
    expect(await task.result()).toMatchObject({ outcome: 'passed', askedPerson: true });
    expect(sent.filter((payment) => payment.to === 'ann')).toEqual([{ to: 'ann', amount: 9 }]);
  });

  it('tells the model of a rejection and does not run the call', async () => {
    const { task, approval } = await start('bob');
    await task.decide({ approvalId: approval.id, decision: 'reject', hash: approval.hash, by: 'boss', reason: 'not bob' });
    expect((await task.result()).text).toContain('not bob');
    expect(sent.some((payment) => payment.to === 'bob')).toBe(false);
  });

  it('checks an edit as what it became, and runs that', async () => {
    const { task, approval } = await start('cid');
    await task.decide({ approvalId: approval.id, decision: 'edit', hash: approval.hash, by: 'boss', value: { to: 'cid', amount: 5_000 } });
    const again = await pending(task);
    expect(again.id).not.toBe(approval.id);
    expect(again.summary).toContain('the edit was refused');
    await task.decide({ approvalId: again.id, decision: 'edit', hash: again.hash, by: 'boss', value: { to: 'cid', amount: 7 }, reason: 'less' });
    expect((await task.result()).text).toContain('An approver edited the arguments');
    expect(sent.filter((payment) => payment.to === 'cid')).toEqual([{ to: 'cid', amount: 7 }]);
  });

  it('shows an edit again when it would run as other bytes than were sent', async () => {
    const { task, approval } = await start('dan');
    await task.decide({ approvalId: approval.id, decision: 'edit', hash: approval.hash, by: 'boss', value: { to: 'dan', amount: '3' } });
    const again = await pending(task);
    expect(again.payload).toBe('{"amount":3,"to":"dan"}');
    await task.decide({ approvalId: again.id, decision: 'approve', hash: again.hash, by: 'boss' });
    await task.result();
    expect(sent.filter((payment) => payment.to === 'dan')).toEqual([{ to: 'dan', amount: 3 }]);
  });

  it('refuses what does not fit, and nothing changes', async () => {
    const { task, approval } = await start('eve');
    const good = { approvalId: approval.id, decision: 'approve' as const, hash: approval.hash, by: 'boss' };
    expect(await refused(task.decide({ ...good, hash: 'f'.repeat(64) }))).toBe('wrong_hash');
    expect(await refused(task.decide({ ...good, approvalId: 'a9.t9.c9' }))).toBe('unknown_approval');
    expect(await refused(task.decide({ ...good, decision: 'respond', value: 'yes' }))).toBe('not_allowed');
    expect(await refused(task.decide({ ...good, by: '' }))).toBe('malformed');
    expect(await refused(task.tune({ by: 'boss', values: { maxAttempts: 99_999 } }))).toBe('out_of_range');
    expect((await task.state()).approvals).toMatchObject([{ id: approval.id, status: 'pending' }]);
    const [first, second] = await Promise.all([task.decide(good), task.decide(good)]);
    expect([first.repeated, second.repeated].toSorted()).toEqual([false, true]);
    expect(await refused(task.decide({ ...good, decision: 'reject' }))).toMatch(/already_decided|task_closed/);
    await task.result();
    expect(await refused(task.decide(good))).toBe('task_closed');
    expect(sent.filter((payment) => payment.to === 'eve')).toHaveLength(1);
  });

  it('finishes after malformed signals of every kind, and records each refusal', async () => {
    const { task, approval } = await start('fay');
    const handle = loop.temporal.workflow.getHandle(task.taskId);
    const malformed: unknown[] = [
      null,
      undefined,
      0,
      true,
      '',
      [],
      [[]],
      {},
      { approvalId: 5 },
      { approvalId: approval.id, decision: 'approve', by: 'x' },
      { approvalId: approval.id, decision: 'maybe', by: 'x', hash: approval.hash },
      { text: 7 },
      { by: 'x', values: { temperature: 'hot' } },
      { by: 'x', values: null },
      { reason: '' },
      'x'.repeat(50_000),
      { __proto__: null, constructor: 1 },
    ];
    let count = 0;
    for (const name of ['decide', 'message', 'tune', 'cancel']) {
      for (const payload of malformed) {
        // a plain string is a good message and a good reason to cancel
        if (typeof payload === 'string' && payload !== '' && payload.length < 1_000) continue;
        await handle.signal(name, payload);
        count += 1;
      }
    }
    await handle.signal('decide');
    const state = await until('all refusals', async () => ((await task.state()).refusals.length > 0 ? task.state() : null));
    expect(state.approvals).toMatchObject([{ status: 'pending' }]);
    await handle.signal('decide', await task.signed({ approvalId: approval.id, decision: 'approve', hash: approval.hash, by: 'boss' }));
    expect(await task.result()).toMatchObject({ outcome: 'passed' });
    const view = await loop.database.store.taskView(task.taskId);
    expect(view!.refusals.length).toBeGreaterThanOrEqual(count * 0.5);
    expect(view!.approvals).toMatchObject([{ status: 'approved', decision: { by: 'boss', via: 'signal' } }]);
  });

  it('gives the model each message once, and obeys tune at the next call', async () => {
    const task = await loop.client.start('probe', { task: 'wait for a message' });
    await until('the first turns', async () => (await task.state()).turn > 1);
    await task.tune({ by: 'boss', values: { temperature: 0.9, maxTokens: 777 } });
    const { turn } = await task.state();
    await until('a call after the change', async () => (await task.state()).turn > turn + 1);
    const last = loop.model.requests.filter((request) => request.key.startsWith(`${task.taskId}/`)).at(-1)!.body as { temperature: number; max_completion_tokens: number };
    expect(last).toMatchObject({ temperature: 0.9, max_completion_tokens: 777 });
    await task.message({ text: 'go on', id: 'm1' });
    await task.message({ text: 'go on', id: 'm1' }).catch(() => undefined);
    expect(await task.result()).toMatchObject({ outcome: 'passed' });
    const { conversationId } = (await loop.database.store.tasks.get(task.taskId))!;
    const rows = await loop.database.store.database
      .selectFrom('conversation_node')
      .innerJoin('message_body', 'message_body.hash', 'conversation_node.body_hash')
      .select('message_body.content')
      .where('conversation_node.conversation_id', '=', conversationId!)
      .where('message_body.label', '=', 'user')
      .execute();
    expect(rows.map((row) => row.content)).toEqual(['go on']);
    expect((await loop.database.store.taskView(task.taskId))!.tuneChanges.map(({ field, to, by }) => ({ field, to, by }))).toEqual(
      expect.arrayContaining([
        { field: 'temperature', to: 0.9, by: 'boss' },
        { field: 'maxTokens', to: 777, by: 'boss' },
      ]),
    );
  });

  it('cancels with a reason, and leaves facts', async () => {
    const { task } = await start('gus');
    await task.cancel({ reason: 'changed my mind', by: 'gus' });
    expect(await task.result()).toMatchObject({ outcome: 'cancelled', reason: 'cancelled', explanation: 'Cancelled by gus: changed my mind' });
    const view = await loop.database.store.taskView(task.taskId);
    expect(view).toMatchObject({ task: { outcome: 'cancelled', phase: 'closed' }, approvals: [{ status: 'withdrawn' }] });
    expect(sent.some((payment) => payment.to === 'gus')).toBe(false);
  });

  it('also ends with an outcome when Temporal cancels it', async () => {
    const { task } = await start('hal');
    await loop.temporal.workflow.getHandle(task.taskId).cancel();
    expect(await task.result()).toMatchObject({ outcome: 'cancelled' });
  });

  it('takes the default when nobody answers, and refuses a late decision', async () => {
    const task = await loop.client.start('probe', { task: 'pay ivy' }, { limits: { approvalTimeoutMs: 1_000 } });
    const approval = await pending(task);
    const outcome = await task.result();
    expect(outcome.text).toContain('expired');
    expect(outcome.waitedMs).toBeGreaterThanOrEqual(900);
    expect(await refused(task.decide({ approvalId: approval.id, decision: 'approve', hash: approval.hash, by: 'boss' }))).toMatch(/task_closed|expired/);
    expect(sent.some((payment) => payment.to === 'ivy')).toBe(false);
  });

  /** What many Updates in a row, four at a time, are told until `isOver`. */
  const toldUntil = async (isOver: () => boolean, send: () => Promise<unknown>): Promise<Set<string>> => {
    const told = new Set<string>();
    const lane = async (): Promise<void> => {
      while (!isOver())
        told.add(
          await send().then(
            () => 'taken',
            (error: RefusedError) => error.code,
          ),
        );
    };
    await Promise.all([lane(), lane(), lane(), lane()]);
    return told;
  };

  it('says to an Update that meets the end of the task that it has closed, not that there is none', async () => {
    for (const to of ['gus', 'hal', 'ike', 'jon', 'kim']) {
      const { task, approval } = await start(to);
      const decision = { approvalId: approval.id, hash: approval.hash, by: 'boss', reason: 'no' };
      await task.decide({ ...decision, decision: 'reject' });
      let isOver = false;
      const ended = task.result().then(() => (isOver = true));
      const told = await toldUntil(
        () => isOver,
        () => task.decide({ ...decision, decision: 'approve' }),
      );
      await ended;
      told.add(await refused(task.decide({ ...decision, decision: 'approve' })));
      expect([...told].toSorted()).toEqual(['already_decided', 'task_closed']);
    }
  });

  it('answers from the store, marked stale, when no worker is up', async () => {
    const { task, approval } = await start('jim');
    await loop.stopWorker();
    const began = Date.now();
    const state = await task.state();
    expect(state).toMatchObject({ stale: true, phase: 'waiting_for_person', approvals: [{ id: approval.id, status: 'pending' }] });
    expect(Date.now() - began).toBeLessThan(4_000);
    await loop.restartWorker();
    await task.decide({ approvalId: approval.id, decision: 'approve', hash: approval.hash, by: 'boss' });
    expect(await task.result()).toMatchObject({ outcome: 'passed' });
  });
});
