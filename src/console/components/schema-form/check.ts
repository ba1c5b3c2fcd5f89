/** What is wrong with a value by its schema, so far as a person can be told while editing. The gateway and the tool check all of it again. */
import { isObject, resolve, type Schema, shapeOf, Unfinished } from './schema.ts';

export type ProblemKind =
  | 'not_a_number'
  | 'not_json'
  | 'not_whole'
  | 'required'
  | 'choose'
  | { minimum: number }
  | { above: number }
  | { maximum: number }
  | { below: number }
  | { shortest: number }
  | { longest: number }
  | { pattern: string };

/** By the field's place: `/items/0/amount`; the whole is the empty text. */
export type Problems = ReadonlyMap<string, ProblemKind>;

export function check(schema: Schema, value: unknown): Problems {
  const found = new Map<string, ProblemKind>();
  walk(schema, schema, value, '', found);
  return found;
}

function walk(schema: Schema, root: Schema, value: unknown, place: string, found: Map<string, ProblemKind>): void {
  const resolved = resolve(schema, root);
  const shape = shapeOf(resolved, root, value);
  if (value instanceof Unfinished) {
    found.set(place, shape.kind === 'number' ? 'not_a_number' : shape.kind === 'choice' ? 'choose' : 'not_json');
    return;
  }
  if (shape.kind === 'nullable') {
    if (value !== null) walk(shape.inner, root, value, place, found);
  } else if (shape.kind === 'object' && isObject(value)) {
    for (const field of shape.fields) {
      if (value[field.name] !== undefined) walk(field.schema, root, value[field.name], `${place}/${field.name}`, found);
      else if (field.required) found.set(`${place}/${field.name}`, 'required');
    }
    const known = new Set(shape.fields.map(({ name }) => name));
    for (const [name, other] of Object.entries(value)) if (!known.has(name) && other instanceof Unfinished) found.set(`${place}/${name}`, 'not_json');
  } else if (shape.kind === 'list' && Array.isArray(value)) {
    for (const [index, item] of value.entries()) walk(shape.items, root, item, `${place}/${index}`, found);
  } else {
    const problem = typeof value === 'number' ? numberProblem(resolved, value) : typeof value === 'string' ? textProblem(resolved, value) : null;
    if (problem) found.set(place, problem);
  }
}

const limit = (schema: Schema, name: string): number | null => (typeof schema[name] === 'number' ? schema[name] : null);

function numberProblem(schema: Schema, value: number): ProblemKind | null {
  if (schema['type'] === 'integer' && !Number.isInteger(value)) return 'not_whole';
  const [minimum, above, maximum, below] = ['minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum'].map((name) => limit(schema, name));
  if (minimum != null && value < minimum) return { minimum };
  if (above != null && value <= above) return { above };
  if (maximum != null && value > maximum) return { maximum };
  if (below != null && value >= below) return { below };
  return null;
}

function textProblem(schema: Schema, value: string): ProblemKind | null {
  const shortest = limit(schema, 'minLength');
  const longest = limit(schema, 'maxLength');
  const length = [...value].length;
  if (shortest !== null && length < shortest) return shortest === 1 ? 'required' : { shortest };
  if (longest !== null && length > longest) return { longest };
  return typeof schema['pattern'] === 'string' && !matches(schema['pattern'], value) ? { pattern: schema['pattern'] } : null;
}

function matches(pattern: string, value: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(value);
  } catch {
    // Not a pattern that this browser knows: the gateway will say.
    return true;
  }
}
