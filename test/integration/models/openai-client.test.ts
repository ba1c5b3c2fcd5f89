import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { ModelReply } from '../../../src/models/model.ts';
import { clientFor, completion, delta, json, options, request, sse, startRawServer } from './raw-server.ts';
import type { RawServer } from './raw-server.ts';

let server: RawServer;
afterEach(() => server.close());

async function reply(body: unknown): Promise<ModelReply> {
  server = await startRawServer((response) => json(response, body));
  return clientFor(server.url).complete(request(), options());
}

async function streamed(chunks: (object | string)[], onDelta?: (text: string) => void): Promise<ModelReply> {
  server = await startRawServer((response) => sse(response, chunks));
  return clientFor(server.url, { stream: true }).complete(request(), { ...options(), onDelta });
}

const call = (index: number, id: string | null, name: string | null, text: string) => delta({ tool_calls: [{ index, id, function: { name, arguments: text } }] });

async function sent(more: Parameters<typeof request>[0], connection: Parameters<typeof clientFor>[1] = {}) {
  server = await startRawServer((response) => json(response, completion({ content: 'ok' })));
  await clientFor(server.url, connection).complete(request(more), options());
  return server.requests[0]!;
}

describe('typed replies', () => {
  test('a message', async () => {
    expect(await reply(completion({ content: 'hi' }))).toEqual({
      kind: 'message',
      content: 'hi',
      toolCalls: [],
      model: 'm-1',
      responseId: 'r1',
      finishReason: 'stop',
      usage: { inputTokens: 3, outputTokens: 2 },
    });
  });
  test('tool calls keep ids, order and arguments as they were sent', async () => {
    const calls = [
      { id: 'a', type: 'function', function: { name: 'f', arguments: '{"x": 1}' } },
      { id: 'b', type: 'function', function: { name: 'g', arguments: '{broken' } },
    ];
    expect(await reply(completion({ content: null, tool_calls: calls }, 'tool_calls'))).toMatchObject({
      kind: 'message',
      content: null,
      toolCalls: [
        { id: 'a', name: 'f', arguments: '{"x": 1}' },
        { id: 'b', name: 'g', arguments: '{broken' },
      ],
    });
  });
  test('API-05 a refusal is a refusal, with its text, after one call', async () => {
    expect(await reply(completion({ content: null, refusal: "I can't help with that" }))).toMatchObject({ kind: 'refused', text: "I can't help with that" });
    expect(server.requests).toHaveLength(1);
  });
  test('API-06 content_filter by its finish reason alone is no refusal and no empty answer', async () => {
    expect(await reply({ choices: [{ finish_reason: 'content_filter', message: { content: '' } }] })).toMatchObject({ kind: 'content_filter', finishReason: 'content_filter' });
    expect(server.requests).toHaveLength(1);
  });
  test.each([
    ['no choices', { choices: [] }],
    ['null choices', { choices: null }],
    ['null content', completion({ content: null })],
    ['blank content', completion({ content: ' \n' })],
    ['no message', { choices: [{ finish_reason: 'stop' }] }],
  ])('empty: %s', async (_, body) => {
    expect(await reply(body)).toMatchObject({ kind: 'empty' });
  });
  test('API-08 cut at the token limit is truncated, and so are cut tool calls', async () => {
    expect(await reply(completion({ content: '{"name":"Ana","items":["a","b"' }, 'length'))).toMatchObject({ kind: 'truncated', text: '{"name":"Ana","items":["a","b"' });
    await server.close();
    expect(await reply(completion({ content: null, tool_calls: [{ id: 'a', function: { name: 'f', arguments: '{}' } }] }, 'length'))).toMatchObject({ kind: 'truncated' });
  });
  test.each([
    ['null', null],
    ['absent', undefined],
    ['NaN as text', { prompt_tokens: 'NaN', completion_tokens: 1.5 }],
    ['negative', { prompt_tokens: -1, completion_tokens: -2 }],
    ['null fields', { prompt_tokens: null }],
  ])('API-14 usage that is no count is null: %s', async (_, usage) => {
    expect((await reply(completion({ content: 'hi' }, 'stop', { usage }))).usage).toEqual({ inputTokens: null, outputTokens: null });
  });
  test('text parts and objects as arguments, as some providers send them', async () => {
    expect(
      await reply(
        completion(
          {
            content: [
              { type: 'text', text: 'a' },
              { type: 'text', text: 'b' },
            ],
            tool_calls: [{ function: { name: 'f', arguments: { x: 1 } } }],
          },
          'stop',
        ),
      ),
    ).toMatchObject({ content: 'ab', toolCalls: [{ id: 'call_0', name: 'f', arguments: '{"x":1}' }] });
  });
});

