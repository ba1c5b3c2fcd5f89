import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { parseStructured, toStrictJsonSchema } from '../../../src/models/structured-output.ts';

describe('toStrictJsonSchema', () => {
  test('every property is required, optional ones are nullable, nothing else is allowed', () => {
    const schema = z.object({
      a: z.string().min(2),
      b: z.number().optional(),
      c: z.object({ d: z.enum(['x', 'y']).optional() }),
      e: z.array(z.object({ f: z.boolean() })),
      g: z.string().nullable().optional(),
      h: z.int().default(1),
    });
    const { schema: strict, strict: isStrict } = toStrictJsonSchema(schema);
    expect(isStrict).toBe(true);
    expect(strict).toMatchObject({ type: 'object', required: ['a', 'b', 'c', 'e', 'g', 'h'], additionalProperties: false });
    const properties = strict.properties as Record<string, any>;
    expect(properties.a).toEqual({ type: 'string' });
    expect(properties.b).toEqual({ anyOf: [{ type: 'number' }, { type: 'null' }] });
    expect(properties.c).toMatchObject({ required: ['d'], additionalProperties: false, properties: { d: { anyOf: [{ enum: ['x', 'y'] }, { type: 'null' }] } } });
    expect(properties.e.items).toMatchObject({ required: ['f'], additionalProperties: false });
    expect(properties.g.anyOf.filter((branch: { type: string }) => branch.type === 'null')).toHaveLength(1);
    expect(properties.h.anyOf.at(-1)).toEqual({ type: 'null' });
    expect(JSON.stringify(strict)).not.toMatch(/\$schema|default|minLength/);
  });

  test('unions and recursion have a strict form', () => {
    const node: z.ZodType = z.object({
      name: z.string(),
      get children() {
        return z.array(node);
      },
    });
    expect(toStrictJsonSchema(node).strict).toBe(true);
    const union = z.object({
      value: z.discriminatedUnion('kind', [z.object({ kind: z.literal('a'), x: z.string() }), z.object({ kind: z.literal('b'), y: z.number().optional() })]),
    });
    const { schema, strict } = toStrictJsonSchema(union);
    expect(strict).toBe(true);
    const branches = (schema.properties as Record<string, any>).value.anyOf as { additionalProperties: boolean; required: string[] }[];
    expect(branches.map(({ additionalProperties, required }) => [additionalProperties, required])).toEqual([
      [false, ['kind', 'x']],
      [false, ['kind', 'y']],
    ]);
  });

  test.each([
    ['open map', z.object({ a: z.record(z.string(), z.number()) })],
    ['unknown', z.object({ a: z.unknown() })],
    ['root list', z.array(z.string())],
    ['loose object', z.looseObject({ a: z.string() })],
    ['tuple', z.object({ a: z.tuple([z.string(), z.number()]) })],
  ])('what strict mode can not say is sent as it is: %s', (_, schema) => {
    const result = toStrictJsonSchema(schema);
    expect(result.strict).toBe(false);
    expect(result.schema.required ?? []).toEqual(schema instanceof z.ZodObject ? ['a'] : []);
  });

  test('formats and patterns that providers refuse are left to zod', () => {
    const { schema } = toStrictJsonSchema(z.object({ mail: z.string().regex(/^(?!x)\w+@\w+$/), link: z.url(), day: z.iso.date(), code: z.string().regex(/^[A-Z]\d+$/) }));
    const properties = schema.properties as Record<string, { format?: string; pattern?: string }>;
    expect(properties.mail!.pattern).toBeUndefined();
    expect(properties.link).toEqual({ type: 'string' });
    expect(properties.day!.format).toBe('date');
    expect(properties.code!.pattern).toBe('^[A-Z]\\d+$');
  });

  test('what strict mode makes a model say is read back by the schema', () => {
    const schema = z.object({ a: z.string(), b: z.number().optional(), c: z.array(z.object({ d: z.string().optional() })).optional() });
    expect(parseStructured('{"a":"x","b":null,"c":[{"d":null}]}', schema)).toEqual({ ok: true, value: { a: 'x', c: [{}] }, repaired: false });
  });
});
