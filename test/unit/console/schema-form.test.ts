import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { check } from '../../../src/console/components/schema-form/check.ts';
import { readNumber } from '../../../src/console/components/schema-form/read-number.ts';
import { initialOf, type Schema, shapeOf, Unfinished } from '../../../src/console/components/schema-form/schema.ts';

const schema = z.toJSONSchema(
  z.strictObject({
    order: z.string().min(1).max(20),
    amount: z.number().min(0).max(500),
    count: z.int().optional(),
    currency: z.enum(['CNY', 'USD']),
    notify: z.boolean(),
    note: z.string().nullable(),
    lines: z.array(z.strictObject({ sku: z.string().regex(/^[A-Z]\d+$/), quantity: z.number() })),
    anything: z.record(z.string(), z.unknown()).optional(),
  }),
) as Schema;
const value = { order: 'A001', amount: 10, currency: 'CNY', notify: true, note: null, lines: [{ sku: 'B1', quantity: 2 }] };

describe('a form from a JSON Schema', () => {
  test('each field has its kind of control', () => {
    const shape = shapeOf(schema, schema, value);
    expect(shape.kind).toBe('object');
    const kinds = Object.fromEntries((shape as Extract<typeof shape, { kind: 'object' }>).fields.map((field) => [field.name, shapeOf(field.schema, schema, undefined).kind]));
    expect(kinds).toEqual({
      order: 'text',
      amount: 'number',
      count: 'number',
      currency: 'choice',
      notify: 'boolean',
      note: 'nullable',
      lines: 'list',
      anything: 'json',
    });
  });

  test('what is wrong is told by place', () => {
    expect(check(schema, value).size).toBe(0);
    const wrong = {
      order: '',
      amount: 501,
      count: 1.5,
      currency: 'CNY',
      notify: true,
      note: new Unfinished('{'),
      lines: [{ sku: 'b1', quantity: new Unfinished('x') }, { sku: 'B2' }],
    };
    expect(Object.fromEntries(check(schema, wrong))).toMatchObject({
      '/order': 'required',
      '/amount': { maximum: 500 },
      '/count': 'not_whole',
      '/lines/0/sku': { pattern: '^[A-Z]\\d+$' },
      '/lines/0/quantity': 'not_a_number',
      '/lines/1/quantity': 'required',
    });
    expect(check(schema, wrong).has('/note')).toBe(true);
  });

  test('a value that the schema does not foresee is edited as JSON, never lost', () => {
    expect(shapeOf({ type: 'string' }, {}, 5).kind).toBe('json');
    expect(shapeOf({ enum: ['a'] }, {}, 'b').kind).toBe('json');
    expect(shapeOf({ type: ['string', 'number'] }, {}, 'b').kind).toBe('json');
    expect(shapeOf({}, {}, { a: 1 }).kind).toBe('json');
  });

  test('references are followed; one that leads nowhere, or in a circle, is edited as JSON', () => {
    const root = { $defs: { money: { type: 'number' }, 'a/b': { type: 'boolean' }, circle: { $ref: '#/$defs/circle' } } };
    expect(shapeOf({ $ref: '#/$defs/money' }, root, undefined).kind).toBe('number');
    expect(shapeOf({ $ref: '#/$defs/a~1b' }, root, undefined).kind).toBe('boolean');
    expect(shapeOf({ $ref: '#/$defs/none' }, root, undefined).kind).toBe('json');
    expect(shapeOf({ $ref: '#/$defs/circle' }, root, undefined).kind).toBe('json');
    expect(shapeOf({ $ref: 'https://example.com/schema' }, root, undefined).kind).toBe('json');
  });

  test('what is added begins with what it needs', () => {
    expect(initialOf(schema, schema)).toEqual({ order: '', amount: new Unfinished(''), currency: 'CNY', notify: false, note: null, lines: [] });
  });

  test.each([
    ['12', 12],
    [' -3.50 ', -3.5],
    ['1e3', 1000],
    ['0.1', 0.1],
    ['9007199254740991', 9_007_199_254_740_991],
  ])('%j is a number', (text, number) => {
    expect(readNumber(text)).toBe(number);
  });

  test.each(['', '-', '1.', '.5', '1,5', '0x10', 'NaN', '1e999', '12345678901234567890', '0.12345678901234567'])('%j is none, or would not be kept as it is', (text) => {
    expect(readNumber(text)).toEqual(new Unfinished(text));
  });
});
