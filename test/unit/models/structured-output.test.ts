import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { parseJsonText, parseStructured } from '../../../src/models/structured-output.ts';

const FENCE = '```';
const value = (text: string) => parseJsonText(text);

describe('valid JSON', () => {
  test('is returned as it is, whatever its strings hold', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const result = parseJsonText(text, { expect: 'any' });
        const expected: unknown = result.ok || result.reason !== 'duplicate_keys' ? { ok: true, value: JSON.parse(text) as unknown, repaired: false } : result;
        expect(result).toEqual(expected);
      }),
    );
  });

  test('inside a fence, a think block and prose is returned as it is', () => {
    const text = fc.oneof(fc.string(), fc.constantFrom('<think>', '</think>', FENCE, '{', '"', '\\', '// x', "it's", '，'));
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.oneof(text, fc.integer(), fc.array(text)), { minKeys: 1 }), (object) => {
        const json = JSON.stringify(object);
        const expected = { ok: true, value: JSON.parse(json) as unknown, repaired: false };
        expect(value(json)).toEqual(expected);
        expect(value(`<think>maybe {"draft": 1}</think>\n${json}`)).toEqual(expected);
        expect(value(`Here it is:\n${FENCE}json\n${json}\n${FENCE}\nDone.`)).toEqual(expected);
        expect(value(`The answer: ${json}\n\nLet me know!`)).toEqual(expected);
      }),
    );
  });

  test('cut at any place it never gives a different value without saying that it was repaired', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ minLength: 1 }), fc.oneof(fc.string(), fc.nat(), fc.array(fc.nat())), { minKeys: 1 }), fc.nat(), (object, at) => {
        const json = JSON.stringify(object);
        const cut = json.slice(0, 1 + (at % (json.length - 1)));
        expect(parseJsonText(cut, { truncated: true }).ok).toBe(false);
        const result = value(cut);
        expect(result.ok && !result.repaired).toBe(false);
      }),
    );
  });
});

