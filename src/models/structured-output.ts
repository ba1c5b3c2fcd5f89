import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { unwrapText } from './encoded-json.ts';
import { fitSchema } from './fit-schema.ts';
import type { Candidate } from './json-candidates.ts';
import { findCandidates } from './json-candidates.ts';
import { repairJson } from './json-repair.ts';
import { parseStrict } from './strict-json.ts';
import { toPlainJsonSchema } from './strict-schema.ts';

export { toStrictJsonSchema } from './strict-schema.ts';

type StructuredFailure = {
  ok: false;
  /**
   * `incomplete`: cut, or a think block without an end. `ambiguous`: two different answers. `duplicate_keys`: one key twice in an
   * object. `empty`: no text. `invalid`: no JSON, beyond repair, or not by the schema.
   */
  reason: 'incomplete' | 'ambiguous' | 'invalid' | 'empty' | 'duplicate_keys';
  message: string;
};
/** `repaired`: the JSON itself had to be changed to be read; taking it out of fences, prose or quotes does not count. */
export type JsonResult = { ok: true; value: unknown; repaired: boolean } | StructuredFailure;
export type StructuredResult<T> = { ok: true; value: T; repaired: boolean } | StructuredFailure;

export interface ParseOptions {
  /** The provider cut the text (finish reason `length`): then only a text that is whole as it stands is read. */
  truncated?: boolean;
  /** What the answer must be. `any`: a JSON string stays a string. Default `container`: object or array. */
  expect?: 'object' | 'array' | 'container' | 'any';
}

/** The JSON in a model's text. Valid JSON is returned as it is and never sent through repair; what is doubtful is refused, not guessed. */
export function parseJsonText(text: string, options: ParseOptions = {}): JsonResult {
  return read(text, options, () => true);
}

/** The JSON in a model's text, by a schema. The schema decides between several candidates and where text holds JSON once more. */
export function parseStructured<T>(text: string, schema: z.ZodType<T>, options: ParseOptions = {}): StructuredResult<T> {
  const result = read(text, { expect: expectation(schema), ...options }, (value) => fitSchema(value, schema).ok);
  if (!result.ok) return result;
  const fit = fitSchema(result.value, schema);
  return fit.ok ? { ok: true, value: fit.value as T, repaired: result.repaired } : { ok: false, reason: 'invalid', message: fit.message };
}

function expectation(schema: z.ZodType): NonNullable<ParseOptions['expect']> {
  try {
    const { type } = toPlainJsonSchema(schema);
    return type === 'object' || type === 'array' ? type : type === undefined ? 'container' : 'any';
  } catch {
    return 'any';
  }
}

type Fits = (value: unknown) => boolean;

function read(text: string, options: ParseOptions, fits: Fits): JsonResult {
  const trimmed = text.replaceAll(/^[\s\u{FEFF}\u{200B}]+|[\s\u{FEFF}\u{200B}\0]+$/gu, '');
  if (trimmed === '') return { ok: false, reason: 'empty', message: 'the text is empty' };
  const strict = parseStrict(trimmed);
  if (strict.ok) return { ok: true, value: unwrapped(strict.value, options), repaired: false };
  if (strict.reason === 'duplicate_keys') return strict;
  if (options.truncated) return { ok: false, reason: 'incomplete', message: 'the text was cut before its end' };
  return fromCandidates(trimmed, options, fits);
}

/** A JSON string that holds an object or array as JSON is that, where one of them is expected. */
function unwrapped(value: unknown, { expect = 'container' }: ParseOptions): unknown {
  if (typeof value !== 'string' || expect === 'any') return value;
  const inner = unwrapText(value);
  return inner !== null && isExpected(inner, expect) ? inner : value;
}

function isExpected(value: unknown, expect: NonNullable<ParseOptions['expect']>): boolean {
  if (typeof value !== 'object' || value === null) return expect === 'any';
  return expect === 'any' || expect === 'container' || Array.isArray(value) === (expect === 'array');
}

const MAX_CANDIDATES = 100;

interface Reading {
  candidate: Candidate;
  result: JsonResult;
}

function fromCandidates(text: string, options: ParseOptions, fits: Fits): JsonResult {
  const { found, openThink, bare } = findCandidates(text);
  // Before the block's end was written there is no answer, only what the model thought of answering.
  if (openThink && found.length === 0) return { ok: false, reason: 'incomplete', message: 'the think block never ends' };
  if (found.length === 0) return withoutCandidates(text, options);
  const fenced = found.filter((candidate) => candidate.fenced);
  // A fence marks the answer, unless the text opens with JSON that has none.
  const chosen = fenced.length > 0 && (found[0]!.fenced || found[0]!.start > 0) ? fenced : found;
  if (!bare && chosen.length > MAX_CANDIDATES) return { ok: false, reason: 'ambiguous', message: `${chosen.length} pieces of JSON in one text` };
  if (bare && chosen.length > 1 && options.expect !== 'object') return sequence(chosen, options);
  const strict = chosen.map((candidate) => reading(candidate, options));
  const readable = strict.filter(({ result }) => result.ok);
  if (readable.length > 0) return choose(readable, strict, options, fits);
  const duplicate = strict.find(({ result }) => !result.ok && result.reason === 'duplicate_keys');
  if (duplicate) return duplicate.result;
  return repaired(chosen, options, fits);
}

