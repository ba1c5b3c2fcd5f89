import type { z } from 'zod';
import { unwrapText } from './encoded-json.ts';

export type Fit = { ok: true; value: unknown } | { ok: false; message: string };

/** Rounds of adapting; each one may uncover another level. */
const MAX_ROUNDS = 6;
const MAX_MESSAGE_CHARS = 1_000;

type Path = PropertyKey[];
type Problem = z.core.$ZodIssue;

/**
 * A value by its schema, after two habits of models are undone where the schema says so, and only there: null for an optional
 * field (strict mode asks for it), and JSON text where an object or array belongs.
 */
export function fitSchema(value: unknown, schema: z.ZodType): Fit {
  let current = value;
  for (let round = 0; ; round += 1) {
    const result = schema.safeParse(current);
    if (result.success) return { ok: true, value: result.data };
    const adapted = round < MAX_ROUNDS ? adapt(current, flatten(result.error.issues, [])) : null;
    if (adapted === null) return { ok: false, message: describe(result.error.issues) };
    current = adapted;
  }
}

/** The issues with whole paths, those of every branch of a union included. */
function flatten(issues: readonly Problem[], prefix: Path): { path: Path; issue: Problem }[] {
  return issues.flatMap((issue) => {
    const path = [...prefix, ...issue.path];
    const branches = issue.code === 'invalid_union' ? issue.errors.flatMap((branch) => flatten(branch, path)) : [];
    return [{ path, issue }, ...branches];
  });
}

function adapt(value: unknown, problems: { path: Path; issue: Problem }[]): unknown {
  const copy: { root: unknown } = { root: structuredClone(value) };
  let changed = false;
  for (const { path, issue } of problems) changed = adaptAt(copy, ['root', ...path], issue) || changed;
  return changed ? copy.root : null;
}

function adaptAt(root: object, path: Path, issue: Problem): boolean {
  const key = path.at(-1)!;
  const parent = path
    .slice(0, -1)
    .reduce<unknown>((node, step) => (isContainer(node) && Object.hasOwn(node, step) ? (node as Record<PropertyKey, unknown>)[step] : undefined), root);
  if (!isContainer(parent) || !Object.hasOwn(parent, key)) return false;
  const holder = parent as Record<PropertyKey, unknown>;
  if (holder[key] === null && path.length > 1 && !Array.isArray(parent)) return delete holder[key];
  if (typeof holder[key] !== 'string' || issue.code !== 'invalid_type' || !['object', 'array', 'record', 'map', 'tuple'].includes(issue.expected)) return false;
  const inner = unwrapText(holder[key]);
  if (inner === null) return false;
  holder[key] = inner;
  return true;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function describe(issues: readonly Problem[]): string {
  const lines = issues.map((issue) => `${issue.path.length > 0 ? issue.path.map(String).join('.') : 'value'}: ${issue.message}`);
  return lines.join('; ').slice(0, MAX_MESSAGE_CHARS);
}
