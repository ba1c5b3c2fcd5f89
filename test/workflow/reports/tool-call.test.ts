import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ChatMessage } from '../../../src/models/model.ts';
import { estimateTokens } from '../../../src/models/tokens.ts';
import type { ScriptedRequest } from '../../../src/models/scripted/script.ts';
import type { LoggedRequest } from '../../../src/models/scripted/server.ts';
import { defineTool } from '../../../src/tools/define-tool.ts';
import { answerWith, callTool, readNote } from '../../support/agents.ts';
import { historyText, resultsSent, scheduled, sent, startReports, type Reports } from './probes.ts';

const tool = { version: '1.0.0', releasedAt: '2026-01-01', risk: 'read' as const, timeoutMs: 5_000 };
/** A tool that keeps what it was called with. */
function recorder<Shape extends z.ZodRawShape>(name: string, shape: Shape, calls: unknown[]) {
  return defineTool({
    ...tool,
    name,
    description: `Takes ${name}.`,
    input: z.strictObject(shape),
    output: z.object({ ok: z.boolean() }),
    execute: async (input) => {
      calls.push(input);
      return { ok: true };
    },
  });
}

describe.concurrent('tool calls', () => {
  let reports: Reports;
  let streamed: Reports;
  beforeAll(async () => {
    [reports, streamed] = await Promise.all([startReports(), startReports({ stream: true })]);
  });
  afterAll(() => Promise.all([reports.loop.stop(), streamed.loop.stop()]));

  const broken = ['{"{"tagIds":[1]', '{"tagIds": [1, 2', '{"tagIds":', 'tagIds = 1', '[1]', '"tagIds"', 'null', `{"{"tagIds":[${'1,'.repeat(5_000)}`];
  it('TOOL-01 malformed arguments are told to the model and end nothing', async () => {
    await Promise.all(
      broken.map(async (text, index) => {
        const calls: unknown[] = [];
        const { probe } = index % 2 === 0 ? reports : streamed;
        const tagging = probe(`tool01_${index}`, { tools: [recorder('tag', { tagIds: z.array(z.int()) }, calls)] }, (request) => {
          const results = request.toolResults();
          if (results.length === 0) return { toolCalls: [{ name: 'tag', arguments: text }] };
          return results.length === 1 ? callTool('tag', { tagIds: [1] }) : answerWith('good');
        });
        expect(await tagging.run()).toMatchObject({ outcome: 'passed', toolCalls: 1, turns: 3 });
        expect(calls).toEqual([{ tagIds: [1] }]);
        const [told] = resultsSent(tagging.requests()[1]);
        expect(told).toMatch(/"code":"invalid_(json|arguments)"/);
        if (index === 0) expect(told).toMatch(/invalid_json.*not valid JSON.*tagIds/);
        expect(told!.length).toBeLessThan(700);
        // a provider takes no conversation that holds arguments that are no JSON
        const [call] = sent(tagging.requests()[1]).flatMap((message) => message.tool_calls ?? []);
        expect(typeof JSON.parse(call!.function.arguments)).toBe('object');
      }),
    );
  });

  it('TOOL-04 an unknown tool is told to the model, and no activity runs for it', async () => {
    const tools = ['list_dir', 'read_file'].map((name) => recorder(name, { path: z.string() }, []));
    const listing = reports.probe('tool04', { tools }, (request) => {
      const results = request.toolResults();
      if (results.length === 0) return callTool('search_files', { pattern: '*' });
      return results.length === 1 ? callTool('list_dir', { path: '.' }) : answerWith('good');
    });
    const outcome = await listing.run();
    expect(outcome).toMatchObject({ outcome: 'passed', toolCalls: 1 });
    expect(resultsSent(listing.requests()[1])[0]).toMatch(/unknown_tool.*list_dir, read_file/);
    const calls = (await scheduled(reports.loop, outcome.taskId)).filter(({ activity }) => activity === 'callTool');
    expect(calls.map(({ input }) => /"tool":"(\w+)"/.exec(input)?.[1])).toEqual(['list_dir']);
    expect((await reports.view(outcome.taskId)).attempts[0]!.toolCalls.map((call) => [call.tool, call.status, call.code])).toEqual([
      ['search_files', 'denied', 'unknown_tool'],
      ['list_dir', 'success', null],
    ]);
  });

  it.each([
    ['the same name', () => 'search_files'],
    ['another name each time', (turn: number) => `search_files_${turn}`],
    ['odd names', (turn: number) => ['', 'list dir', '__proto__', 'constructor', 'toString'][turn % 5]!],
  ])('TOOL-04 unknown tools again and again are no progress (%s)', async (kind, nameOf) => {
    const lost = reports.probe(`tool04_${kind}`, { limits: { maxTurns: 50 } }, (request) => callTool(nameOf(request.assistantTurns()), { pattern: '*' }));
    const outcome = await lost.run();
    expect(outcome).toMatchObject({ outcome: 'handed_off', reason: 'no_progress', toolCalls: 0 });
    expect(outcome.turns).toBeLessThan(10);
    for (const call of sent(lost.requests().at(-1)).flatMap((message) => message.tool_calls ?? [])) expect(call.function.name).toMatch(/^[\w-]{1,64}$/);
  });

  it('TOOL-04 calls that share an id keep a result each', async () => {
    const twins = reports.probe('tool04_twins', {}, (request) =>
      request.toolResults().length > 0
        ? answerWith('good')
        : { toolCalls: ['a', 'b', 'c'].map((name) => ({ id: name === 'c' ? '' : 'same', name: 'read_note', arguments: { name } })) },
    );
    expect(await twins.run()).toMatchObject({ outcome: 'passed', toolCalls: 3 });
    const messages = sent(twins.requests()[1]);
    const ids = messages.flatMap((message) => message.tool_calls ?? []).map((call) => call.id);
    expect(new Set(ids).size).toBe(3);
    expect(messages.filter((message) => message.role === 'tool').map((message) => message.tool_call_id)).toEqual(ids);
  });

  it('TOOL-07 nested values that come as JSON text are unwrapped; a real string stays one', async () => {
    const calls: unknown[] = [];
    const edit = z.strictObject({ old: z.string(), new: z.string() });
    const tools = [
      recorder('edit', { edits: z.array(edit) }, calls),
      recorder('say', { text: z.string() }, calls),
      recorder('set', { value: z.strictObject({ list: z.array(z.int()), note: z.string() }) }, calls),
    ];
    const encoding = reports.probe('tool07', { tools }, (request) =>
      request.toolResults().length > 0
        ? answerWith('good')
        : {
            toolCalls: [
              { name: 'edit', arguments: { edits: '[{"old":"a","new":"b"}]' } },
              { name: 'edit', arguments: JSON.stringify({ edits: ['{"old":"c","new":"[1]"}'] }) },
              { name: 'say', arguments: { text: '[1,2]' } },
              { name: 'say', arguments: { text: '{"a":1}' } },
              { name: 'set', arguments: { value: '{"list":"[1,2]","note":"[3]"}' } },
              { name: 'edit', arguments: { edits: '[{"old":"a"' } },
            ],
          },
    );
    expect(await encoding.run()).toMatchObject({ outcome: 'passed', toolCalls: 5 });
    expect(calls).toHaveLength(5);
    for (const call of [
      { edits: [{ old: 'a', new: 'b' }] },
      { edits: [{ old: 'c', new: '[1]' }] },
      { text: '[1,2]' },
      { text: '{"a":1}' },
      { value: { list: [1, 2], note: '[3]' } },
    ])
      expect(calls).toContainEqual(call);
    const results = resultsSent(encoding.requests()[1]);
    expect(results).toHaveLength(6);
    expect(results[5]).toMatch(/invalid_arguments.*edits.*\(string\).*expected array/);
  });

  it('TOOL-09 numbers in quotation marks are read as numbers or refused by name and type', async () => {
    // MCP tools go through the same `prepareCall`; they come with a later issue
    const calls: { depth: number; limit: number }[] = [];
    const cases: [depth: unknown, limit: unknown, read: { depth: number; limit: number } | 'depth' | 'limit'][] = [
      ['3', '3', { depth: 3, limit: 3 }],
      [' 2 ', ' 2 ', { depth: 2, limit: 2 }],
      [4, '3.5', { depth: 4, limit: 3.5 }],
      ['-1', '-0.5', { depth: -1, limit: -0.5 }],
      ['3.5', 1, 'depth'],
      ['1e3', 1, 'depth'],
      ['0x10', 1, 'depth'],
      ['1,000', 1, 'depth'],
      ['', 1, 'depth'],
      [' ', 1, 'depth'],
      ['３', 1, 'depth'],
      ['9007199254740993', 1, 'depth'],
      [1, '1e3', 'limit'],
      [1, '0x10', 'limit'],
      [1, '1,000', 'limit'],
      [1, '', 'limit'],
      [1, 'Infinity', 'limit'],
      [1, 'NaN', 'limit'],
      [1, '+1', 'limit'],
      [1, '٣', 'limit'],
    ];
    const counting = reports.probe('tool09', { tools: [recorder('count', { depth: z.int(), limit: z.number() }, calls)], limits: { maxParallelCalls: 32 } }, (request) =>
      request.toolResults().length > 0 ? answerWith('good') : { toolCalls: cases.map(([depth, limit]) => ({ name: 'count', arguments: { depth, limit } })) },
    );
    const read = cases.filter((each) => typeof each[2] === 'object');
    expect(await counting.run()).toMatchObject({ outcome: 'passed', toolCalls: read.length });
    expect(calls.toSorted((a, b) => a.depth - b.depth)).toEqual(read.map((each) => each[2] as { depth: number; limit: number }).toSorted((a, b) => a.depth - b.depth));
    const results = resultsSent(counting.requests()[1]);
    for (const [index, [, , expected]] of cases.entries()) {
      if (typeof expected === 'object') expect(results[index]).toContain('"ok":true');
      else expect(results[index]).toMatch(new RegExp(`invalid_arguments.*${expected}.*expected ${expected === 'depth' ? 'integer' : 'number'}`));
    }
  });
});

