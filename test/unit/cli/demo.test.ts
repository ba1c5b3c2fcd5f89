import { describe, expect, test } from 'vitest';
import { type AgentCase, parseCases } from '../../../src/agents/case.ts';
import { createBlocks } from '../../../src/cli/demo/blocks.ts';
import { differencesOf } from '../../../src/cli/demo/differences.ts';
import { safe } from '../../../src/cli/text/safe.ts';
import type { Outcome } from '../../../src/contracts/outcome.ts';

describe('blocks of tasks that run at the same time', () => {
  test('the first is live, the others follow whole and in their order', () => {
    const printed: string[] = [];
    const blocks = createBlocks((line) => printed.push(line.text));
    const [first, second, third] = [blocks.open(), blocks.open(), blocks.open()];
    second.say(safe`2a`);
    first.say(safe`1a`);
    expect(printed, 'the first is printed at once').toEqual(['1a']);
    third.say(safe`3a`);
    third.end();
    second.say(safe`2b`);
    first.say(safe`1b`);
    expect(printed).toEqual(['1a', '1b']);
    first.end();
    expect(printed, 'the second is live now').toEqual(['1a', '1b', '2a', '2b']);
    second.say(safe`2c`);
    second.end();
    expect(printed).toEqual(['1a', '1b', '2a', '2b', '2c', '3a']);
    const last = blocks.open();
    last.say(safe`4a`);
    expect(printed.at(-1)).toBe('4a');
  });
});

describe('differences from what a case expects', () => {
  const [sample] = parseCases(
    JSON.stringify({
      name: 'a',
      title: 'A',
      input: {},
      expected: { outcome: 'passed', reason: 'quality_reached', output: { orderId: 'A001', options: ['x'] }, textIncludes: ['A001', '159.00'], attempts: 2 },
    }),
  ) as [AgentCase];
  const outcome = (more: Partial<Outcome> = {}): Outcome =>
    ({
      outcome: 'passed',
      reason: 'quality_reached',
      output: { orderId: 'A001', options: ['x'], reply: 'more' },
      text: 'A001: 159.00',
      attempts: [{}, {}],
      ...more,
    }) as Outcome;

  test('none', () => {
    expect(differencesOf(sample, outcome(), true)).toEqual([]);
  });
  test.each<[Partial<Outcome>, string]>([
    [{ outcome: 'handed_off' }, 'outcome handed_off instead of passed'],
    [{ reason: 'accepted_by_person' }, 'reason accepted_by_person instead of quality_reached'],
    [{ output: null }, 'output.orderId missing instead of "A001"'],
    [{ output: { orderId: 'A001', options: [] } }, 'output.options [] instead of ["x"]'],
    [{ text: 'A001' }, 'the text does not say "159.00"'],
    [{ attempts: [] }, '0 attempts instead of 2'],
  ])('%j', (change, says) => {
    expect(differencesOf(sample, outcome(change), true)).toContain(says);
  });
  test('a real model is held to outcome and reason alone', () => {
    expect(differencesOf(sample, outcome({ output: null, text: '', attempts: [] }), false)).toEqual([]);
    expect(differencesOf(sample, outcome({ outcome: 'failed', reason: 'model_rejected' }), false)).toHaveLength(2);
  });
});
