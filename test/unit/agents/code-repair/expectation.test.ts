import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { equalValues, matchesOutput } from '../../../../src/agents/code-repair/expectation.ts';

describe('what came out against what was expected', () => {
  it.each([
    ['6', '6\n', true],
    ['6', '6.0', false],
    ['a\nb', 'a\r\nb\r\n', true],
    ['', '\n', true],
    ['a', 'A', false],
    [6, '6', true],
    [6, '6.0\n', true],
    [0.3, '0.30000000000000004', true],
    [6, '', false],
    [0, '', false],
    [6, '6 apples', false],
    [6, '0a123', false],
    [true, 'true', true],
    [true, 'True', false],
    [null, 'null', true],
    [{ a: 1, b: [2] }, '{"b":[2.0],"a":1}', true],
    [{ a: 1 }, '{"a":1,"b":2}', false],
    [[1, 2], '[2,1]', false],
    [[], '', false],
    [{ a: undefined }, '{}', false],
    [0, 'Infinity', false],
    [0, 'NaN', false],
  ])('%j, printed %j: %s', (expected, printed, same) => expect(matchesOutput(expected, printed)).toBe(same));

  it('takes every JSON value as itself, however it is printed', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const plain: unknown = JSON.parse(JSON.stringify(value));
        expect(equalValues(plain, structuredClone(plain))).toBe(true);
        if (typeof plain !== 'string') expect(matchesOutput(plain, `\n${JSON.stringify(plain, null, 2)}\n`)).toBe(true);
      }),
    );
  });

  it('tells numbers apart that differ by more than rounding', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1_000_000, max: 1_000_000 }), fc.integer({ min: 1, max: 1_000 }), (number, more) => {
        expect(equalValues(number, number + more)).toBe(false);
        expect(equalValues([number], [number * (1 + 1e-12)])).toBe(true);
      }),
    );
  });

  it('does not mistake types for one another', () => {
    for (const [one, other] of [
      [1, '1'],
      [1, true],
      [0, null],
      [[], {}],
      ['', null],
    ])
      expect(equalValues(one, other)).toBe(false);
  });
});
