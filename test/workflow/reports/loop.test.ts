import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { DEFAULT_LIMITS } from '../../../src/contracts/limits.ts';
import { refuse, type ScriptedRequest } from '../../../src/models/scripted/script.ts';
import { defineTool, ToolFailure } from '../../../src/tools/define-tool.ts';
import { answerWith, callTool, corrections, readNote } from '../../support/agents.ts';
import { resultsSent, sent, startReports, type Reports } from './probes.ts';

const tool = { version: '1.0.0', releasedAt: '2026-01-01', risk: 'read' as const, timeoutMs: 5_000 };
let reads = 0;
const readFile = defineTool({
  ...tool,
  name: 'read_file',
  description: 'Reads a file.',
  input: z.strictObject({ path: z.string(), encoding: z.string().optional() }),
  output: z.object({ text: z.string() }),
  execute: async ({ path }) => ({ text: path === 'clock' ? `read ${(reads += 1)}` : `text of ${path}` }),
});
/** Fails whatever it is asked. */
const failing = (name: string) =>
  defineTool({
    ...tool,
    name,
    description: 'Fails.',
    input: z.strictObject({ at: z.string() }),
    output: z.object({}),
    execute: async () => {
      throw new ToolFailure('unavailable', `${name} is down`);
    },
  });

