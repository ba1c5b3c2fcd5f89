import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { coerceArguments } from '../../../src/tools/coerce-arguments.ts';

const accepted = (schema: z.ZodType, value: unknown) => {
  const result = coerceArguments(schema, value);
  if (!result.ok) throw new Error(result.message);
  return result.value;
};
const refused = (schema: z.ZodType, value: unknown) => {
  const result = coerceArguments(schema, value);
  if (result.ok) throw new Error(`was accepted as ${JSON.stringify(result.value)}`);
  expect(result.code).toBe('invalid_arguments');
  return result.message;
};

describe('TOOL-09 numbers sent as strings', () => {
  const schema = z.strictObject({ depth: z.int(), limit: z.number() });

  test.each([
    ['3', 3],
    [' 2 ', 2],
    ['-7', -7],
    ['0', 0],
    ['9007199254740991', 9007199254740991],
  ])('%o is the integer %d', (text, value) => {
    expect(accepted(schema, { depth: text, limit: 1 })).toEqual({ depth: value, limit: 1 });
  });
  test.each(['3.5', '3.0', '1e3', '0x10', '1,000', '', ' ', '٣', '３', 'Infinity', 'NaN', '007', '+3', '9007199254740993'])(
    '%o is refused as an integer, with the field and the type',
    (text) => {
      const message = refused(schema, { depth: text, limit: 1 });
      expect(message).toContain('depth');
      expect(message).toContain('expected integer');
      expect(message).toContain(JSON.stringify(text));
    },
  );
  test.each([
    ['3.5', 3.5],
    ['3', 3],
    ['-0.25', -0.25],
  ])('%o is the number %d', (text, value) => {
    expect(accepted(schema, { depth: 1, limit: text })).toEqual({ depth: 1, limit: value });
  });
  test.each(['1e3', '0x10', '1,000', '', '1.', '.5', '0.12345678901234567'])('%o is refused as a number', (text) => {
    expect(refused(schema, { depth: 1, limit: text })).toContain('expected number');
  });
  test('a number where a string is wanted is refused, not turned into text', () => {
    expect(refused(z.strictObject({ id: z.string() }), { id: 12 })).toContain('expected string');
  });
});

describe('TOOL-07 nested values sent as JSON strings', () => {
  const edits = z.strictObject({ edits: z.array(z.strictObject({ old: z.string(), new: z.string() })) });

  test('are unwrapped where the schema wants an array or object', () => {
    expect(accepted(edits, { edits: '[{"old":"a","new":"b"}]' })).toEqual({ edits: [{ old: 'a', new: 'b' }] });
    expect(accepted(edits, { edits: ['{"old":"a","new":"b"}'] })).toEqual({ edits: [{ old: 'a', new: 'b' }] });
    expect(accepted(z.object({ at: z.object({ n: z.int() }) }), { at: '{"n":"4"}' })).toEqual({ at: { n: 4 } });
  });
  test('a genuine string stays the string, alone and in a union', () => {
    expect(accepted(z.strictObject({ text: z.string(), n: z.int() }), { text: '[1,2]', n: '1' })).toEqual({ text: '[1,2]', n: 1 });
    expect(accepted(z.strictObject({ text: z.union([z.string(), z.array(z.int())]), n: z.int() }), { text: '[1,2]', n: '1' })).toEqual({ text: '[1,2]', n: 1 });
    expect(accepted(z.strictObject({ text: z.string().nullable(), n: z.int() }), { text: 'null', n: '1' })).toEqual({ text: 'null', n: 1 });
  });
  test('whole arguments sent as a JSON string are unwrapped, for they must be an object', () => {
    expect(accepted(edits, '{"edits":[]}')).toEqual({ edits: [] });
  });
  test.each([[[1]], ['hello'], [3], [null], [true], [undefined]])('arguments that are no object are refused: %o', (value) => {
    expect(refused(edits, value)).toContain('expected object');
  });
  test('broken JSON in the string is named as what was got', () => {
    expect(refused(edits, { edits: '[{"old":' })).toMatch(/edits: got .*\(string\), expected array of object/);
  });
});

