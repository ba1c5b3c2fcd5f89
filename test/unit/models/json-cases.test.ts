import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { parseJsonText, parseStructured } from '../../../src/models/structured-output.ts';
import { hasCases, readCases } from '../../support/cases.ts';

const cases = (name: string): unknown => JSON.parse(readCases(name));
interface RepairCase {
  id: string;
  category: string;
  raw: string;
  value: unknown;
}
interface ShapeCase {
  id: string;
  category: string;
  raw: string;
  value: unknown;
}

const repairCases = cases('json-repair.json') as RepairCase[];
/** Texts that stop inside a value, so that nobody can know the rest: found by reading them, not by running the code. */
const CUT = new Set(['jr-081', 'jr-098', 'jr-100', 'jr-119', 'jr-284', 'jr-301', 'jr-366', 'jr-367', 'jr-442', 'jr-444', 'jr-445', 'jr-555', 'jr-560']);

describe.skipIf(!hasCases)('json-repair.json', () => {
  test.each(repairCases)('$id ($category)', ({ id, raw, value }) => {
    expect(parseJsonText(raw)).toMatchObject(CUT.has(id) ? { ok: false, reason: 'incomplete' } : { ok: true, value });
  });

  test.each(repairCases)('$id is never repaired when it is known to be cut', ({ raw }) => {
    const result = parseJsonText(raw, { truncated: true });
    expect(result.ok ? result.repaired : result.reason).toBe(result.ok ? false : 'incomplete');
  });
});

/** Where the case asks for an object inside a text, the schema says so, as an agent's would. */
const callSchema = z.strictObject({ name: z.string(), arguments: z.record(z.string(), z.unknown()) });

describe.skipIf(!hasCases)('json-shapes.json', () => {
  const { cases: shapes = [] } = cases('json-shapes.json') as { cases?: ShapeCase[] };
  test.each(shapes)('$id ($category)', ({ category, raw, value }) => {
    const result = category === 'args_as_string_in_object' ? parseStructured(raw, callSchema) : parseJsonText(raw);
    const incomplete = category === 'think_unclosed' || category === 'truncated_max_tokens';
    const read = result.ok ? result.value : result.reason;
    const refusals = incomplete ? ['incomplete'] : ['ambiguous', 'empty', 'invalid'];
    expect(value === null || incomplete ? refusals : [value]).toContainEqual(read);
  });
});