describe.concurrent('tool results', () => {
  const WINDOW = 32_000;
  let reports: Reports;
  beforeAll(async () => {
    reports = await startReports({ writer: { contextWindow: WINDOW } });
  });
  afterAll(() => reports.loop.stop());

  const texts = { English: 'the quick brown fox jumps over the lazy dog ', Chinese: '今天讨论了部署方案服务器在腾讯云', dense: '\u{1f469}\u200d\u{1f680}\u{10ffff}é̈' };
  it.each(
    Object.keys(texts).flatMap((text) => [
      { text, at: 'one a turn' },
      { text, at: 'all in one turn' },
    ]),
  )('TOOL-10 results of 200,000 characters never overflow the window ($text, $at)', async ({ text, at }) => {
    const word = texts[text as keyof typeof texts];
    const dump = defineTool({
      ...tool,
      name: 'dump',
      description: 'Dumps a table.',
      input: z.strictObject({ table: z.string() }),
      output: z.string(),
      execute: async () => word.repeat(Math.ceil(200_000 / word.length)).slice(0, 200_000),
    });
    const tables = ['a', 'b', 'c', 'd', 'e'];
    const dumping = reports.probe(
      `tool10_${text}_${at}`,
      { tools: [dump, readNote], limits: { toolResultChars: 8_000 } },
      {
        decide: (request) => {
          const asked = request.calls().length + summarised(request);
          if (asked >= tables.length) return answerWith('good');
          return at === 'one a turn' ? callTool('dump', { table: tables[asked] }) : { toolCalls: tables.flatMap((table) => callTool('dump', { table }).toolCalls) };
        },
        compact: (request) => ({ content: `TABLES=${summarised(request) + request.transcript().split('[calls dump').length - 1}` }),
      },
    );
    const outcome = await dumping.run();
    expect(outcome).toMatchObject({ outcome: 'passed', toolCalls: 5 });
    for (const request of dumping.requests()) {
      expect(request.status).toBe(200);
      expect(tokensOf(request)).toBeLessThanOrEqual(WINDOW);
      for (const result of resultsSent(request)) {
        expect(result.length).toBeLessThan(8_400);
        expect(result).toMatch(/\[cut: showing the first (7999|8000) of 2000\d\d characters; full result: blob [0-9a-f]{64}\]$/);
      }
    }
    const [first] = (await reports.view(outcome.taskId)).attempts[0]!.toolCalls;
    expect(JSON.parse((await reports.loop.database.store.blobs.get(first!.resultHash!))!)).toHaveLength(200_000);
    expect((await historyText(reports.loop, outcome.taskId)).length).toBeLessThan(200_000);
  });
});

/** Tables that a summary counts. */
function summarised(request: ScriptedRequest): number {
  return Number(/TABLES=(\d)/.exec(request.transcript())?.[1] ?? 0);
}

/** Input and the output that it allows, as a provider counts them. */
function tokensOf(request: LoggedRequest): number {
  const body = request.body as { max_completion_tokens: number; tools?: { function: { name: string; description: string; parameters: Record<string, unknown> } }[] };
  const messages = sent(request).map((message): ChatMessage => ({
    role: message.role as 'assistant',
    content: message.content,
    ...(message.tool_calls ? { toolCalls: message.tool_calls.map((call) => ({ id: call.id, ...call.function })) } : {}),
  }));
  return (
    estimateTokens(
      messages,
      (body.tools ?? []).map((each) => each.function),
    ) + body.max_completion_tokens
  );
}