test('any text gives an answer or a typed refusal, and never throws', () => {
  const scrap = fc.constantFrom('{', '}', '[', ']', '"', "'", ':', ',', '\\', '<think>', '</think>', FENCE, '\n', '//', '/*', '#', 'NaN', 'True', 'a', '1', '“', '：', ' ');
  fc.assert(
    fc.property(fc.array(scrap, { maxLength: 30 }), (pieces) => {
      const result = value(pieces.join(''));
      expect(result.ok || result.message !== '').toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

describe('API-20 repair never changes the shape of code-like text', () => {
  const call = '{"path":"a.ts","body":"x\\nrollback: (r: R, s: S) => void;"}';
  test('valid JSON is byte-equal', () => {
    expect(value(call)).toEqual({ ok: true, value: { path: 'a.ts', body: 'x\nrollback: (r: R, s: S) => void;' }, repaired: false });
    expect(value('{"a":"bar \\"foo\\", baz"}')).toEqual({ ok: true, value: { a: 'bar "foo", baz' }, repaired: false });
  });
  test('without its last brace it is the same value, marked as repaired', () => {
    expect(value(call.slice(0, -1))).toEqual({ ok: true, value: { path: 'a.ts', body: 'x\nrollback: (r: R, s: S) => void;' }, repaired: true });
  });
  test('cut inside the body it is incomplete', () => {
    expect(value(call.slice(0, -4))).toMatchObject({ ok: false, reason: 'incomplete' });
  });
  test.each(['{"v":1,"v":2}', '{"v":1,"\\u0076":2}', '{"v":1,"v":2,}', '{"a":{"b":[{"v":1,"v":1}]}}', `${FENCE}json\n{"v":1,"v":2}\n${FENCE}`])(
    'a key twice in one object is refused: %s',
    (text) => {
      expect(value(text)).toMatchObject({ ok: false, reason: 'duplicate_keys' });
    },
  );
  test('one key in two objects is fine', () => expect(value('{"x":{"v":1},"y":{"v":2}}')).toMatchObject({ ok: true }));
  test.each([
    ['{"regex":"\\d+\\.\\w",}', { regex: '\\d+\\.\\w' }],
    ['{"path": "C:\\dir\\Users",}', { path: 'C:\\dir\\Users' }],
    ["{'a': 'it's fine', 'b': \"don't\"}", { a: "it's fine", b: "don't" }],
    ['{"key": "他说"你好，世界"吧"}', { key: '他说"你好，世界"吧' }],
    ['{"a": "use "C # minor" now"}', { a: 'use "C # minor" now' }],
    ['{"u":"http://x.y/z",}', { u: 'http://x.y/z' }],
    ['{"text":"<think>no</think> {x}",}', { text: '<think>no</think> {x}' }],
  ])('text inside strings survives repair: %s', (text, expected) => expect(value(text)).toEqual({ ok: true, value: expected, repaired: true }));
});

test('API-08 text cut at the token limit is never an answer', () => {
  const text = '{"name":"Ana","items":["a","b"';
  const schema = z.object({ name: z.string(), items: z.array(z.string()) });
  expect(parseStructured(text, schema, { truncated: true })).toMatchObject({ ok: false, reason: 'incomplete' });
});

describe('wrappings', () => {
  test.each([
    ['\uFEFF{"a":1}', { a: 1 }],
    ['json\n{"a":1}', { a: 1 }],
    ['<tool_call>\n{"name":"x","arguments":{"a":1}}\n</tool_call>', { name: 'x', arguments: { a: 1 } }],
    ['[TOOL_CALLS][{"name":"x","arguments":{}}]', [{ name: 'x', arguments: {} }]],
    ['Set {a, b} for {name}. The result is {"title":"t"} as in [1].', { title: 't' }],
    ['reasons {"d":1} and more</think>{"a":1}', { a: 1 }],
    ['first { then "x" </think>{"a":1}', { a: 1 }],
    ['<think>a <think>b</think> {"d":1}</think>{"a":1}', { a: 1 }],
    [`Given {"a":0}:\n${FENCE}json\n{"a":1}\n${FENCE}`, { a: 1 }],
    [`${FENCE}json\n{"a":1}\n${FENCE}\nagain\n${FENCE}json\n{"a":1}\n${FENCE}`, { a: 1 }],
    [`${FENCE}json\n{"code":"${FENCE}js\\nx()\\n${FENCE}"}\n${FENCE}`, { code: `${FENCE}js\nx()\n${FENCE}` }],
    ['"\\"{\\\\\\"a\\\\\\":1}\\""', { a: 1 }],
    ['Here: "{\\"a\\":1}" ok', { a: 1 }],
    ['{"a":1} // was {"a":0}', { a: 1 }],
  ])('%s', (text, expected) => expect(value(text)).toEqual({ ok: true, value: expected, repaired: false }));
});

describe('repairs', () => {
  test.each([
    ["Sure:\n{'a': 1, 'b': None}\nHope it helps!", { a: 1, b: null }],
    ['｛“a”：“b，c”，“n”：1｝', { a: 'b，c', n: 1 }],
    ['{"a"：1，"b"：［1，2］}', { a: 1, b: [1, 2] }],
    ['{\\n  \\"a\\": \\"say \\\\\\"hi\\\\\\"\\"\\n}', { a: 'say "hi"' }],
    ['{"query": \\"shoes\\", "n": 1} ok?', { query: 'shoes', n: 1 }],
    ['{"a":1, # note\n"b":"x # y"}', { a: 1, b: 'x # y' }],
    ['{"a":1}\n{"a":2}', [{ a: 1 }, { a: 2 }]],
  ])('%s', (text, expected) => expect(value(text)).toEqual({ ok: true, value: expected, repaired: true }));
});

describe('refusals', () => {
  test.each([
    ['', 'empty'],
    [' \n\t', 'empty'],
    ['\uFEFF', 'empty'],
    ['Sorry, I can not do that.', 'invalid'],
    ['{"a": NaN}', 'invalid'],
    ['{"a":[1,-Infinity],}', 'invalid'],
    [`${FENCE}python\nprint({"a":1})\n${FENCE}`, 'invalid'],
    ['{"a": 12', 'incomplete'],
    ['{"a": tru', 'incomplete'],
    ['{"a":', 'incomplete'],
    ['{"a"', 'incomplete'],
    ['{', 'incomplete'],
    ['"{\\"a\\":1', 'incomplete'],
    ['<think>hmm {"d":1}', 'incomplete'],
    [`${FENCE}json\n{"a":"cut he`, 'incomplete'],
    [`${FENCE}\n{"a":1}\n${FENCE}\nor\n${FENCE}\n{"a":2}\n${FENCE}`, 'ambiguous'],
    [`${FENCE}\n{"a":1,}\n${FENCE}\nor\n${FENCE}\n{"a":2}\n${FENCE}`, 'ambiguous'],
    ['First {"a":1} then {"a":2}', 'ambiguous'],
    [`{"a": 1}\n${FENCE}\n{"a": 2}\n${FENCE}`, 'ambiguous'],
    ['<tool_call>{"name":"x"}</tool_call><tool_call>{"name":"y"}</tool_call>', 'ambiguous'],
  ])('%s', (text, reason) => expect(value(text)).toMatchObject({ ok: false, reason }));

  test('deep nesting', () => {
    expect(value('['.repeat(20_000) + ']'.repeat(20_000))).toMatchObject({ ok: false, reason: 'invalid' });
    expect(value('{"a":'.repeat(20_000))).toMatchObject({ ok: false, reason: 'incomplete' });
  });

  test('hostile texts are answered soon', () => {
    const started = performance.now();
    for (const text of ['{x} '.repeat(20_000), `${FENCE}\n`.repeat(10_000), '<think>'.repeat(10_000), '{"'.repeat(20_000), '"'.repeat(20_000), '/*'.repeat(20_000)]) value(text);
    expect(performance.now() - started).toBeLessThan(3_000);
  });
});

describe('by schema', () => {
  const answer = z.object({ a: z.number() });
  test('one of several candidates fits', () => expect(parseStructured('[1] {"b":1} {"a":2}', answer)).toEqual({ ok: true, value: { a: 2 }, repaired: false }));
  test('two that fit are ambiguous, twice the same is one', () => {
    expect(parseStructured('{"a":1}\n{"a":2}', answer)).toMatchObject({ ok: false, reason: 'ambiguous' });
    expect(parseStructured('{"a":1}\n{"a":1}', answer)).toMatchObject({ ok: true, value: { a: 1 } });
  });
  test('NDJSON is a list where a list is asked for', () => expect(parseStructured('{"a":1}\n{"a":2}', z.array(answer))).toMatchObject({ ok: true, value: [{ a: 1 }, { a: 2 }] }));
  test('null for an optional field is no field; a nullable one stays null', () => {
    const schema = z.object({ a: z.string().optional(), b: z.string().nullable(), c: z.number().default(3) });
    expect(parseStructured('{"a":null,"b":null,"c":null}', schema)).toEqual({ ok: true, value: { b: null, c: 3 }, repaired: false });
    expect(parseStructured('{"a":null,"b":null}', z.object({ a: z.string(), b: z.null() }))).toMatchObject({ ok: false, reason: 'invalid' });
  });
  test('JSON text is an object only where the schema has one', () => {
    expect(parseStructured('{"a":"{\\"b\\":1}"}', z.object({ a: z.object({ b: z.number() }) }))).toMatchObject({ ok: true, value: { a: { b: 1 } } });
    expect(parseStructured('{"a":"{\\"b\\":1}"}', z.object({ a: z.string() }))).toMatchObject({ ok: true, value: { a: '{"b":1}' } });
    expect(parseStructured('"{\\"b\\":1}"', z.string())).toMatchObject({ ok: true, value: '{"b":1}' });
  });
  test('says which field is wrong', () => {
    const result = parseStructured('{"a":"x"}', answer);
    expect(result).toMatchObject({ ok: false, reason: 'invalid', message: expect.stringContaining('a: ') });
  });
});
