import type { SandboxPort } from '../../../contracts/sandbox.ts';
import type { Oracle } from './index.ts';

/** Data of a case and what it says comes out, both as JSON text. */
export interface Pair {
  id: string;
  data: string;
  expected: string;
}

/** `unreadable`: data or expected is no JSON, so there is nothing to run or compare. */
export interface PairVerdict {
  id: string;
  status: 'confirmed' | 'refuted' | 'unreadable';
  /** What the reference gives, as JSON text; null when it was not run. */ actual: string | null;
}

/** The reference could not be run: says nothing about the pairs. */
export class OracleUnavailable extends Error {
  override readonly name = 'OracleUnavailable';
}

const WALL_MS = 8_000;

/**
 * Runs all pairs against the reference, in one run of the sandbox.
 * @throws {OracleUnavailable} when it did not run to its end.
 */
export async function runPairs(oracle: Oracle, pairs: Pair[], sandbox: SandboxPort, signal?: AbortSignal): Promise<PairVerdict[]> {
  const read = pairs.map((pair) => ({ pair, data: parse(pair.data), expected: parse(pair.expected) }));
  const runnable = read.filter(({ data, expected }) => data !== UNREADABLE && expected !== UNREADABLE);
  if (runnable.length === 0) return pairs.map(({ id }) => ({ id, status: 'unreadable', actual: null }));
  const result = await sandbox.run({
    language: 'javascript',
    code: oracle.code,
    stdin: JSON.stringify(runnable.map(({ data }) => data)),
    wallMs: WALL_MS,
    ...(signal ? { signal } : {}),
  });
  const results = result.status === 'ok' ? parse(result.stdout.trim()) : UNREADABLE;
  if (!Array.isArray(results) || results.length !== runnable.length) {
    throw new OracleUnavailable(`The reference for ${oracle.name} did not run (${result.status}): ${result.refusal?.message ?? (result.stderr.slice(0, 300) || 'no result')}`);
  }
  const actual = new Map(runnable.map(({ pair }, index) => [pair, results[index] as unknown]));
  return read.map(({ pair, expected }): PairVerdict => {
    if (!actual.has(pair)) return { id: pair.id, status: 'unreadable', actual: null };
    const gives = canonical(actual.get(pair));
    return { id: pair.id, status: gives === canonical(expected) ? 'confirmed' : 'refuted', actual: gives };
  });
}

const UNREADABLE = Symbol('unreadable');

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return UNREADABLE;
  }
}

/** Equal values have equal texts, whatever the order of their keys. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(',')}}`;
}