/** No bracket anywhere: a string that lost its escapes, or prose. */
function withoutCandidates(text: string, options: ParseOptions): JsonResult {
  const inner = /^"[^]*$/.test(text) && options.expect !== 'any' ? 'a JSON string that never ends' : 'no JSON in the text';
  return { ok: false, reason: inner.startsWith('a') ? 'incomplete' : 'invalid', message: inner };
}

function reading(candidate: Candidate, options: ParseOptions): Reading {
  const strict = parseStrict(candidate.text);
  return { candidate, result: strict.ok ? { ok: true, value: unwrapped(strict.value, options), repaired: false } : { ok: false, reason: strict.reason, message: strict.message } };
}

/** Values one after another and nothing else (NDJSON, a list without its brackets) are a list. */
function sequence(candidates: Candidate[], options: ParseOptions): JsonResult {
  const values: unknown[] = [];
  for (const candidate of candidates) {
    const { result } = reading(candidate, { expect: 'any' });
    const value = result.ok ? result : repairJson(candidate.text);
    if (!value.ok) return { ok: false, reason: value.reason, message: value.message };
    values.push(value.value);
  }
  return isExpected(values, options.expect ?? 'container')
    ? { ok: true, value: values, repaired: true }
    : { ok: false, reason: 'ambiguous', message: `${values.length} values, one expected` };
}

/** The one answer among what could be read, by expectation, schema and sense; several different ones are ambiguous. */
function choose(readable: Reading[], all: Reading[], options: ParseOptions, fits: Fits): JsonResult {
  const values = readable.map(({ result }) => (result as { value: unknown }).value);
  const expected = values.filter((value) => isExpected(value, options.expect ?? 'container'));
  const fitting = expected.filter(fits);
  const pool = distinct(firstNonEmpty(fitting, expected, values));
  const answers =
    pool.length > 1
      ? firstNonEmpty(
          pool.filter((value) => !isAside(value)),
          pool,
        )
      : pool;
  if (answers.length > 1) return { ok: false, reason: 'ambiguous', message: `${answers.length} different answers in one text` };
  // A fenced answer that can't be read beside one that can: which was meant is not known.
  const unread = all.find(({ candidate, result }) => candidate.fenced && !result.ok);
  if (unread) return { ok: false, reason: 'ambiguous', message: 'a second fenced answer can not be read' };
  return { ok: true, value: answers[0], repaired: false };
}

function repaired(candidates: Candidate[], options: ParseOptions, fits: Fits): JsonResult {
  const attempts = candidates.filter(({ text, fenced }) => fenced || looksLikeJson(text)).map((candidate) => ({ candidate, result: repairJson(candidate.text) }));
  const values = attempts.flatMap(({ result }) => (result.ok ? [result.value] : []));
  const incomplete = attempts.find(({ result }) => !result.ok && result.reason !== 'invalid') ?? attempts.find(({ result }) => !result.ok);
  if (incomplete && !incomplete.result.ok && (values.length === 0 || incomplete.result.reason !== 'invalid')) return incomplete.result;
  const expected = values.filter((value) => isExpected(value, options.expect ?? 'container'));
  const answers = distinct(firstNonEmpty(expected.filter(fits), expected, values));
  if (answers.length === 0) return { ok: false, reason: 'invalid', message: 'no JSON in the text' };
  if (answers.length > 1) return { ok: false, reason: 'ambiguous', message: `${answers.length} different answers in one text` };
  return { ok: true, value: answers[0], repaired: true };
}

/** Not a placeholder in prose ({name}, [1]), nor a link. */
function looksLikeJson(text: string): boolean {
  return /^[{｛]/.test(text) ? /[:："']|^\{\s*(?:\}|$|,|\/)/.test(text) : true;
}

/** What prose mentions by the way: nothing in it, or a footnote mark. */
function isAside(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((item) => typeof item === 'number');
  return Object.keys(value as object).length === 0;
}

function firstNonEmpty<T>(...lists: T[][]): T[] {
  return lists.find((list) => list.length > 0) ?? [];
}

function distinct(values: unknown[]): unknown[] {
  return values.filter((value, index) => values.findIndex((other) => isDeepStrictEqual(other, value)) === index);
}
