/** A tool that is neither idempotent nor can be asked: its worker dies after the effect. Nobody knows, so a person is asked, and what they say counts. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Decide } from '../../src/contracts/approval.ts';
import { until } from '../support/loop.ts';
import { decideIfKnown } from './refund.ts';
import { startWorld, type World } from './world.ts';

const POINT = 'effect committed, call not finished #1';
const APPROVAL = 'a1.t1.c1.effect';
const WAIT_MS = 500;

type Answer = Pick<Decide, 'decision' | 'value'> & { reason?: string };
const ANSWERS: Record<string, Answer | null> = {
  approve: { decision: 'approve', reason: 'It is on the statement.' },
  reject: { decision: 'reject', reason: 'The bank never saw it.' },
  respond: { decision: 'respond', value: 'The bank answers tomorrow.' },
  nobody: null,
};

describe('the worker is killed after an effect that nobody can be asked about', () => {
  let world: World;
  const taskQueue = `chaos-${randomUUID()}`;
  const taskId = (name: string): string => `transfer-${taskQueue}-${name}`;
  const task = (name: string) => world.clientOf(taskQueue).task(taskId(name));

  beforeAll(async () => {
    world = await startWorld();
    await Promise.all([killAfterEffects(), killAmongStrangers()]);
  });
  afterAll(() => world?.stop());

  async function killAfterEffects(): Promise<void> {
    const victim = await world.startVictim(taskQueue, Object.fromEntries(Object.keys(ANSWERS).map((name) => [taskId(name), POINT])));
    for (const [name, answer] of Object.entries(ANSWERS)) {
      await world.clientOf(taskQueue).start('transfer', { amount: 70 }, { taskId: taskId(name), limits: answer ? {} : { approvalTimeoutMs: WAIT_MS } });
    }
    expect((await victim.died).signal).toBe('SIGKILL');
    await world.startSurvivor(taskQueue);
  }

  /** The worker that comes after has no agent of this name. */
  async function killAmongStrangers(): Promise<void> {
    const otherQueue = `${taskQueue}-other`;
    const victim = await world.startVictim(otherQueue, { [taskId('unknown')]: POINT });
    await world.clientOf(otherQueue).start('transfer', { amount: 70 }, { taskId: taskId('unknown') });
    await victim.died;
    await world.startSurvivor(otherQueue, {});
  }

  async function asked(name: string) {
    return until(`the question of ${name}`, async () => (await world.database.store.approvals.listByTask(taskId(name))).find((approval) => approval.id === APPROVAL), 40_000);
  }

  async function decide(name: string) {
    const approval = await asked(name);
    expect(approval).toMatchObject({ kind: 'handoff', tool: 'send_transfer', payload: '{"amount":70}' });
    expect(approval.summary).toMatch(/^Did the effect of send_transfer 70 happen\? .*worker stopped/);
    const answer = ANSWERS[name];
    if (answer) await until('the decision', () => decideIfKnown(task(name), { approvalId: APPROVAL, hash: approval.hash, by: 'accountant', ...answer }));
    return task(name).result();
  }

  async function expectOneEffect(name: string): Promise<void> {
    const { rows } = await sql`SELECT amount FROM transfer_sent WHERE task_id = ${taskId(name)}`.execute(world.database.store.database);
    expect(rows).toEqual([{ amount: 70 }]);
    expect(await world.database.store.toolCalls.listByTask(taskId(name))).toMatchObject([{ tool: 'send_transfer', status: 'indeterminate', code: 'indeterminate', executions: 1 }]);
  }

  it('approve: it happened, and the model is told so', async () => {
    const outcome = await decide('approve');
    expect(outcome).toMatchObject({ outcome: 'passed', calls: [{ tool: 'send_transfer', status: 'success' }] });
    expect(outcome.text).toContain('A person confirmed that the effect of this call happened. It is on the statement.');
    await expectOneEffect('approve');
  });

  it('reject: it did not happen, and the model is told so', async () => {
    const outcome = await decide('reject');
    expect(outcome).toMatchObject({ outcome: 'passed', calls: [{ tool: 'send_transfer', status: 'failure' }] });
    expect(outcome.text).toContain('A person confirmed that this call had no effect. The bank never saw it.');
    await expectOneEffect('reject');
  });

  it('respond: the model is told what is known', async () => {
    const outcome = await decide('respond');
    expect(outcome).toMatchObject({ outcome: 'passed', calls: [{ tool: 'send_transfer', status: 'indeterminate' }] });
    expect(outcome.text).toContain('It is not known whether this call took effect. A person said: The bank answers tomorrow.');
    await expectOneEffect('respond');
  });

  it('a person is asked too when the next worker does not know the agent and gives the call up', async () => {
    const started = task('unknown');
    const approval = await asked('unknown');
    expect(approval).toMatchObject({ kind: 'handoff', status: 'pending', summary: expect.stringContaining('Did the effect of send_transfer 70 happen?') });
    await until('the decision', () => decideIfKnown(started, { approvalId: APPROVAL, decision: 'approve', hash: approval.hash, by: 'accountant' }));
    expect(await started.result()).toMatchObject({ reason: 'unknown_agent', calls: [{ tool: 'send_transfer', status: 'success' }] });
  });

  it('nobody answers: the task is handed off, and is not run again', async () => {
    const outcome = await decide('nobody');
    expect(outcome).toMatchObject({ outcome: 'handed_off', reason: 'indeterminate_side_effect', text: 'A colleague looks at your transfer (indeterminate_side_effect).' });
    expect(await asked('nobody')).toMatchObject({ status: 'expired' });
    await expectOneEffect('nobody');
  });
});
