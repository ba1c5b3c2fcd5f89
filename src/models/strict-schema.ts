import { z } from 'zod';

export interface StrictSchema {
  schema: Record<string, unknown>;
  /** False: it holds what strict mode cannot say (open maps, unknown values, a root that is no object); `schema` is then the plain one. */
  strict: boolean;
}

type Schema = Record<string, unknown>;

/** Keywords of JSON schema that strict mode refuses and that zod checks anyway. */
const DROPPED = ['$schema', 'default', 'minLength', 'maxLength', 'propertyNames', 'uniqueItems', 'contentEncoding', 'examples', 'id', '~standard'];
const REFUSED = ['allOf', 'not', 'patternProperties', 'prefixItems'];
const FORMATS = ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'];
const LOOKAROUND = /\(\?(?:[=!]|<[=!])/;

/**
 * The JSON schema that strict structured output takes, from zod: every property required, optional ones nullable, no
 * additional properties. A null for an optional property is dropped again by `parseStructured`.
 */
export function toStrictJsonSchema(schema: z.ZodType): StrictSchema {
  const plain = toPlainJsonSchema(schema);
  const state = { strict: plain.type === 'object' };
  const strict = convert(plain, state) as Schema;
  return state.strict ? { schema: strict, strict: true } : { schema: plain, strict: false };
}

/** The JSON schema of what zod takes in. Types that JSON has not (dates, transforms' results) allow anything. */
export function toPlainJsonSchema(schema: z.ZodType): Schema {
  const { $schema: _dialect, '~standard': _standard, ...plain } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as Schema;
  return plain;
}

function convert(node: unknown, state: { strict: boolean }): unknown {
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return node;
  const schema = { ...(node as Schema) };
  for (const keyword of DROPPED) delete schema[keyword];
  if (!FORMATS.includes(String(schema.format))) delete schema.format;
  if (LOOKAROUND.test(String(schema.pattern))) delete schema.pattern;
  if (Array.isArray(schema.oneOf)) {
    schema.anyOf = schema.oneOf;
    delete schema.oneOf;
  }
  if (isOpen(schema)) state.strict = false;
  if (Array.isArray(schema.anyOf)) schema.anyOf = schema.anyOf.map((branch) => convert(branch, state));
  if (schema.items) schema.items = convert(schema.items, state);
  for (const definitions of ['$defs', 'definitions']) if (schema[definitions]) schema[definitions] = mapValues(schema[definitions] as Schema, (value) => convert(value, state));
  return schema.type === 'object' ? closeObject(schema, state) : schema;
}

/** Whether a node is one that strict mode has no form for. */
function isOpen(schema: Schema): boolean {
  if (REFUSED.some((keyword) => keyword in schema)) return true;
  if (schema.type === 'object') return !schema.properties || (typeof schema.additionalProperties === 'object' && schema.additionalProperties !== null);
  return !['type', 'anyOf', 'enum', 'const', '$ref'].some((keyword) => keyword in schema) || (schema.type === 'array' && !schema.items);
}

function closeObject(schema: Schema, state: { strict: boolean }): Schema {
  const properties = (schema.properties ?? {}) as Record<string, Schema>;
  const required = new Set((schema.required ?? []) as string[]);
  const closed = Object.fromEntries(
    Object.entries(properties).map(([name, property]) => {
      const converted = convert(property, state) as Schema;
      return [name, required.has(name) ? converted : nullable(converted)];
    }),
  );
  return { ...schema, properties: closed, required: Object.keys(closed), additionalProperties: false };
}

function nullable(schema: Schema): Schema {
  if (schema.type === 'null') return schema;
  if (Array.isArray(schema.anyOf)) return schema.anyOf.some((branch) => (branch as Schema).type === 'null') ? schema : { ...schema, anyOf: [...schema.anyOf, { type: 'null' }] };
  return { anyOf: [schema, { type: 'null' }] };
}

function mapValues(record: Schema, change: (value: unknown) => unknown): Schema {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}
