/** The many tries of a stage bridge outages; what would fail for ever is given up early, and says why. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scriptedAgent } from '../../src/models/scripted/script.ts';
import { answerWith, probeAgent } from '../support/agents.ts';
import { startLoop, type Loop } from '../support/loop.ts';

describe('what fails again and again', () => {
  let loop: Loop;
  beforeAll(async () => {
    const broken = probeAgent({
      name: 'broken',
      renderInput: () => {
        throw new TypeError('a fault of the agent');
      },
    });
    const script = scriptedAgent({ decide: () => answerWith('good') });
    loop = await startLoop({ agents: { probe: probeAgent(), broken }, scripts: { probe: script, broken: script } });
  });
  afterAll(() => loop?.stop());

  it('a model call that is lost with its worker three times is not paid a fourth time', async () => {
    const taskId = `lost-${loop.taskQueue}`;
    const key = `${taskId}/decide.a1.t1`;
    await loop.database.store.tasks.start({ taskId, agent: 'probe', channel: 'live', runId: 'before', startedBy: 'test', phase: 'starting', startedAt: Date.now() });
    for (const id of ['one', 'two', 'three']) {
      await loop.database.store.modelCalls.record({
        id: `${taskId} ${id}`,
        taskId,
        attempt: 1,
        turn: 1,
        purpose: 'decide',
        key,
        model: 'scripted-writer',
        status: 'sent',
        inputTokens: 100,
        outputTokens: 50,
        costMicros: 200,
        estimated: true,
        startedAt: Date.now(),
        durationMs: 0,
      });
    }
    const task = await loop.client.start('probe', { task: 'say good' }, { taskId });
    expect(await task.result()).toMatchObject({ outcome: 'failed', reason: 'model_unavailable', explanation: expect.stringContaining('asked 3 times') });
    expect(loop.model.countByKey(key)).toBe(0);
  });

  it('a fault of code ends the task after three tries', async () => {
    const task = await loop.client.start('broken', { task: 'say good' });
    expect(await task.result()).toMatchObject({ outcome: 'failed', reason: 'internal_error', explanation: expect.stringContaining('a fault of the agent') });
    const { events } = await loop.temporal.workflow.getHandle(task.taskId).fetchHistory();
    const tries = (events ?? []).flatMap((event) => (event.activityTaskStartedEventAttributes?.lastFailure ? [event.activityTaskStartedEventAttributes.attempt] : []));
    expect(tries).toEqual([3]);
  });
});
