import { z } from 'zod';

/** The part of JSON Schema that zod writes and that arguments are coerced by. */
export interface JsonSchema {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema | boolean;
  prefixItems?: JsonSchema[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
}

const known = new WeakMap<z.ZodType, JsonSchema>();

/** The JSON schema of what may be sent, worked out once for each zod schema. */
export function inputJsonSchema(schema: z.ZodType): JsonSchema {
  const found = known.get(schema);
  if (found) return found;
  const { $schema: _, ...made } = z.toJSONSchema(schema, { io: 'input' });
  known.set(schema, made as JsonSchema);
  return made as JsonSchema;
}

/** Follows `$ref` (only within `root`, as zod writes them). */
export function resolve(schema: JsonSchema, root: JsonSchema): JsonSchema {
  let current = schema;
  for (let step = 0; current.$ref !== undefined && step < 32; step += 1) {
    const name = current.$ref === '#' ? null : current.$ref.replace('#/$defs/', '');
    current = name === null ? root : (root.$defs?.[name] ?? {});
  }
  return current;
}

/** The alternatives of a schema; itself when it has none. */
export function branches(schema: JsonSchema): JsonSchema[] | null {
  return schema.anyOf ?? schema.oneOf ?? null;
}

/** Does the schema name this type? A schema without a type names none. */
export function hasType(schema: JsonSchema, type: string): boolean {
  return Array.isArray(schema.type) ? schema.type.includes(type) : schema.type === type;
}

/** The schema of one property or item, or null when the schema has no such place. */
export function childSchema(schema: JsonSchema, key: PropertyKey): JsonSchema | null {
  if (typeof key === 'number') {
    const fixed = schema.prefixItems?.[key];
    if (fixed) return fixed;
    return typeof schema.items === 'object' ? schema.items : null;
  }
  if (schema.properties && Object.hasOwn(schema.properties, key)) return schema.properties[String(key)] ?? null;
  return typeof schema.additionalProperties === 'object' ? schema.additionalProperties : null;
}

/** What the schema wants, in a few words for a model: "integer", "one of "a", "b"", "array of object". */
export function describe(schema: JsonSchema, root: JsonSchema, depth = 0): string {
  const here = resolve(schema, root);
  if (here.const !== undefined) return JSON.stringify(here.const);
  if (here.enum) return `one of ${here.enum.map((value) => JSON.stringify(value)).join(', ')}`;
  const alternatives = branches(here);
  if (alternatives) return depth > 2 ? 'value' : [...new Set(alternatives.map((branch) => describe(branch, root, depth + 1)))].join(' or ');
  if (hasType(here, 'array') && typeof here.items === 'object' && depth < 3) return `array of ${describe(here.items, root, depth + 1)}`;
  const type = Array.isArray(here.type) ? here.type.join(' or ') : (here.type ?? 'value');
  return here.format ? `${type} (${here.format})` : type;
}

/** A schema document being compared, and how many places may still be looked at: nested unions would else take exponential time. */
export interface SchemaWalk {
  root: JsonSchema;
  budget: { left: number };
}

/** Does the value have the shape of the schema? Types, constants and required properties only: the zod schema has the last word. */
export function fits(schema: JsonSchema, value: unknown, walk: SchemaWalk): boolean {
  walk.budget.left -= 1;
  if (walk.budget.left < 0) return false;
  const here = resolve(schema, walk.root);
  if (here.const !== undefined && here.const !== value) return false;
  if (here.enum && !here.enum.includes(value)) return false;
  const alternatives = branches(here);
  if (alternatives && !alternatives.some((branch) => fits(branch, value, walk))) return false;
  if (here.allOf && !here.allOf.every((part) => fits(part, value, walk))) return false;
  if (here.type !== undefined && !typesOf(value).some((type) => hasType(here, type))) return false;
  if (Array.isArray(value)) return value.every((item, index) => childFits(here, index, item, walk));
  if (value === null || typeof value !== 'object') return true;
  if (!(here.required ?? []).every((key) => Object.hasOwn(value, key))) return false;
  return Object.entries(value).every(([key, item]) => childFits(here, key, item, walk));
}

function childFits(schema: JsonSchema, key: PropertyKey, value: unknown, walk: SchemaWalk): boolean {
  const child = childSchema(schema, key);
  return child ? fits(child, value, walk) : schema.additionalProperties !== false || typeof key === 'number';
}

function typesOf(value: unknown): string[] {
  if (value === null) return ['null'];
  if (Array.isArray(value)) return ['array'];
  if (typeof value === 'number') return Number.isInteger(value) ? ['integer', 'number'] : ['number'];
  return [typeof value];
}

/** A place in the arguments as a model reads it: "items[2].price". */
export function pathText(path: PropertyKey[]): string {
  if (path.length === 0) return '(arguments)';
  return path.map((key, index) => (typeof key === 'number' ? `[${key}]` : index === 0 ? String(key) : `.${String(key)}`)).join('');
}
