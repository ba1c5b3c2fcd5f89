import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { costMicros, priceOf } from '../../../src/models/prices.ts';
import { resolveRoutes } from '../../../src/models/routes.ts';

const scriptedURL = 'http://127.0.0.1:9/v1';

describe('resolveRoutes', () => {
  test('nothing set: the scripted models', () => {
    const routes = resolveRoutes({ scriptedURL });
    expect(routes).toMatchObject({
      source: 'scripted',
      writer: { route: 'writer', model: 'scripted-writer' },
      judge: { route: 'judge', model: 'scripted-judge' },
      notices: ['the model is scripted'],
    });
    expect(routes.connections.judge).toMatchObject({ baseURL: scriptedURL });
  });
  test('key and model: the configured one, and the judge is off', () => {
    const routes = resolveRoutes({ apiKey: 'sk-secret', model: 'gpt-4.1-mini', scriptedURL });
    expect(routes).toMatchObject({ source: 'configured', writer: { model: 'gpt-4.1-mini', inputMicrosPerMillion: 400_000, contextWindow: 1_047_576 }, judge: null });
    expect(Object.keys(routes.connections)).toEqual(['writer']);
    expect(routes.connections.writer!.baseURL).toBe('https://api.openai.com/v1');
    expect(routes.notices.join()).toContain('judge is off');
    expect(JSON.stringify(routes)).not.toContain('sk-secret');
  });
  test('base URL without a key sends a placeholder', () => {
    const routes = resolveRoutes({ baseURL: 'http://localhost:11434/v1', model: 'qwen', judgeModel: 'llama' });
    expect(routes.connections.judge!.apiKey()).toBe('none');
    expect(routes.judge).toMatchObject({ route: 'judge', model: 'llama', inputMicrosPerMillion: 0 });
    expect(routes.notices.filter((notice) => notice.includes('price of'))).toHaveLength(2);
  });
  test.each(['gpt-4o', 'GPT-4o', ' gpt-4o ', 'gpt-4o-2024-08-06'])('EVAL-08 a judge that is the writer is refused: %s', (judgeModel) => {
    expect(() => resolveRoutes({ apiKey: 'k', model: 'gpt-4o', judgeModel })).toThrow(/another model than the writer.*LOOPWRIGHT_JUDGE_MODEL/s);
  });
  test('a model that can not be reached is refused', () => expect(() => resolveRoutes({ model: 'gpt-4o', scriptedURL })).toThrow(/OPENAI_API_KEY/));
  test('a key without a model is scripted, and says so', () => expect(resolveRoutes({ apiKey: 'k', model: '', scriptedURL }).notices[0]).toContain('LOOPWRIGHT_MODEL'));
  test('no model at all', () => expect(() => resolveRoutes({})).toThrow(/no model/));
  test('a price that was set holds', () => {
    const routes = resolveRoutes({ apiKey: 'k', model: 'own', price: { inputMicrosPerMillion: 1, outputMicrosPerMillion: 2 }, contextWindow: 9_000 });
    expect(routes.writer).toMatchObject({ inputMicrosPerMillion: 1, outputMicrosPerMillion: 2, contextWindow: 9_000 });
    expect(routes.notices.join()).not.toContain('price');
  });
});

describe('prices', () => {
  test('dated and prefixed names', () => expect(priceOf('openai/gpt-4o-2024-08-06')).toMatchObject({ inputMicrosPerMillion: 2_500_000, known: true }));
  test('unknown, and names of object members', () => {
    for (const name of ['mystery', 'constructor', '__proto__']) expect(priceOf(name).known).toBe(false);
  });
  test('cost is rounded up and never NaN', () => {
    const route = { inputMicrosPerMillion: 150_000, outputMicrosPerMillion: 600_000 };
    expect(costMicros(route, { inputTokens: 1_000_000, outputTokens: 1_000_000 })).toBe(750_000);
    expect(costMicros(route, { inputTokens: 1, outputTokens: 0 })).toBe(1);
    expect(() => costMicros(route, { inputTokens: Number.NaN, outputTokens: 0 })).toThrow(RangeError);
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (inputTokens, outputTokens) => {
        expect(Number.isInteger(costMicros(route, { inputTokens, outputTokens }))).toBe(true);
      }),
    );
  });
});