describe.concurrent('loop', () => {
  let reports: Reports;
  beforeAll(async () => {
    reports = await startReports();
  });
  afterAll(() => reports.loop.stop());

  const spellings = ['{"path":"a.txt","encoding":"utf8"}', '{ "encoding" : "utf8", "path" : "a.txt" }', '{"path":"a.txt",\n"encoding":"utf8"}'];
  const repeats: [string, (turn: number) => string][] = [
    ['as it is', () => '{"path":"a.txt"}'],
    ['spelled otherwise', (turn) => spellings[turn % 3]!],
    ['for other reasons', (turn) => JSON.stringify({ path: 'a.txt', _decision: { reason: `reason ${turn}`, confidence: 0.9 - turn / 100 } })],
    ['with a result that always differs', () => '{"path":"clock"}'],
  ];
  it.each(repeats)('LOOP-01 the same call over and over is warned about, then ended (%s)', async (kind, spelling) => {
    const stuck = reports.probe(`loop01 ${kind}`, { tools: [readFile], limits: { maxTurns: 50 } }, (request) => ({
      toolCalls: [{ name: 'read_file', arguments: spelling(request.assistantTurns()) }],
    }));
    const outcome = await stuck.run();
    expect(outcome).toMatchObject({ outcome: 'handed_off', reason: 'no_progress', explanation: expect.stringContaining('read_file') });
    expect(outcome.turns).toBeLessThan(10);
    expect(outcome.text).not.toBe('');
    if (kind.includes('differs')) return;
    const warned = stuck.requests().findIndex((request) => sent(request).some((message) => message.content?.includes('3 times')));
    expect(warned).toBe(3);
    expect(outcome.turns).toBe(4);
  });

  const rounds: [string, (turn: number) => { name: string; at: string }][] = [
    ['two that alternate', (turn) => ({ name: ['a', 'b'][turn % 2]!, at: 'x' })],
    ['three in a circle', (turn) => ({ name: ['a', 'b', 'c'][turn % 3]!, at: 'x' })],
    ['other arguments every time', (turn) => ({ name: ['a', 'b'][turn % 2]!, at: `x${turn}` })],
  ];
  it.each(rounds)('LOOP-03 calls that fail in turn end within few turns (%s)', async (kind, next) => {
    // far more turns than the default allows, so that it is not the turn limit that ends it
    const stuck = reports.probe(`loop03 ${kind}`, { tools: ['a', 'b', 'c'].map(failing), limits: { maxTurns: 500, maxAttempts: 1 } }, (request) => {
      const { name, at } = next(request.assistantTurns());
      return callTool(name, { at });
    });
    const outcome = await stuck.run();
    expect(outcome).toMatchObject({ outcome: 'handed_off', reason: 'no_progress' });
    expect(outcome.turns).toBeLessThan(20);
  });

  it('LOOP-03 without a turn limit of its own a task still ends', async () => {
    expect(DEFAULT_LIMITS.maxTurns).toBeLessThan(100);
    const endless = reports.probe('loop03 unset', { tools: [readFile] }, (request) => callTool('read_file', { path: `${request.assistantTurns()}.${corrections(request)}` }));
    const outcome = await endless.run({ limits: { maxAttempts: 1 } });
    expect(outcome).toMatchObject({ outcome: 'handed_off', reason: 'max_turns', turns: DEFAULT_LIMITS.maxTurns + 1 });
  });

  const lastWords: [string, (request: ScriptedRequest) => object][] = [
    ['another tool call', (request) => callTool('read_file', { path: `last ${request.key}` })],
    ['nothing', () => ({ content: '' })],
    ['text that is no answer', () => ({ content: '{"type":"answer","output":null,"question":null,"confidence":1,"reason":""}' })],
    ['tool markup as text', () => ({ content: '<tool_call>{"name":"read_file"}</tool_call>' })],
  ];
  it.each(lastWords)('LOOP-04 the turn limit gives a reason, words for the user and what was found (the last call gives %s)', async (kind, last) => {
    const busy = reports.probe(`loop04 ${kind}`, { tools: [readFile], limits: { maxTurns: 3 } }, (request) =>
      request.toolChoice === 'none' ? last(request) : callTool('read_file', { path: `${request.assistantTurns()}.${corrections(request)}` }),
    );
    for (const [escalationAfterFail, ending] of [
      [true, 'handed_off'],
      [false, 'failed'],
    ] as const) {
      const outcome = await busy.run({ limits: { escalationAfterFail, maxAttempts: 2 } });
      expect(outcome).toMatchObject({ outcome: ending, reason: 'max_turns', output: null, toolCalls: 6, text: 'The task ended: max_turns.' });
      expect(outcome.calls.map((call) => call.status)).toEqual(Array(6).fill('success'));
      const { attempts } = await reports.view(outcome.taskId);
      expect(attempts.flatMap(({ toolCalls }) => toolCalls.map((call) => call.resultHash)).every((hash) => hash !== null)).toBe(true);
    }
  });

  it('LOOP-04 the forced last answer counts, and so does the best of an attempt before', async () => {
    const answering = reports.probe('loop04 answers', { tools: [readFile], limits: { maxTurns: 3 } }, (request) =>
      request.toolChoice === 'none' ? answerWith('good with what is known') : callTool('read_file', { path: `${request.assistantTurns()}` }),
    );
    expect(await answering.run()).toMatchObject({ outcome: 'passed', text: 'good with what is known', turns: 4 });
    const lastRequest = answering.requests().at(-1)!;
    expect(sent(lastRequest).at(-1)?.content).toContain('last turn');
    const drafting = reports.probe('loop04 best', { tools: [readFile], limits: { maxTurns: 3, maxAttempts: 2, escalationAfterFail: false } }, (request) => {
      if (corrections(request) === 0) return answerWith('a draft');
      return request.toolChoice === 'none' ? { content: '' } : callTool('read_file', { path: `${request.assistantTurns()}` });
    });
    expect(await drafting.run()).toMatchObject({ outcome: 'best_effort', reason: 'max_turns', text: 'a draft', output: { text: 'a draft' }, bestAttempt: 1 });
  });

  /** Reads one file after another, ~500 tokens each, until the summary says that it is enough. */
  const reading = (name: string, compact: (call: number) => object) => {
    let calls = 0;
    const long = defineTool({
      ...tool,
      name: 'read_file',
      description: 'Reads a file.',
      input: z.strictObject({ path: z.string() }),
      output: z.object({ id: z.string(), text: z.string() }),
      execute: async ({ path }) => ({ id: path, text: `text of ${path} `.repeat(120) }),
    });
    return reports.probe(
      name,
      { tools: [long, readNote], limits: { contextTokens: 1_500, maxTurns: 60, maxAttempts: 1 } },
      {
        decide: (request) => (request.transcript().includes('[summary of') ? answerWith('good') : callTool('read_file', { path: `f${request.assistantTurns()}` })),
        compact: () => compact((calls += 1)),
      },
    );
  };
  const misdirected = callTool('read_note', { name: 'x' });
  it.each([
    ['529, then empty, then a tool call', 1, [{ content: '' }, misdirected, misdirected, misdirected]],
    ['529 for ever', 1_000, []],
    ['blank, cut, refused', 0, [{ content: ' \n ' }, { content: 'half a summ', finishReason: 'length' }, refuse('No.')]],
  ] as const)('CTX-01 a summary that fails drops nothing, and after some tries the task ends (%s)', async (kind, overloads, replies) => {
    const full = reading(`ctx01 ${kind}`, (call) => replies[call - 1] ?? misdirected);
    if (overloads > 0) full.fail({ status: 529, times: overloads, when: (request) => request.stage === 'compact' });
    const outcome = await full.run({ task: 'read every file, and never forget the teapot' });
    expect(outcome).toMatchObject({ outcome: 'handed_off', reason: 'context_limit' });
    expect(full.requests('compact').length).toBeLessThanOrEqual(9);
    const decides = full.requests('decide');
    for (const [turn, request] of decides.entries()) {
      expect(sent(request)[1]).toMatchObject({ role: 'user', content: expect.stringContaining('never forget the teapot') });
      expect(resultsSent(request).map((text) => /"id":"(f\d+)"/.exec(text)?.[1])).toEqual(Array.from({ length: turn }, (_, index) => `f${index}`));
    }
    expect(decides.at(-1)!.at).toBeGreaterThan(full.requests('compact')[0]!.at);
  });

  it('CTX-01 a summary that comes at last keeps the task, the last messages and the key fields', async () => {
    const full = reading('ctx01 at last', (call) => (call < 3 ? { content: '' } : { content: 'Files were read.' }));
    const outcome = await full.run({ task: 'read every file, and never forget the teapot' });
    expect(outcome).toMatchObject({ outcome: 'passed', usage: { calls: full.requests().length } });
    const last = sent(full.requests('decide').at(-1));
    expect(last[1]?.content).toContain('never forget the teapot');
    expect(last.find((message) => message.content?.startsWith('[summary of'))?.content).toMatch(/Files were read\.\nKey fields, word for word: .*read_file\.id=f/);
    expect(last.at(-1)?.content).toMatch(/"id":"f\d+"/);
  });
});
