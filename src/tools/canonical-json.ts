import { createHash } from 'node:crypto';

/** A value that JSON can't carry unchanged. */
export class CanonicalJsonError extends Error {
  override readonly name = 'CanonicalJsonError';
  /** Where: "items[2].price"; empty for the value itself. */
  readonly path: string;
  readonly problem: 'not_finite' | 'undefined' | 'bigint' | 'function' | 'symbol' | 'not_plain' | 'cycle' | 'too_deep';
  constructor(problem: CanonicalJsonError['problem'], path: string) {
    super(`${path || 'the value'} can't be JSON: ${problem}`);
    this.problem = problem;
    this.path = path;
  }
}

const MAX_DEPTH = 500;

/**
 * One text for one value: keys sorted by UTF-16 code unit, no spaces, -0 as 0. `JSON.parse` of it gives an equal value.
 * @throws {CanonicalJsonError} for NaN, infinities, undefined, bigint, functions, symbols, class instances, cycles and over 500 levels.
 */
export function canonicalJson(value: unknown): string {
  return write(value, '', new Set(), 0);
}

/** sha256, hex, of the canonical JSON: what an approver approves. */
export function hashArguments(value: unknown): string {
  return hashText(canonicalJson(value));
}

/** sha256, hex, of a text as UTF-8. */
export function hashText(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

function write(value: unknown, path: string, above: Set<object>, depth: number): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') return writeNumber(value, path);
  if (typeof value !== 'object') throw new CanonicalJsonError(typeof value as 'undefined' | 'bigint' | 'function' | 'symbol', path);
  if (above.has(value)) throw new CanonicalJsonError('cycle', path);
  if (depth >= MAX_DEPTH) throw new CanonicalJsonError('too_deep', path);
  above.add(value);
  const text = Array.isArray(value) ? writeArray(value, path, above, depth) : writeObject(value, path, above, depth);
  above.delete(value);
  return text;
}

function writeNumber(value: number, path: string): string {
  if (!Number.isFinite(value)) throw new CanonicalJsonError('not_finite', path);
  return JSON.stringify(value);
}

function writeArray(value: unknown[], path: string, above: Set<object>, depth: number): string {
  // Array.from visits the holes of a sparse array as undefined, which is refused
  return `[${Array.from(value, (item, index) => write(item, `${path}[${index}]`, above, depth + 1)).join(',')}]`;
}

function writeObject(value: object, path: string, above: Set<object>, depth: number): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  // dates, maps and instances would silently lose what they are
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) throw new CanonicalJsonError('not_plain', path);
  const record = value as Record<string, unknown>;
  const members = Object.keys(record)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${write(record[key], path ? `${path}.${key}` : key, above, depth + 1)}`);
  return `{${members.join(',')}}`;
}
