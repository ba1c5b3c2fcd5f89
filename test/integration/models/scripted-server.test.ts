import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createModelClient } from '../../../src/models/openai-client.ts';
import { resolveRoutes } from '../../../src/models/routes.ts';
import { answer, callTools, refuse, scriptedAgent } from '../../../src/models/scripted/script.ts';
import type { ScriptedAgent, ScriptedRequest } from '../../../src/models/scripted/script.ts';
import { startScriptedServer } from '../../../src/models/scripted/server.ts';
import type { ScriptedServer } from '../../../src/models/scripted/server.ts';
import { failure, options, request } from './raw-server.ts';

const seen: ScriptedRequest[] = [];
const support: ScriptedAgent = scriptedAgent({
  perceive: () => answer({ intent: 'order_status' }),
  decide: (asked) => {
    seen.push(asked);
    const order = asked.latestResult('get_order_status');
    if (!order)
      return callTools(
        [
          { name: 'get_order_status', arguments: { orderId: /A\d+/.exec(asked.lastUser())![0] } },
          { name: 'broken', arguments: '{"a": ' },
        ],
        '我先查一下订单。',
      );
    return answer(`Order ${(order.arguments as { orderId: string }).orderId} is ${(order.result as { status: string }).status}.`);
  },
  review: () => refuse('no'),
  judge: () => ({ content: 'x', usage: null, finishReason: 'length' }),
  compact: () => ({ raw: { choices: [] } }),
});

let server: ScriptedServer;
beforeEach(async () => {
  seen.length = 0;
  server = await startScriptedServer({ agents: { support } });
});
afterEach(() => server.close());

function client(stream: boolean) {
  return createModelClient({ routes: resolveRoutes({ scriptedURL: server.url, stream }).connections });
}
const turn = (more: Parameters<typeof request>[0] = {}) => request({ ...more, route: { ...request().route, model: 'scripted-writer' } });

describe.each([false, true])('stream: %s', (stream) => {
  const responseFormat = { name: 'perception', schema: z.object({ intent: z.string() }) };
  const call = (stage = 'perceive', timeoutMs = 5_000) => client(stream).complete(turn({ stage, timeoutMs, responseFormat }), options());
  const ask = () => client(stream).complete(turn({ messages: [{ role: 'user', content: 'A002' }] }), options());
  test('answers by the conversation, tool results included', async () => {
    const messages = [
      { role: 'system' as const, content: 'rules' },
      { role: 'user' as const, content: '我的订单 A001 到哪了？' },
    ];
    const tools = [{ name: 'get_order_status', description: 'Looks up.', parameters: { type: 'object' } }];
    const first = await client(stream).complete(turn({ messages, tools }), options());
    expect(first).toMatchObject({
      kind: 'message',
      content: '我先查一下订单。',
      model: 'scripted-writer',
      finishReason: 'tool_calls',
      toolCalls: [
        { name: 'get_order_status', arguments: '{"orderId":"A001"}' },
        { name: 'broken', arguments: '{"a": ' },
      ],
    });
    expect(first.usage.inputTokens).toBeGreaterThan(10);
    expect(first.usage.outputTokens).toBeGreaterThan(5);
    if (first.kind !== 'message') throw new Error('a message was expected');
    const [order, broken] = first.toolCalls;
    const second = await client(stream).complete(
      turn({
        tools,
        messages: [
          ...messages,
          { role: 'assistant', content: first.content, toolCalls: first.toolCalls },
          { role: 'tool', toolCallId: order!.id, content: '{"status":"shipped"}' },
          { role: 'tool', toolCallId: broken!.id, content: 'not found' },
        ],
      }),
      options(),
    );
    expect(second).toMatchObject({ kind: 'message', content: 'Order A001 is shipped.' });
    expect(seen[1]!.toolResults().map(({ name, arguments: given, result }) => [name, given, result])).toEqual([
      ['get_order_status', { orderId: 'A001' }, { status: 'shipped' }],
      ['broken', '{"a": ', 'not found'],
    ]);
    expect([seen[1]!.system(), seen[1]!.assistantTurns(), seen[1]!.hasTool('get_order_status'), seen[1]!.calls().length]).toEqual(['rules', 1, true, 2]);
  });

  test('is deterministic: the same request gives the same reply', async () => {
    expect(await ask()).toEqual(await ask());
  });

  test('JSON, refusal, no usage, raw bodies', async () => {
    expect(await call('perceive')).toMatchObject({ kind: 'message', content: '{"intent":"order_status"}' });
    expect(await call('review')).toMatchObject({ kind: 'refused', text: 'no' });
    expect(await call('judge')).toMatchObject({ kind: 'truncated', usage: { inputTokens: null, outputTokens: null } });
    expect(await call('compact')).toMatchObject({ kind: 'empty' });
  });

  test('faults come in order, where they fit, as often as asked', async () => {
    server.faults.push({ status: 429, headers: { 'retry-after': '3' }, times: 2 }, { status: 500, when: (asked) => asked.stage === 'review' });
    for (let count = 0; count < 2; count += 1) expect(await failure(call())).toMatchObject({ status: 429, retryAfterMs: 3_000 });
    expect(await call()).toMatchObject({ kind: 'message' });
    expect(await failure(call('review'))).toMatchObject({ status: 500, retryable: true });
    server.faults.push({ cutAfterChunks: 2 }, { hang: 'headers' }, { hang: 'body' });
    expect(await failure(call())).toMatchObject({ kind: 'interrupted' });
    expect(await failure(call('perceive', 300))).toMatchObject({ kind: 'timeout' });
    expect(await failure(call('perceive', 300))).toMatchObject({ kind: 'timeout' });
    expect(await call()).toMatchObject({ kind: 'message' });
    expect(server.faults.size).toBe(0);
  });
});

