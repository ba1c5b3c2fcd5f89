import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Fault } from '../../../src/models/scripted/faults.ts';
import { answer, refuse } from '../../../src/models/scripted/script.ts';
import { answerWith, callTool } from '../../support/agents.ts';
import { startReports, waitingActivity, type Reports } from './probes.ts';

const modes = [
  { mode: 'plain', stream: false },
  { mode: 'streamed', stream: true },
];

describe.concurrent('model API', () => {
  const loops: Record<string, Reports> = {};
  beforeAll(async () => {
    [loops['plain'], loops['streamed']] = await Promise.all([startReports({ stream: false }), startReports({ stream: true })]);
  });
  afterAll(() => Promise.all(Object.values(loops).map(({ loop }) => loop.stop())));

  it("API-01 a rate limit's hint is honoured wherever it stands", async () => {
    const date = (): string => new Date(Date.now() + 7_000).toUTCString();
    const faults: Record<string, Fault> = {
      seconds: { status: 429, headers: { 'retry-after': '7' } },
      body: { status: 429, body: { error: { code: 429, message: 'quota', details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '7s' }] } } },
      date: { status: 429, headers: { 'retry-after': '' } },
      milliseconds: { status: 429, headers: { 'retry-after-ms': '7000' } },
      sentence: { status: 429, body: { error: { message: 'Rate limit reached. Please try again in 7s.', type: 'tokens', code: 'rate_limit_exceeded' } } },
      overload: { status: 503, headers: { 'retry-after': '7' } },
    };
    await Promise.all(
      Object.entries(faults).map(async ([name, fault], index) => {
        const { probe } = loops[index % 2 === 0 ? 'plain' : 'streamed']!;
        const limited = probe(`api01_${name}`, {}, () => answerWith('good'));
        limited.fail({
          ...fault,
          when: () => {
            if (name === 'date') fault.headers!['retry-after'] = date();
            return true;
          },
        });
        const task = await limited.start();
        const waiting = await waitingActivity(task);
        expect(waiting).toMatchObject({ activity: 'decide', attempt: 2, lastFailure: expect.stringContaining(`HTTP ${fault.status}`) });
        expect(waiting.nextAttemptAt! - Date.now()).toBeGreaterThan(3_000);
        expect(await task.result()).toMatchObject({ outcome: 'passed', usage: { calls: 1 } });
        const [first, second, ...more] = limited.requests();
        expect(more).toEqual([]);
        expect(second!.at - first!.closedAt!).toBeGreaterThanOrEqual(name === 'date' ? 6_000 : 7_000);
      }),
    );
  });

  it('API-03 retries of the client do not multiply with those of the activity', async () => {
    const faults: Fault[] = [{ status: 500 }, { status: 503 }, { status: 529 }, { status: 500, headers: { 'x-should-retry': 'true' } }];
    await Promise.all(
      modes.flatMap(({ mode }) =>
        faults.map(async (fault, index) => {
          const { probe, view } = loops[mode]!;
          const broken = probe(`api03_${index}`, {}, () => answerWith('good'));
          broken.fail({ ...fault, times: 100 });
          const outcome = await broken.run();
          expect(outcome).toMatchObject({ outcome: 'failed', reason: 'model_unavailable', explanation: expect.stringContaining(`HTTP ${fault.status}`) });
          expect(outcome.text).not.toBe('');
          expect(broken.requests()).toHaveLength(3);
          const { modelCalls } = await view(outcome.taskId);
          expect(modelCalls.map((call) => [call.status, call.httpStatus])).toEqual(Array(3).fill(['error', fault.status]));
        }),
      ),
    );
  });

  it.each(modes)('API-05 a refusal ends the task after one call ($mode)', async ({ mode }) => {
    const { probe, view } = loops[mode]!;
    const refusing = probe('api05', { limits: { maxTurns: 10 } }, () => refuse("I can't help with that"));
    const outcome = await refusing.run();
    expect(outcome).toMatchObject({ outcome: 'failed', reason: 'refused', text: "I can't help with that", turns: 1, output: null });
    expect(refusing.requests()).toHaveLength(1);
    expect((await view(outcome.taskId)).modelCalls.map((call) => call.status)).toEqual(['refused']);
  });

  it.each(modes)('API-05 a refusal counts in every stage ($mode)', async ({ mode }) => {
    const refusing = loops[mode]!.probe('api05_plan', { plan: true, limits: { maxTurns: 10 } }, { plan: () => refuse('Not this one.') });
    expect(await refusing.run()).toMatchObject({ outcome: 'failed', reason: 'refused', text: 'Not this one.' });
    expect(refusing.requests()).toHaveLength(1);
  });

  it.each(modes)('API-06 a safety block is neither a refusal nor an empty answer ($mode)', async ({ mode }) => {
    const { probe, view } = loops[mode]!;
    for (const [name, content] of [
      ['empty', ''],
      ['partial', 'The first step is'],
    ] as const) {
      const blocked = probe(`api06_${name}`, {}, () => answer(content, { finishReason: 'content_filter' }));
      const outcome = await blocked.run();
      expect(outcome).toMatchObject({ outcome: 'failed', reason: 'content_filter', output: null });
      expect(outcome.text).not.toContain('first step');
      expect(blocked.requests()).toHaveLength(1);
      expect((await view(outcome.taskId)).modelCalls.map((call) => call.status)).toEqual(['content_filter']);
    }
    const silent = probe('api06_silent', {}, () => answer(''));
    expect(await silent.run()).toMatchObject({ reason: 'no_progress' });
  });

  const listing = {
    output: z.strictObject({ name: z.string(), items: z.array(z.string()) }),
    evaluators: [],
    renderOutput: ({ name, items }: { name: string; items: string[] }) => `${name}: ${items.join(', ')}`,
  };
  const cuts = [
    ['unterminated', '{"name":"Ana","items":["a","b"'],
    ['enveloped', '{"type":"answer","output":{"name":"Ana","items":["a","b"'],
    ['closed by chance', JSON.stringify({ type: 'answer', output: { name: 'Ana', items: ['a', 'b'] }, question: null, confidence: 1, reason: 'done' })],
  ] as const;
  it.each(modes.flatMap(({ mode }) => cuts.map(([cut, content]) => ({ mode, cut, content }))))(
    'API-08 an answer cut at the token limit is no answer ($cut, $mode)',
    async ({ mode, cut, content }) => {
      const { probe, view } = loops[mode]!;
      const short = probe(`api08_${cut}`, listing, () => answer(content, { finishReason: 'length' }));
      const outcome = await short.run();
      expect(outcome).toMatchObject({ outcome: 'handed_off', reason: 'truncated', output: null, outputHash: null });
      expect(outcome.text).not.toContain('Ana');
      const { attempts, modelCalls } = await view(outcome.taskId);
      expect(attempts.map(({ row }) => row?.outputHash)).toEqual(Array(attempts.length).fill(null));
      expect(modelCalls.every((call) => call.status === 'truncated')).toBe(true);
      const mended = probe(`api08_${cut}_mended`, listing, (request) =>
        request.lastUser().includes('cut at the token limit')
          ? { content: { type: 'answer', output: { name: 'Ana', items: ['a', 'b', 'c'] }, question: null, confidence: 1, reason: 'shorter' } }
          : answer(content, { finishReason: 'length' }),
      );
      expect(await mended.run()).toMatchObject({ outcome: 'passed', output: { items: ['a', 'b', 'c'] }, turns: 2 });
    },
  );

  it.each([
    { mode: 'streamed', how: 'closes the socket', fault: { cutAfterChunks: 4 } },
    { mode: 'streamed', how: 'ends without a finish reason', fault: { endAfterChunks: 4 } },
    { mode: 'plain', how: 'closes the socket', fault: { cutAfterChunks: 4 } },
  ])('API-11 an answer that breaks off is interrupted and asked for again ($mode, $how)', async ({ mode, how, fault }) => {
    const { loop, probe, view } = loops[mode]!;
    const broken = probe(`api11_${how}`, {}, () => answerWith('a good answer of some length, so that it takes more than three deltas'));
    broken.fail({ ...fault, times: 2 });
    const task = await broken.start();
    const waiting = await waitingActivity(task);
    expect(waiting).toMatchObject({ activity: 'decide', lastFailure: expect.stringContaining('interrupted') });
    const outcome = await task.result();
    expect(outcome).toMatchObject({
      outcome: 'passed',
      output: { text: 'a good answer of some length, so that it takes more than three deltas' },
      turns: 1,
      usage: { calls: 3, estimated: true },
    });
    expect((await view(task.taskId)).modelCalls.map((call) => call.status)).toEqual(['interrupted', 'interrupted', 'ok']);
    const { modelReplies } = loop.database.store;
    expect(await modelReplies.get(`${task.taskId}/decide.a1.t1`)).toContain('three deltas');
  });

  const missing: [string, unknown][] = [
    ['null', null],
    ['not numbers', { prompt_tokens: null, completion_tokens: 'many' }],
    ['negative', { prompt_tokens: -5, completion_tokens: -1 }],
    ['empty', {}],
  ];
  it.each([...modes.map(({ mode }) => ({ mode, kind: 'absent', usage: null as unknown })), ...missing.map(([kind, usage]) => ({ mode: 'plain', kind, usage }))])(
    'API-14 missing usage never switches a budget off ($kind, $mode)',
    async ({ mode, kind, usage }) => {
      const { probe, view } = loops[mode]!;
      const endless = probe(`api14_${kind}`, { limits: { maxTotalTokens: 1_000, maxTurns: 500 }, parameters: { maxTokens: 50 } }, (request) => {
        const call = callTool('read_note', { name: `note ${request.assistantTurns()}` });
        if (kind === 'absent') return { ...call, usage: null };
        const [wire] = call.toolCalls;
        return {
          raw: {
            id: 'x',
            object: 'chat.completion',
            model: 'scripted-writer',
            usage,
            choices: [
              {
                index: 0,
                finish_reason: 'tool_calls',
                message: {
                  role: 'assistant',
                  content: null,
                  tool_calls: [{ id: `c${request.assistantTurns()}`, type: 'function', function: { name: wire!.name, arguments: JSON.stringify(wire!.arguments) } }],
                },
              },
            ],
          },
        };
      });
      const task = await endless.start();
      const outcome = await task.result();
      expect(outcome).toMatchObject({ reason: 'token_budget', usage: { estimated: true } });
      expect(outcome.turns).toBeGreaterThan(1);
      const { usage: counted } = await task.state();
      for (const count of [counted.inputTokens, counted.outputTokens, counted.costMicros, counted.calls])
        expect(count).toSatisfy((value: number) => Number.isInteger(value) && value > 0);
      expect(counted.inputTokens + counted.outputTokens).toBeLessThanOrEqual(1_000);
      const { task: row, modelCalls } = await view(task.taskId);
      expect([row.inputTokens, row.outputTokens]).toEqual([counted.inputTokens, counted.outputTokens]);
      expect(modelCalls.every((call) => call.estimated && call.inputTokens! > 0 && call.outputTokens! > 0)).toBe(true);
    },
  );

  it.each(modes.flatMap(({ mode }) => (['body', 'headers'] as const).map((hang) => ({ mode, hang }))))(
    'API-16 a stalled response ends at the deadline of the whole call ($hang, $mode)',
    async ({ mode, hang }) => {
      const { probe, view } = loops[mode]!;
      const stalled = probe(`api16_${hang}`, { limits: { modelTimeoutMs: 5_000 } }, () => answerWith('good'));
      stalled.fail({ hang });
      const task = await stalled.start();
      const waiting = await waitingActivity(task);
      // our own deadline ended it, not the server's: the worker reported it and its slot is free
      expect(waiting.lastFailure).toContain('timed out after 5000 ms');
      expect(await task.result()).toMatchObject({ outcome: 'passed' });
      const [first, second, ...more] = stalled.requests();
      expect(more).toEqual([]);
      expect(first!.closedAt! - first!.at).toBeGreaterThan(4_500);
      expect(first!.closedAt! - first!.at).toBeLessThan(7_000);
      expect(second!.status).toBe(200);
      expect((await view(task.taskId)).modelCalls.map((call) => call.status)).toEqual(['timeout', 'ok']);
    },
  );
});
