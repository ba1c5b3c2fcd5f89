import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { modelJudge } from '../../../src/evaluation/judge.ts';
import { defineTool } from '../../../src/tools/define-tool.ts';
import { answerWith, callTool, saysGood } from '../../support/agents.ts';
import { startReports, type Reports } from './probes.ts';

const USD = 1_000_000;
/** 100,000 tokens of text. */
const bigPage = defineTool({
  name: 'read_page',
  version: '1.0.0',
  releasedAt: '2026-01-01',
  description: 'Reads a page.',
  input: z.strictObject({ page: z.int() }),
  output: z.string(),
  risk: 'read',
  timeoutMs: 5_000,
  execute: async () => 'word '.repeat(100_000),
});

/** Tokens that cost the writer exactly so much. */
function costing(usd: number): { prompt_tokens: number; completion_tokens: number } {
  const micros = Math.round(usd * USD);
  return { prompt_tokens: Math.floor(micros / 3), completion_tokens: (micros % 3) * 100 };
}

describe.concurrent('budget', () => {
  let reports: Reports;
  beforeAll(async () => {
    reports = await startReports({
      // 100,000 tokens of input cost 0.30 USD
      writer: { contextWindow: 300_000, inputMicrosPerMillion: 3 * USD, outputMicrosPerMillion: 0.01 * USD },
      // 2,000 tokens of output cost 0.20 USD
      judge: { inputMicrosPerMillion: 0, outputMicrosPerMillion: 100 * USD },
    });
  });
  afterAll(() => reports.loop.stop());

  it.each([
    { spent: 0.049, explanation: /may cost 3\d{5} micro-USD; 1000 are left\. It was not sent/ },
    { spent: 0.05, explanation: /spent 50000 of 50000 micro-USD/ },
  ])('BUD-01 a call that may pass the cap is not sent ($spent of 0.05 USD spent)', async ({ spent, explanation }) => {
    const costly = reports.probe(
      `bud01 ${spent}`,
      { tools: [bigPage], limits: { maxCostMicros: 0.05 * USD, contextTokens: 200_000, toolResultChars: 1_000_000, maxTotalTokens: 10_000_000 } },
      (request) => (request.toolResults().length === 0 ? { ...callTool('read_page', { page: 1 }), usage: costing(spent) } : answerWith('good')),
    );
    const outcome = await costly.run();
    expect(outcome).toMatchObject({ outcome: 'handed_off', reason: 'cost_budget', explanation: expect.stringMatching(explanation), usage: { costMicros: spent * USD, calls: 1 } });
    expect(costly.requests()).toHaveLength(1);
  });

  it('BUD-01 the same holds for tokens', async () => {
    const costly = reports.probe(
      'bud01 tokens',
      { tools: [bigPage], limits: { maxTotalTokens: 100_000, maxCostMicros: 100 * USD, contextTokens: 200_000, toolResultChars: 1_000_000 } },
      (request) => (request.toolResults().length === 0 ? { ...callTool('read_page', { page: 1 }), usage: { prompt_tokens: 900, completion_tokens: 100 } } : answerWith('good')),
    );
    const outcome = await costly.run();
    expect(outcome).toMatchObject({
      outcome: 'handed_off',
      reason: 'token_budget',
      explanation: expect.stringMatching(/may use 10\d{4} tokens.*99000 are left\. It was not sent/),
      usage: { inputTokens: 900, outputTokens: 100 },
    });
    expect(costly.requests()).toHaveLength(1);
  });

  // Tools cost nothing that a budget counts and a task's own model calls come one after another; the calls of one step that are paid are the judges'.
  it.each([
    { left: 0.1, fit: 0 },
    { left: 0.2, fit: 1 },
    { left: 0.7, fit: 3 },
  ])('BUD-02 of five judges at 0.20 USD only those are asked that fit into $left USD', async ({ left, fit }) => {
    const judges = ['a', 'b', 'c', 'd', 'e'].map((name) =>
      modelJudge({ name: `judge_${name}`, criteria: [{ name: 'kind', question: 'Is it kind?', weight: 1 }], scale: { min: 0, max: 10 }, passScore: 5, rounds: 1 }),
    );
    const judged = reports.probe(
      `bud02 ${left}`,
      { evaluators: [saysGood, ...judges], limits: { maxCostMicros: 10 * USD, maxTotalTokens: 100_000_000 } },
      {
        decide: () => ({ ...answerWith('good'), usage: costing(10 - left) }),
        judge: () => ({ content: { criteria: [{ criterion: 'kind', quote: 'good', reason: 'it is', score: 10 }] }, usage: { prompt_tokens: 1_000, completion_tokens: 2_000 } }),
      },
    );
    const outcome = await judged.run();
    expect(outcome).toMatchObject({ outcome: 'handed_off', reason: 'cost_budget' });
    expect(judged.requests('judge')).toHaveLength(fit);
    expect(outcome.usage.calls).toBe(1 + fit);
    expect(outcome.usage.costMicros).toBeCloseTo((10 - left + fit * 0.2) * USD, -1);
    expect(outcome.usage.costMicros).toBeLessThanOrEqual(10 * USD);
  });

  it('BUD-02 calls that broke off and were made again count', async () => {
    const broken = reports.probe('bud02 retries', {}, () => ({ ...answerWith('good'), usage: { prompt_tokens: 1_000, completion_tokens: 10 } }));
    broken.fail({ cutAfterChunks: 1, times: 2 });
    const outcome = await broken.run();
    const { modelCalls } = await reports.view(outcome.taskId);
    expect(outcome.usage).toMatchObject({ calls: 3, estimated: true, costMicros: modelCalls.reduce((sum, call) => sum + call.costMicros, 0) });
    expect(outcome.usage.inputTokens).toBeGreaterThan(1_000);
  });

  it('BUD-02 calls that broke off count although nothing came of them', async () => {
    const broken = reports.probe('bud02 broken', {}, () => answerWith('good'));
    broken.fail({ cutAfterChunks: 1, times: 10 });
    const task = await broken.start();
    const outcome = await task.result();
    const { modelCalls } = await reports.view(outcome.taskId);
    expect(outcome).toMatchObject({
      outcome: 'failed',
      reason: 'model_unavailable',
      usage: { calls: 3, estimated: true, costMicros: modelCalls.reduce((sum, call) => sum + call.costMicros, 0) },
    });
    expect(outcome.usage.costMicros).toBeGreaterThan(0);
    expect((await task.state()).usage).toEqual(outcome.usage);
  });

  it('BUD-02 a call is not made again for what its first try has used up', async () => {
    const broken = reports.probe('bud02 once', { limits: { maxTotalTokens: 500, maxAttempts: 1 }, parameters: { maxTokens: 50 }, tools: [] }, () => answerWith('good'));
    broken.fail({ cutAfterChunks: 1 });
    const tokens = (await reports.probe('bud02 size', { parameters: { maxTokens: 50 }, tools: [] }, () => answerWith('good')).run()).usage.inputTokens;
    const outcome = await broken.run({ limits: { maxTotalTokens: Math.floor((tokens + 50) * 1.5) } });
    expect(outcome).toMatchObject({ outcome: 'handed_off', reason: 'token_budget' });
    expect(broken.requests()).toHaveLength(1);
  });
});