test('requests are logged and counted by key', async () => {
  await client(false).complete(turn({ key: 'k-1', stage: 'perceive' }), options());
  server.faults.push({ status: 503 });
  await failure(client(false).complete(turn({ key: 'k-1', stage: 'perceive' }), options()));
  expect(server.countByKey('k-1')).toBe(2);
  expect(server.requests.map(({ agent, stage, key, model, status }) => [agent, stage, key, model, status])).toEqual([
    ['support', 'perceive', 'k-1', 'scripted-writer', 200],
    ['support', 'perceive', 'k-1', 'scripted-writer', 503],
  ]);
});

const fails = (more: Parameters<typeof request>[0]) => failure(client(false).complete(turn(more), options()));

test('an agent or stage without a script, and a body that no provider takes, are errors that say so', async () => {
  expect(await fails({ agent: 'constructor' })).toMatchObject({ status: 404, code: 'agent_not_found', message: expect.stringContaining('support') });
  expect(await fails({ stage: 'dream' })).toMatchObject({ status: 400, message: expect.stringContaining('dream') });
  expect(await fails({ messages: [] })).toMatchObject({ status: 400 });
  expect(await fails({ messages: [{ role: 'tool', toolCallId: 'x', content: '' }] })).toMatchObject({ status: 400, message: expect.stringContaining('answers no tool call') });
  expect(
    await fails({
      messages: [
        { role: 'assistant', content: null, toolCalls: [{ id: 'x', name: 'f', arguments: '{}' }] },
        { role: 'user', content: 'and?' },
      ],
    }),
  ).toMatchObject({ status: 400, message: expect.stringContaining('without an answer') });
});

test('says what it is', async () => {
  expect(await (await fetch(`${server.url}/models`)).json()).toMatchObject({ data: [{ id: 'scripted-writer' }, { id: 'scripted-judge' }] });
  expect(await (await fetch(new URL('/health', server.url))).json()).toEqual({ status: 'ok' });
  const raw = await fetch(`${server.url}/chat/completions`, {
    method: 'POST',
    headers: { 'x-loopwright-agent': 'support', 'x-loopwright-stage': 'perceive' },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'x' }] }),
  });
  expect(raw.headers.get('access-control-allow-origin')).toBeNull();
  expect(await raw.json()).toMatchObject({ system_fingerprint: 'scripted', model: 'm', choices: [{ finish_reason: 'stop' }] });
});
