import type { z } from 'zod';
import { explainArguments } from './argument-errors.ts';
import { branches, childSchema, fits, hasType, inputJsonSchema, pathText, resolve, type JsonSchema, type SchemaWalk } from './json-schema.ts';
import { preview } from './preview.ts';

export type CoercedArguments<Input> =
  | { ok: true; value: Input; /** Paths of the fields whose type was changed. */ coerced: string[] }
  | { ok: false; code: 'invalid_arguments'; message: string };

/** Arguments nested deeper than this are refused: no tool needs them, and everything after may recurse. */
const MAX_DEPTH = 64;
/** Places looked at before coercion gives up and the value stands as it is. */
const MAX_PLACES = 200_000;

/**
 * Makes a model's arguments fit a tool's schema where the intent is plain, and says exactly what is wrong where it is not.
 *
 * Values are taken as they are when the schema accepts them. Else, by the schema only: a plain decimal string becomes a number (`"3"`, `" 2 "`,
 * `"3.5"` where fractions are allowed; never `"1e3"`, `"0x10"`, `"1,000"`, `""` or digits beyond what a number holds exactly), `"true"`/`"false"` a boolean, a
 * JSON string an array or object, and a null an absent optional field. A genuine string field is never touched. The zod schema decides at the end.
 * Never throws.
 */
export function coerceArguments<Input>(schema: z.ZodType<Input>, value: unknown): CoercedArguments<Input> {
  try {
    return coerceAndParse(schema, value);
  } catch (error) {
    // a refinement that throws, or an asynchronous one
    return { ok: false, code: 'invalid_arguments', message: `(arguments): could not be checked: ${preview(String(error), 200)}` };
  }
}

function coerceAndParse<Input>(schema: z.ZodType<Input>, value: unknown): CoercedArguments<Input> {
  const unsafe = findUnsafe(value);
  if (unsafe) return { ok: false, code: 'invalid_arguments', message: unsafe };
  const asIs = schema.safeParse(value);
  if (asIs.success) return { ok: true, value: asIs.data, coerced: [] };

  const root = inputJsonSchema(schema);
  const coerced: string[] = [];
  const candidate = coerce(root, value, [], { root, coerced, budget: { left: MAX_PLACES } });
  const unsafeInside = findUnsafe(candidate);
  if (unsafeInside) return { ok: false, code: 'invalid_arguments', message: unsafeInside };
  const parsed = schema.safeParse(candidate);
  if (parsed.success) return { ok: true, value: parsed.data, coerced };
  return { ok: false, code: 'invalid_arguments', message: explainArguments(parsed.error, candidate, root) };
}

interface Walk extends SchemaWalk {
  coerced: string[];
}
type Path = (string | number)[];

function coerce(schema: JsonSchema, value: unknown, path: Path, walk: Walk): unknown {
  walk.budget.left -= 1;
  if (walk.budget.left < 0) return value;
  const here = resolve(schema, walk.root);
  const alternatives = branches(here);
  if (alternatives) return coerceUnion(alternatives, value, path, walk);
  const changed = typeof value === 'string' ? fromString(here, value) : value;
  if (changed !== value) walk.coerced.push(pathText(path));
  if (Array.isArray(changed)) return changed.map((item, index) => coerceChild(here, index, item, path, walk));
  if (changed === null || typeof changed !== 'object') return changed;
  return coerceObject(here, changed as Record<string, unknown>, path, walk);
}

function coerceObject(schema: JsonSchema, value: Record<string, unknown>, path: Path, walk: Walk): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    if (item === null && isOptionalAndNotNull(schema, key, walk)) {
      walk.coerced.push(pathText([...path, key]));
      continue;
    }
    result[key] = coerceChild(schema, key, item, path, walk);
  }
  return result;
}

function coerceChild(schema: JsonSchema, key: string | number, value: unknown, path: Path, walk: Walk): unknown {
  const child = childSchema(schema, key);
  return child ? coerce(child, value, [...path, key], walk) : value;
}

/** Takes the value as it is if any alternative does; else the first alternative that it fits after coercion. */
function coerceUnion(alternatives: JsonSchema[], value: unknown, path: Path, walk: Walk): unknown {
  if (alternatives.some((branch) => fits(branch, value, walk))) return value;
  for (const branch of alternatives) {
    const coerced: string[] = [];
    const candidate = coerce(branch, value, path, { ...walk, coerced });
    if (!fits(branch, candidate, walk)) continue;
    walk.coerced.push(...coerced);
    return candidate;
  }
  return value;
}

function isOptionalAndNotNull(schema: JsonSchema, key: string, walk: Walk): boolean {
  const child = schema.properties && Object.hasOwn(schema.properties, key) ? schema.properties[key] : null;
  return !!child && !(schema.required ?? []).includes(key) && !fits(child, null, walk);
}

/** Reads a string as what the schema wants, or gives it back unchanged. A schema that also allows a string wants the string. */
function fromString(schema: JsonSchema, text: string): unknown {
  if (hasType(schema, 'string')) return text;
  const trimmed = text.trim();
  if (hasType(schema, 'integer') || hasType(schema, 'number')) return readDecimal(trimmed, hasType(schema, 'number')) ?? text;
  if (hasType(schema, 'boolean')) return trimmed === 'true' ? true : trimmed === 'false' ? false : text;
  if (hasType(schema, 'array') && trimmed.startsWith('[')) return readJson(trimmed, text);
  if (hasType(schema, 'object') && trimmed.startsWith('{')) return readJson(trimmed, text);
  return text;
}

function readDecimal(text: string, fractions: boolean): number | null {
  if (!/^-?(0|[1-9]\d*)(\.\d+)?$/.test(text)) return null;
  if (!fractions && text.includes('.')) return null;
  const value = Number(text);
  // a double holds 15 decimal digits exactly: more would change the number silently
  const digits = text.replace(/[-.]/g, '').replace(/^0+/, '').length;
  return digits <= 15 || (Number.isSafeInteger(value) && !text.includes('.')) ? value : null;
}

function readJson(text: string, otherwise: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return findUnsafe(value) === null ? value : otherwise;
  } catch {
    return otherwise;
  }
}

/** `__proto__` is refused everywhere: no argument needs it, and a tool that merges objects would be poisoned by it. Iterative, for depth. */
function findUnsafe(value: unknown): string | null {
  const stack: [unknown, number][] = [[value, 0]];
  for (let next = stack.pop(); next; next = stack.pop()) {
    const [item, depth] = next;
    if (item === null || typeof item !== 'object') continue;
    if (depth > MAX_DEPTH) return `arguments: nested deeper than ${MAX_DEPTH} levels`;
    for (const key of Object.keys(item)) {
      if (key === '__proto__') return 'arguments: a property named "__proto__" is not allowed';
      stack.push([(item as Record<string, unknown>)[key], depth + 1]);
    }
  }
  return null;
}
