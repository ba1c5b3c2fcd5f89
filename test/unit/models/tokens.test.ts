import * as fc from 'fast-check';
import { countTokens as exact } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';
import { countTokens, estimateTokens } from '../../../src/models/tokens.ts';

describe('countTokens', () => {
  test('equals the tokenizer on ordinary text', () => {
    for (const text of ['', 'The order A001 was shipped.', '订单已发货，请您耐心等待。', '{"a": [1, 2, 3]}\n', '👩‍👩‍👧‍👦']) expect(countTokens(text)).toBe(exact(text));
  });
  test('is near it, and not below it by much, on any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 3_000, size: 'max' }), (text) => {
        const truth = exact(text, { disallowedSpecial: new Set() });
        expect(countTokens(text)).toBeGreaterThanOrEqual(truth * 0.95 - 2);
        expect(countTokens(text)).toBeLessThanOrEqual(truth * 1.1 + 4);
      }),
      { numRuns: 30 },
    );
  });
  test('control tokens are plain text', () => expect(countTokens('<|endoftext|>')).toBeGreaterThan(1));
  test.each([['a'], [' '], ['中'], ['\n'], ['😀'], ['='], ['\ud800']])('a long run of %j takes no time', (character) => {
    const started = performance.now();
    expect(countTokens(character.repeat(200_000))).toBeGreaterThan(0);
    expect(performance.now() - started).toBeLessThan(1_500);
  });
});

test('estimateTokens counts texts, calls and tools', () => {
  const user = { role: 'user' as const, content: 'Where is A001?' };
  const call = { role: 'assistant' as const, content: null, toolCalls: [{ id: 'c', name: 'get_order_status', arguments: '{"orderId":"A001"}' }] };
  const tool = { name: 'get_order_status', description: 'Looks an order up.', parameters: { type: 'object' } };
  expect(estimateTokens([])).toBeGreaterThan(0);
  expect(estimateTokens([user, call])).toBeGreaterThan(estimateTokens([user]) + 8);
  expect(estimateTokens([user], [tool])).toBeGreaterThan(estimateTokens([user]) + 8);
});
