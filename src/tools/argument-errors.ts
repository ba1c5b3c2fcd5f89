import type { z } from 'zod';
import { branches, childSchema, describe, pathText, resolve, type JsonSchema } from './json-schema.ts';
import { preview } from './preview.ts';

const MAX_ISSUES = 8;

/** Tells a model what is wrong with its arguments: each field, what was got, what is expected. At most 8 problems, each bounded. */
export function explainArguments(error: z.ZodError, value: unknown, root: JsonSchema): string {
  const lines = error.issues.slice(0, MAX_ISSUES).map((issue) => explainIssue(issue, value, root));
  const more = error.issues.length - lines.length;
  return lines.join('; ') + (more > 0 ? `; and ${more} more` : '');
}

function explainIssue(issue: z.core.$ZodIssue, value: unknown, root: JsonSchema): string {
  const path = issue.path;
  const schema = schemaAt(root, path);
  const where = pathText(path);
  if (issue.code === 'unrecognized_keys') return explainUnknown(where, issue.keys, schema);
  const expected = schema ? describe(schema, root) : 'value';
  const got = valueAt(value, path);
  if (got === undefined && path.length > 0) return `${where}: missing, expected ${expected}`;
  const received = `got ${preview(got)}${typeof got === 'string' ? ' (string)' : ''}`;
  if (issue.code === 'invalid_type' || issue.code === 'invalid_union' || issue.code === 'invalid_value') return `${where}: ${received}, expected ${expected}`;
  return `${where}: ${received}, expected ${expected}: ${issue.message}`;
}

function explainUnknown(where: string, keys: string[], schema: JsonSchema | null): string {
  const known = Object.keys(schema?.properties ?? {});
  const names = keys
    .slice(0, 5)
    .map((key) => preview(key))
    .join(', ');
  return `${where}: unknown ${keys.length === 1 ? 'property' : 'properties'} ${names}; known: ${known.length > 0 ? known.slice(0, 40).join(', ') : 'none'}`;
}

function schemaAt(root: JsonSchema, path: PropertyKey[]): JsonSchema | null {
  let here: JsonSchema | null = root;
  for (const key of path) {
    const place: JsonSchema = resolve(here, root);
    const options: JsonSchema[] = branches(place) ?? [place];
    here = options.map((option) => childSchema(resolve(option, root), key)).find((child) => child !== null) ?? null;
    if (!here) return null;
  }
  return resolve(here, root);
}

function valueAt(value: unknown, path: PropertyKey[]): unknown {
  let here = value;
  for (const key of path) {
    if (here === null || typeof here !== 'object' || !Object.hasOwn(here, key)) return undefined;
    here = (here as Record<PropertyKey, unknown>)[key];
  }
  return here;
}
