import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson, CanonicalJsonError, hashArguments } from '../../../src/tools/canonical-json.ts';

const json = fc.jsonValue({ noUnpairedSurrogates: false } as object).map((value) => JSON.parse(JSON.stringify(value)) as unknown);

/** The same value with every object's keys in another order. */
function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, item]) => [key, shuffled(item)]),
  );
}

describe('canonicalJson', () => {
  test('sorts keys by code unit at every level, without spaces', () => {
    expect(canonicalJson({ b: 1, a: [{ d: null, c: 'x' }], B: true, ä: 1, '10': 1, '9': 1 })).toBe('{"10":1,"9":1,"B":true,"a":[{"c":"x","d":null}],"b":1,"ä":1}');
    expect(canonicalJson({ '\u{1F600}': 1, '\uFFFD': 2 })).toBe('{"\u{1F600}":1,"\uFFFD":2}');
  });
  test('writes -0 as 0, and numbers as JSON does', () => {
    expect(canonicalJson([-0, 1e21, 0.1, 1.0])).toBe('[0,1e+21,0.1,1]');
  });
  test('I18N-02 keeps control characters and lone surrogates as escapes', () => {
    expect(canonicalJson({ text: 'a\u0000b\u0001\ud800' })).toBe('{"text":"a\\u0000b\\u0001\\ud800"}');
    expect(JSON.parse(canonicalJson({ text: 'a\u0000b' }))).toEqual({ text: 'a\u0000b' });
  });
  test('property: key order does not matter, to the text or the hash', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(canonicalJson(shuffled(value))).toBe(canonicalJson(value));
        expect(hashArguments(shuffled(value))).toBe(hashArguments(value));
      }),
    );
  });
  test('property: parsing it gives an equal value, and writing that gives the same text', () => {
    fc.assert(
      fc.property(json, (value) => {
        const text = canonicalJson(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(JSON.parse(text))).toBe(text);
      }),
    );
  });
  test('hashes as sha256 of the UTF-8 text', () => {
    expect(hashArguments({})).toBe('44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a');
    expect(hashArguments({ a: 1 })).not.toBe(hashArguments({ a: '1' }));
  });
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  test.each([
    ['not_finite', { a: [Number.NaN] }, 'a[0]'],
    ['not_finite', Number.POSITIVE_INFINITY, ''],
    ['undefined', { a: undefined }, 'a'],
    // oxlint-disable-next-line no-sparse-arrays
    ['undefined', [1, , 2], '[1]'],
    ['bigint', { a: 1n }, 'a'],
    ['function', { a: () => 1 }, 'a'],
    ['symbol', { a: Symbol('x') }, 'a'],
    ['not_plain', { at: new Date(0) }, 'at'],
    ['not_plain', new Map(), ''],
    ['cycle', cycle, 'self'],
  ])('refuses %s and says where', (problem, value, path) => {
    const thrown = (() => {
      try {
        canonicalJson(value);
      } catch (error) {
        return error;
      }
      return null;
    })();
    expect(thrown).toBeInstanceOf(CanonicalJsonError);
    expect(thrown).toMatchObject({ problem, path });
  });
  test('the same object twice is no cycle; a very deep one is refused, not an overflow', () => {
    const shared = { x: 1 };
    expect(canonicalJson([shared, shared])).toBe('[{"x":1},{"x":1}]');
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    expect(() => canonicalJson(deep)).toThrow(CanonicalJsonError);
  });
});
