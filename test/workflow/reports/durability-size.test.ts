import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { answer, refuse, type ScriptedReply } from '../../../src/models/scripted/script.ts';
import { defineTool, ToolFailure } from '../../../src/tools/define-tool.ts';
import { answerWith, callTool } from '../../support/agents.ts';
import { historyText, pendingApproval, resultsSent, startReports, type Reports } from './probes.ts';

const MB = 1024 * 1024;
const huge = 'good '.repeat((3 * MB) / 5);

/** Temporal takes payloads of 2 MB. What is larger is stored by reference, or fails once and says so; nothing is tried for ever. */
describe.concurrent('durability: size', () => {
  let reports: Reports;
  beforeAll(async () => {
    reports = await startReports({ writer: { contextWindow: 4_000_000 } });
  });
  afterAll(() => reports.loop.stop());
  const roomy = { limits: { maxTotalTokens: 100_000_000, maxCostMicros: 1_000_000_000, maxAttempts: 1 } };
  const smallHistory = async (taskId: string) => expect((await historyText(reports.loop, taskId)).length).toBeLessThan(200_000);

  it.each([
    ['3 MB', async () => huge, { status: 'success', code: null }],
    ['17 MB', async () => 'x'.repeat(17 * MB), { status: 'failure', code: 'result_too_large', reason: expect.stringMatching(/^dump returned 178\d{5} bytes/) }],
    [
      'a failure of 3 MB',
      async () => {
        throw new ToolFailure('odd', huge);
      },
      { status: 'failure', code: 'error', reason: expect.stringMatching(/^odd: good/) },
    ],
    [
      'an error of 3 MB',
      async () => {
        throw new Error(huge);
      },
      { status: 'failure', code: 'error', reason: expect.stringMatching(/^dump failed: good/) },
    ],
  ] as const)('DUR-07 a tool result of any size is kept by reference or fails once (%s)', async (kind, execute, row) => {
    let effects = 0;
    const dump = defineTool({
      name: 'dump',
      version: '1.0.0',
      releasedAt: '2026-01-01',
      description: 'Dumps.',
      input: z.strictObject({ what: z.string() }),
      output: z.string(),
      risk: 'read',
      timeoutMs: 20_000,
      execute: async () => {
        effects += 1;
        return execute();
      },
    });
    const dumping = reports.probe(`dur07 tool ${kind}`, { ...roomy, tools: [dump] }, (request) =>
      request.toolResults().length === 0 ? callTool('dump', { what: 'a' }) : answerWith('good'),
    );
    const outcome = await dumping.run();
    expect(outcome).toMatchObject({ outcome: 'passed', toolCalls: 1 });
    expect(effects).toBe(1);
    const [call] = (await reports.view(outcome.taskId)).attempts[0]!.toolCalls;
    expect(call).toMatchObject({ tool: 'dump', executions: 1, ...row });
    expect(resultsSent(dumping.requests()[1])[0]!.length).toBeLessThan(9_000);
    await smallHistory(outcome.taskId);
  });

  const decision = (fields: object) => ({ content: { type: 'answer', output: { text: 'good' }, question: null, confidence: 1, reason: 'r', ...fields } });
  const replies: [string, ScriptedReply, object][] = [
    ['an answer', answerWith(huge), { outcome: 'passed' }],
    ['a reason', decision({ reason: huge }), { outcome: 'passed', text: 'good' }],
    ['a question', decision({ type: 'ask', output: null, question: huge }), { outcome: 'handed_off', reason: 'max_turns' }],
    ['a hand-off', decision({ type: 'handoff', output: null, reason: huge }), { outcome: 'handed_off', reason: 'asked_for_person' }],
    ['arguments', callTool('read_note', { name: huge }), { outcome: 'handed_off', reason: 'max_turns' }],
    ['a tool name', callTool(huge, {}), { outcome: 'handed_off', reason: 'max_turns' }],
    [
      'a thousand calls',
      { toolCalls: Array.from({ length: 1_000 }, (_, index) => callTool('read_note', { name: `n${index}` }).toolCalls[0]!) },
      { outcome: 'handed_off', reason: 'invalid_output' },
    ],
    ['a refusal', refuse(huge), { outcome: 'failed', reason: 'refused', text: expect.stringMatching(/^good/) }],
    ['a blocked answer', answer(huge, { finishReason: 'content_filter' }), { outcome: 'failed', reason: 'content_filter' }],
    ['a cut answer', answer(huge, { finishReason: 'length' }), { outcome: 'handed_off', reason: 'truncated' }],
    ['no JSON', answer(`{"type": ${huge}`), { outcome: 'handed_off', reason: 'invalid_output' }],
    ['9 MB', answer('x'.repeat(9 * MB)), { outcome: 'failed', reason: 'model_rejected', explanation: expect.stringMatching(/too large \(\d{7} bytes, limit 8388608\)/) }],
  ];
  it.each(replies)('DUR-07 a model response of 3 MB ends nothing in a retry for ever (%s)', async (kind, reply, ending) => {
    const wordy = reports.probe(
      `dur07 model ${kind}`,
      { limits: { ...roomy.limits, maxTurns: 1, questionTimeoutMs: 100, maxQuestions: 1 } },
      { decide: () => reply, compact: () => ({ content: 'A long call was made.' }) },
    );
    const outcome = await wordy.run();
    expect(outcome).toMatchObject(ending);
    expect(outcome.text.length).toBeLessThan(70_000);
    expect(wordy.requests('decide').length).toBeLessThanOrEqual(4);
    expect((await reports.view(outcome.taskId)).modelCalls.every((call) => call.status !== 'error' || kind === '9 MB')).toBe(true);
    if (kind === 'an answer') {
      expect(outcome.output).toBeNull();
      expect((await reports.loop.database.store.blobs.get(outcome.outputHash!))!.length).toBeGreaterThan(3 * MB);
    }
    await smallHistory(outcome.taskId);
  });

  it('DUR-07 perception, plan and review of 3 MB', async () => {
    const perceive = {
      model: { instructions: 'Read.', schema: z.object({ intent: z.string().nullable(), entities: z.record(z.string(), z.string()), emotion: z.string().nullable() }) },
      missing: () => [],
    };
    const wordy = reports.probe(
      'dur07 stages',
      { ...roomy, perceive, plan: true, review: true },
      {
        perceive: () => ({ content: { intent: huge, entities: { id: huge }, emotion: huge } }),
        plan: () => ({ content: { goal: huge, steps: [{ id: 'a', tool: null, reply: 'the answer', why: huge, dependsOn: [] }] } }),
        decide: () => answerWith('good'),
        review: () => ({ content: { text: huge } }),
      },
    );
    const outcome = await wordy.run();
    expect(['passed', 'failed', 'handed_off']).toContain(outcome.outcome);
    expect(wordy.requests().length).toBeLessThanOrEqual(4);
    await smallHistory(outcome.taskId);
  });

  it('DUR-07 an input, a message and a decision of 3 MB are refused at once', async () => {
    // over REST this is a 413; the gateway comes with issue C
    const asking = reports.probe('dur07 input', {}, (request) => (request.users().length > 1 ? answerWith('good') : decision({ type: 'ask', output: null, question: 'Which?' })));
    const taskId = `dur07-input-${Math.random()}`;
    await expect(asking.start({ task: huge, taskId })).rejects.toMatchObject({ code: 'input_too_large' });
    await expect(reports.loop.client.task(taskId).state()).rejects.toMatchObject({ code: 'task_not_found' });
    const task = await asking.start();
    const approval = await pendingApproval(task);
    await expect(task.message(huge)).rejects.toMatchObject({ name: 'RefusedError', code: 'too_large' });
    await expect(task.decide({ approvalId: approval.id, decision: 'respond', by: 'carol', value: huge })).rejects.toMatchObject({ name: 'RefusedError', code: 'too_large' });
    await expect(task.cancel({ reason: huge })).rejects.toMatchObject({ name: 'RefusedError', code: 'too_large' });
    await task.decide({ approvalId: approval.id, decision: 'respond', by: 'carol', value: 'This one.' });
    expect(await task.result()).toMatchObject({ outcome: 'passed' });
  });

  it('DUR-07 so many messages that together they are too large are refused, not lost', async () => {
    const asking = reports.probe('dur07 inbox', roomy, (request) =>
      request.users().length > 1 ? answerWith('good') : decision({ type: 'ask', output: null, question: 'Which?' }),
    );
    const task = await asking.start();
    const approval = await pendingApproval(task);
    const text = '信'.repeat(8_000);
    let taken = 0;
    await expect(
      (async () => {
        for (; taken < 200; taken += 1) await task.message({ text, by: 'ops' });
      })(),
    ).rejects.toMatchObject({ code: 'too_many' });
    expect(taken).toBeGreaterThan(10);
    await task.decide({ approvalId: approval.id, decision: 'respond', by: 'carol', value: 'This one.' });
    expect(await task.result()).toMatchObject({ outcome: 'passed' });
    const users = (asking.requests().at(-1)!.body as { messages: { content: string }[] }).messages.filter((message) => message.content === text);
    expect(users).toHaveLength(taken);
  });
});
