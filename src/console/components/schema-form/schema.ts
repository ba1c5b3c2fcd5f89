/** What a JSON Schema asks for, as far as a form can show it. Everything else is edited as JSON, so no value is out of reach. */

export type Schema = Readonly<Record<string, unknown>>;

export type Shape =
  | { kind: 'text'; long: boolean }
  | { kind: 'number' }
  | { kind: 'boolean' }
  | { kind: 'choice'; options: readonly unknown[] }
  | { kind: 'object'; fields: readonly { name: string; schema: Schema; required: boolean }[]; open: boolean }
  | { kind: 'list'; items: Schema }
  | { kind: 'nullable'; inner: Schema }
  | { kind: 'json' };

/** Text in a field that is no value of its kind yet. */
export class Unfinished {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const LONG_TEXT = 80;
const MOST_REFERENCES = 20;

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Unfinished);

/** Follows `$ref`s into the same document. */
export function resolve(schema: Schema, root: Schema): Schema {
  let found: unknown = schema;
  for (let step = 0; step < MOST_REFERENCES && isObject(found) && typeof found['$ref'] === 'string'; step++) found = at(root, found['$ref']);
  return isObject(found) ? found : {};
}

function at(root: Schema, reference: string): unknown {
  if (!reference.startsWith('#')) return {};
  const parts = reference.slice(1).split('/').slice(1);
  return parts.reduce<unknown>((value, part) => (isObject(value) ? value[part.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined), root);
}

/** How a value of a schema is edited. A value that the schema does not foresee is edited as JSON. */
export function shapeOf(schema: Schema, root: Schema, value: unknown): Shape {
  const resolved = resolve(schema, root);
  const shape = declared(resolved, root);
  return value === undefined || value instanceof Unfinished || fits(shape, value) ? shape : { kind: 'json' };
}

function declared(schema: Schema, root: Schema): Shape {
  if ('const' in schema) return { kind: 'choice', options: [schema['const']] };
  if (Array.isArray(schema['enum'])) return { kind: 'choice', options: schema['enum'] };
  const alternatives = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(alternatives)) return ofAlternatives(alternatives.filter(isObject), root);
  const type = schema['type'];
  if (Array.isArray(type)) {
    const others = type.filter((name) => name !== 'null');
    return others.length === 1 && type.length === 2 ? { kind: 'nullable', inner: { ...schema, type: others[0] } } : { kind: 'json' };
  }
  if (type === 'string') return { kind: 'text', long: typeof schema['maxLength'] !== 'number' || schema['maxLength'] > LONG_TEXT };
  if (type === 'number' || type === 'integer') return { kind: 'number' };
  if (type === 'boolean') return { kind: 'boolean' };
  if (type === 'array' && isObject(schema['items']) && !('prefixItems' in schema)) return { kind: 'list', items: schema['items'] };
  if (type === 'object' && isObject(schema['properties']))
    return { kind: 'object', fields: fieldsOf(schema, schema['properties']), open: schema['additionalProperties'] !== false };
  return { kind: 'json' };
}

function ofAlternatives(alternatives: Schema[], root: Schema): Shape {
  const resolved = alternatives.map((alternative) => resolve(alternative, root));
  const others = resolved.filter((alternative) => alternative['type'] !== 'null');
  if (others.length === 1 && resolved.length === 2) return { kind: 'nullable', inner: others[0]! };
  const constants = resolved.filter((alternative) => 'const' in alternative);
  return constants.length === resolved.length && constants.length > 0 ? { kind: 'choice', options: constants.map((each) => each['const']) } : { kind: 'json' };
}

function fieldsOf(schema: Schema, properties: Record<string, unknown>): { name: string; schema: Schema; required: boolean }[] {
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.entries(properties).map(([name, field]) => ({ name, schema: isObject(field) ? field : {}, required: required.includes(name) }));
}

function fits(shape: Shape, value: unknown): boolean {
  switch (shape.kind) {
    case 'text':
      return typeof value === 'string';
    case 'number':
      return typeof value === 'number';
    case 'boolean':
      return typeof value === 'boolean';
    case 'object':
      return isObject(value);
    case 'list':
      return Array.isArray(value);
    case 'choice':
      return shape.options.includes(value);
    default:
      return true;
  }
}

/** What a field begins with when a person adds it. */
export function initialOf(schema: Schema, root: Schema): unknown {
  const resolved = resolve(schema, root);
  if ('default' in resolved) return resolved['default'];
  const shape = declared(resolved, root);
  switch (shape.kind) {
    case 'text':
      return '';
    case 'number':
      return new Unfinished('');
    case 'boolean':
      return false;
    case 'choice':
      return shape.options[0];
    case 'list':
      return [];
    case 'object':
      return Object.fromEntries(shape.fields.filter((field) => field.required).map((field) => [field.name, initialOf(field.schema, root)]));
    default:
      return null;
  }
}