describe('other coercions', () => {
  test('booleans, only in the two spellings', () => {
    const schema = z.strictObject({ on: z.boolean() });
    expect(accepted(schema, { on: 'true' })).toEqual({ on: true });
    expect(accepted(schema, { on: 'false' })).toEqual({ on: false });
    for (const value of ['yes', '1', 'True', 1, 0]) refused(schema, { on: value });
  });
  test('null is absent for an optional field, kept for a nullable one, refused for a required one', () => {
    const schema = z.strictObject({ a: z.string().optional(), b: z.string().nullable(), c: z.int().default(5) });
    expect(accepted(schema, { a: null, b: null, c: null })).toEqual({ b: null, c: 5 });
    expect(refused(z.strictObject({ a: z.string() }), { a: null })).toContain('a: got null, expected string');
  });
  test('a discriminated union is coerced by the branch that it then fits', () => {
    const schema = z.object({
      by: z.discriminatedUnion('kind', [z.strictObject({ kind: z.literal('id'), id: z.int() }), z.strictObject({ kind: z.literal('name'), name: z.string() })]),
    });
    expect(accepted(schema, { by: { kind: 'id', id: '4' } })).toEqual({ by: { kind: 'id', id: 4 } });
    expect(accepted(schema, { by: '{"kind":"name","name":"4"}' })).toEqual({ by: { kind: 'name', name: '4' } });
  });
  test('a recursive schema is walked, and a deep value is refused without overflowing', () => {
    type Node = { value: number; children: Node[] };
    const node: z.ZodType<Node> = z.lazy(() => z.object({ value: z.int(), children: z.array(node) }));
    const schema = z.object({ root: node });
    expect(accepted(schema, { root: { value: '1', children: [{ value: '2', children: [] }] } })).toEqual({ root: { value: 1, children: [{ value: 2, children: [] }] } });
    let deep: unknown = {};
    for (let level = 0; level < 100_000; level += 1) deep = { children: [deep] };
    expect(refused(schema, { root: deep })).toContain('nested deeper');
  });
  test('says which fields were coerced', () => {
    expect(coerceArguments(z.object({ a: z.object({ n: z.int() }), s: z.string() }), { a: { n: '1' }, s: '1' })).toMatchObject({ ok: true, coerced: ['a.n'] });
  });
  test('a union of unions that fits nowhere ends in time', () => {
    type Tree = { left?: Tree | undefined; n: number } | { right?: Tree | undefined; n: number };
    const tree: z.ZodType<Tree> = z.lazy(() => z.union([z.object({ left: tree.optional(), n: z.int() }), z.object({ right: tree.optional(), n: z.int() })]));
    let value: unknown = { n: 'x' };
    for (let level = 0; level < 12; level += 1) value = { left: value, right: value, n: 1 };
    expect(refused(z.object({ tree }), { tree: value })).toContain('tree');
  }, 10_000);
});

describe('messages', () => {
  const schema = z.strictObject({ orderId: z.string(), status: z.enum(['open', 'closed']), items: z.array(z.strictObject({ count: z.int().min(1) })) });

  test('name every field, what was got and what is expected', () => {
    const message = refused(schema, { status: 'lost', items: [{ count: 1 }, { count: 0 }], extra: 1 });
    expect(message).toContain('orderId: missing, expected string');
    expect(message).toContain('status: got "lost" (string), expected one of "open", "closed"');
    expect(message).toContain('items[1].count: got 0, expected integer');
    expect(message).toContain('unknown property "extra"; known: orderId, status, items');
  });
  test('are bounded', () => {
    const huge = 'x'.repeat(1_000_000);
    expect(refused(schema, { orderId: 1, status: huge, items: huge, [huge]: 1 }).length).toBeLessThan(1_500);
    expect(refused(z.strictObject({ a: z.array(z.int()) }), { a: Array.from({ length: 500 }, () => 'x') })).toContain('and 492 more');
  });
  test('a refinement that throws is a refusal', () => {
    expect(
      refused(
        z.object({
          a: z.string().refine(() => {
            throw new Error('boom');
          }),
        }),
        { a: 'x' },
      ),
    ).toContain('boom');
  });
});

describe('safety', () => {
  test('__proto__ is refused at any depth and pollutes nothing', () => {
    const schema = z.looseObject({ a: z.record(z.string(), z.unknown()).optional(), n: z.int().optional() });
    for (const text of ['{"__proto__":{"polluted":1}}', '{"a":{"b":{"__proto__":{"polluted":1}}},"n":"1"}', '{"a":"{\\"__proto__\\":{\\"polluted\\":1}}"}'])
      refused(schema, JSON.parse(text));
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
  test('constructor is an ordinary name: unknown to a strict schema, kept as own data by a loose one', () => {
    expect(refused(z.strictObject({ n: z.int() }), JSON.parse('{"n":"1","constructor":{"prototype":{"polluted":1}}}'))).toContain('"constructor"');
    const value = accepted(z.looseObject({ n: z.int() }), JSON.parse('{"n":"1","constructor":"C"}'));
    expect(Object.hasOwn(value as object, 'constructor')).toBe(true);
  });
  test('property: never throws, and whatever it accepts the schema accepts', () => {
    const schema = z.object({
      n: z.int().optional(),
      f: z.number().optional(),
      b: z.boolean().optional(),
      s: z.string().optional(),
      list: z.array(z.union([z.int(), z.object({ x: z.number() })])).optional(),
      record: z.record(z.string(), z.int()).optional(),
    });
    const key = fc.constantFrom('n', 'f', 'b', 's', 'list', 'record', '__proto__', 'constructor', 'toString', 'x');
    const leaf = fc.oneof(fc.anything(), fc.constantFrom('1', ' 2 ', '1.5', 'true', '[1,"2"]', '{"x":"1"}', '{"__proto__":1}', '[', null));
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.dictionary(key, leaf)), (value) => {
        const result = coerceArguments(schema, value);
        if (result.ok) expect(schema.safeParse(result.value).success).toBe(true);
        else expect(result.message).not.toBe('');
      }),
      { numRuns: 500 },
    );
  });
  test('property: what the schema accepts as it is comes back unchanged', () => {
    const schema = z.strictObject({ s: z.string(), n: z.number(), any: z.array(z.union([z.string(), z.number(), z.boolean(), z.null()])) });
    const valid = fc.record(
      { s: fc.string(), n: fc.double({ noNaN: true, noDefaultInfinity: true }), any: fc.array(fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null))) },
      { noNullPrototype: true },
    );
    fc.assert(
      fc.property(valid, (value) => {
        expect(coerceArguments(schema, value)).toEqual({ ok: true, value, coerced: [] });
      }),
    );
  });
});
