import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { scriptedAgent } from '../../src/models/scripted/script.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import { answerWith, callTool, corrections, probeAgent, readNote } from '../support/agents.ts';
import { startLoop, until, type Loop } from '../support/loop.ts';

const pay = defineTool({
  name: 'pay',
  version: '1.0.0',
  releasedAt: '2026-01-01',
  description: 'Pays.',
  input: z.strictObject({ amount: z.number(), note: z.string() }),
  output: z.object({ paid: z.number() }),
  risk: 'dangerous',
  timeoutMs: 5_000,
  execute: async ({ amount }) => ({ paid: amount }),
});
const agents = { probe: probeAgent({ tools: [readNote, pay] }) };
const scripts = {
  probe: scriptedAgent({
    decide: (request) => {
      const done = request.calls().map((call) => call.name);
      if (!done.includes('pay')) {
        const asked = callTool('pay', { amount: 5, note: 'password=hunter22' });
        return { toolCalls: [...asked.toolCalls, ...callTool('read_note', { name: 'n' }).toolCalls, ...callTool('unknown_tool', {}).toolCalls] };
      }
      return answerWith(request.users()[0] === 'correct me' && corrections(request) === 0 ? 'bad' : 'good');
    },
  }),
};

let loop: Loop;
beforeAll(async () => {
  loop = await startLoop({ agents, scripts });
}, 60_000);
afterAll(() => loop.stop());

describe('the log of a task', () => {
  it('tells everything that happened, numbered, in order, small and free of secrets', async () => {
    const { store } = loop.database;
    const task = await loop.client.start('probe', { task: 'correct me' }, { startedBy: 'carol' });
    const pending = await until('the approval', async () => (await task.state()).approvals.find((each) => each.status === 'pending'));
    await task.message('hurry, password=hunter22');
    await task.tune({ by: 'bob', values: { maxAttempts: 4 } });
    await task.decide({ approvalId: pending.id, decision: 'approve', hash: pending.hash, by: 'ann', reason: 'fine' });
    await task.result();
    const events = await store.taskEvents.listAfter(task.taskId, 0, 1_000);
    const types = events.map(({ type }) => type);
    expect(events.map(({ number }) => number)).toEqual(events.map((_, index) => index + 1));
    expect(await store.taskEvents.last(task.taskId)).toBe(events.length);
    expect(types.slice(0, 2)).toEqual(['task_started', 'decision_made']);
    expect(types.slice(2, 8).toSorted()).toEqual(['approval_decided', 'approval_opened', 'tool_call_finished', 'tool_call_finished', 'tool_call_started', 'tool_call_started']);
    expect(types.slice(8)).toEqual([
      'tool_call_finished', // denied: told when its answer is given to the model
      'message_received',
      'decision_made',
      'evaluated',
      'tuned',
      'attempt_closed',
      'decision_made',
      'evaluated',
      'attempt_closed',
      'task_closed',
    ]);
    const tuned = await store.audit.list({ tenant: 'default', taskId: task.taskId, action: 'task.tuned' });
    expect(tuned.items).toMatchObject([{ actor: 'bob', actorVia: 'unsigned', before: { maxAttempts: expect.any(Number) }, after: { maxAttempts: 4 } }]);
    const detailOf = (type: string, callId?: string) => events.find((event) => event.type === type && (callId === undefined || event.detail['callId'] === callId))?.detail;
    expect(detailOf('task_started')).toEqual({ agent: 'probe', startedBy: 'carol', channel: 'live', sessionId: null });
    expect(detailOf('decision_made')).toMatchObject({
      type: 'tool',
      turn: 1,
      confidence: 0.9,
      calls: [{ tool: 'pay', risk: 'dangerous' }, { tool: 'read_note' }, { tool: 'unknown_tool' }],
    });
    expect(detailOf('tool_call_finished', 'a1.t1.c3')).toMatchObject({ status: 'denied', code: 'unknown_tool' });
    expect(detailOf('approval_decided')).toMatchObject({ decision: 'approve', by: 'ann', reason: 'fine', status: 'approved' });
    expect(detailOf('attempt_closed')).toMatchObject({ passed: false, action: 'continue', change: [{ type: 'missing_word' }] });
    expect(detailOf('task_closed')).toMatchObject({ outcome: 'passed', text: expect.stringContaining('good') });
    expect(JSON.stringify(events)).not.toContain('hunter22');
  });

  it('20 tasks at the same time with parallel calls of one turn: no deadlock, every log whole', async () => {
    const tasks = await Promise.all(Array.from({ length: 20 }, (_, index) => loop.client.start('probe', { task: `${index}` }, { limits: { approvalTimeoutMs: 100 } })));
    const outcomes = await Promise.all(tasks.map((task) => task.result()));
    expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(['passed']));
    for (const { taskId } of tasks) {
      const events = await loop.database.store.taskEvents.listAfter(taskId, 0, 1_000);
      expect(events.map(({ number }) => number)).toEqual(events.map((_, index) => index + 1));
      expect(events.map(({ type }) => type)).toContain('approval_expired');
      expect(events.at(-1)?.type).toBe('task_closed');
    }
  }, 60_000);
});