describe('streams', () => {
  test('give the same reply as a call without', async () => {
    const heard: string[] = [];
    const chunks = [
      delta({ role: 'assistant', content: '' }),
      delta({ content: '你' }),
      delta({ content: '好' }),
      delta({}, 'stop'),
      { ...delta({}), choices: [], usage: { prompt_tokens: 3, completion_tokens: 2 } },
    ];
    expect(
      await streamed(chunks, (text) => {
        heard.push(text);
        throw new Error('a watcher that breaks');
      }),
    ).toEqual({ kind: 'message', content: '你好', toolCalls: [], model: 'm-1', responseId: 'r1', finishReason: 'stop', usage: { inputTokens: 3, outputTokens: 2 } });
    expect(heard).toEqual(['你', '好']);
    expect(server.requests[0]!.body).toMatchObject({ stream: true, stream_options: { include_usage: true } });
  });
  test('put parallel tool calls together, interleaved or all under index 0', async () => {
    expect(await streamed([call(0, 'a', 'f', '{"x"'), call(1, 'b', 'g', '{'), call(0, null, null, ':1}'), call(1, null, null, '}'), delta({}, 'tool_calls')])).toMatchObject({
      toolCalls: [
        { id: 'a', name: 'f', arguments: '{"x":1}' },
        { id: 'b', name: 'g', arguments: '{}' },
      ],
    });
    await server.close();
    expect(await streamed([call(0, 'a', 'f', '{}'), call(0, 'b', 'g', '{"y":2}'), delta({}, 'tool_calls')])).toMatchObject({
      toolCalls: [
        { id: 'a', arguments: '{}' },
        { id: 'b', arguments: '{"y":2}' },
      ],
    });
  });
  test('refusal, filter, cut and empty are typed as well', async () => {
    for (const [chunks, kind] of [
      [[delta({ refusal: 'no' }), delta({}, 'stop')], 'refused'],
      [[delta({}, 'content_filter')], 'content_filter'],
      [[delta({ content: 'a' }), delta({}, 'length')], 'truncated'],
      [[delta({}, 'stop')], 'empty'],
    ] as const) {
      expect(await streamed([...chunks])).toMatchObject({ kind });
      await server.close();
    }
  });
  test('a server without streaming may send the whole completion', async () => {
    server = await startRawServer((response) => json(response, completion({ content: 'whole' })));
    expect(await clientFor(server.url, { stream: true }).complete(request(), options())).toMatchObject({ kind: 'message', content: 'whole' });
  });
  test('a whole answer is kept when only what comes after it breaks', async () => {
    server = await startRawServer((response) => sse(response, [delta({ content: 'paid' }), delta({}, 'stop')], 'cut'));
    expect(await clientFor(server.url, { stream: true }).complete(request(), options())).toMatchObject({ kind: 'message', content: 'paid', usage: { inputTokens: null } });
  });
});

describe('requests', () => {
  test('carry who asks and the idempotency key, in ASCII', async () => {
    const { headers } = await sent({ key: '任务-1:a1', stage: 'decide' });
    expect(headers).toMatchObject({ 'idempotency-key': '%E4%BB%BB%E5%8A%A1-1:a1', 'x-loopwright-agent': 'support', 'x-loopwright-stage': 'decide' });
  });
  test('the seed only when there is one; the limit by the name the route knows', async () => {
    expect((await sent({})).body).toEqual({ model: 'm-1', messages: [{ role: 'user', content: 'hello' }], temperature: 0.2, max_completion_tokens: 100 });
    await server.close();
    expect((await sent({ parameters: { temperature: 0, maxTokens: 50, seed: 7 } }, { outputLimitField: 'max_tokens' })).body).toMatchObject({
      seed: 7,
      max_tokens: 50,
      temperature: 0,
    });
  });
  test('no temperature for models that refuse one', async () => {
    const { body } = await sent({ route: { ...request().route, model: 'gpt-5-mini' } });
    expect(body).not.toHaveProperty('temperature');
  });
  test('tools, and the choice not to use them', async () => {
    const { body } = await sent({ tools: [{ name: 'f', description: 'does', parameters: { type: 'object' } }], toolChoice: 'none' });
    expect(body).toMatchObject({ tool_choice: 'none', tools: [{ type: 'function', function: { name: 'f', description: 'does', parameters: { type: 'object' } } }] });
  });
  test('calls and results of earlier turns', async () => {
    const { body } = await sent({
      messages: [
        { role: 'system', content: 's' },
        { role: 'assistant', content: null, toolCalls: [{ id: 'a', name: 'f', arguments: '{}' }] },
        { role: 'tool', content: 'r', toolCallId: 'a' },
        { role: 'assistant', content: null, toolCalls: [] },
      ],
    });
    expect(body.messages).toEqual([
      { role: 'system', content: 's' },
      { role: 'assistant', content: null, tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }] },
      { role: 'tool', content: 'r', tool_call_id: 'a' },
      { role: 'assistant', content: '' },
    ]);
  });
  test('structured output: strict, plain, or the schema in a message', async () => {
    const responseFormat = { name: 'an answer!', schema: z.object({ a: z.string().optional() }) };
    expect((await sent({ responseFormat })).body.response_format).toEqual({
      type: 'json_schema',
      json_schema: {
        name: 'an_answer_',
        strict: true,
        schema: { type: 'object', properties: { a: { anyOf: [{ type: 'string' }, { type: 'null' }] } }, required: ['a'], additionalProperties: false },
      },
    });
    await server.close();
    expect((await sent({ responseFormat }, { strict: false })).body.response_format.json_schema).toMatchObject({
      strict: false,
      schema: { type: 'object', properties: { a: { type: 'string' } } },
    });
    await server.close();
    const { body } = await sent({ responseFormat }, { structuredOutput: 'json_object' });
    expect(body.response_format).toEqual({ type: 'json_object' });
    expect(body.messages.at(-1).content).toContain('JSON');
  });
});
