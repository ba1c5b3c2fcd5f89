/** The values of a case's data, by where they stand. */
import type { TestCase } from './schemas.ts';

/** `path`: names joined by dots, `[]` for any item of a list. */
export interface Leaf {
  path: string;
  value: unknown;
}

export type ValueType = 'string' | 'number' | 'boolean' | 'list' | 'object' | 'null';

/** Which call a pair is for is no input. */
const IGNORED = new Set(['property', 'operation']);

/** Every value, containers too; data that is no JSON is one string. */
export function leavesOf({ data }: Pick<TestCase, 'data'>): Leaf[] {
  const leaves: Leaf[] = [];
  const walk = (value: unknown, path: string): void => {
    if (path !== '') leaves.push({ path, value });
    if (Array.isArray(value)) for (const item of value) walk(item, `${path}[]`);
    else if (value !== null && typeof value === 'object')
      for (const [name, item] of Object.entries(value)) if (!IGNORED.has(name)) walk(item, path === '' ? name : `${path}.${name}`);
  };
  const value = parsed(data);
  if (value === null || typeof value !== 'object') leaves.push({ path: '$', value });
  else walk(value, '');
  return leaves;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

export function typeOf(value: unknown): ValueType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  const type = typeof value;
  return type === 'string' || type === 'number' || type === 'boolean' ? type : 'object';
}
