import * as fc from 'fast-check';
import { jsonrepair } from 'jsonrepair';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { requestedCallSchema } from '../../../src/contracts/tool-call.ts';
import { fieldsOf } from '../../../src/policy/conditions.ts';
import { riskOf } from '../../../src/policy/risk.ts';
import { hashText } from '../../../src/tools/canonical-json.ts';
import { defineTool } from '../../../src/tools/define-tool.ts';
import { prepareCall, type ParsedArguments, type PrepareCallInput } from '../../../src/tools/prepare-call.ts';
import { hasCases, readCases } from '../../support/cases.ts';

const output = z.object({});
const execute = async () => ({});
const common = { version: '1.0.0', releasedAt: '2026-01-31', description: 'Does it.', output, timeoutMs: 1_000, execute };
const tools = [
  defineTool({ ...common, name: 'list_dir', risk: 'read', input: z.strictObject({ path: z.string(), depth: z.int().optional() }) }),
  defineTool({
    ...common,
    name: 'refund',
    risk: 'write',
    input: z.strictObject({ orderId: z.string(), amount: z.number(), note: z.string().optional() }),
    riskWhen: [{ when: { field: 'amount', op: 'above', value: 100 }, risk: 'dangerous' }],
  }),
];

/** What the model activity does before: strict parse, else a repair that is said to be one. */
function parse(text: string): ParsedArguments {
  try {
    return { ok: true, value: JSON.parse(text) as unknown, repaired: false };
  } catch (error) {
    try {
      return { ok: true, value: JSON.parse(jsonrepair(text)) as unknown, repaired: true };
    } catch {
      return { ok: false, message: (error as Error).message };
    }
  }
}

function prepare(name: string, argumentsText: string, change: Partial<PrepareCallInput> = {}) {
  const result = prepareCall({
    tools,
    providerCallId: 'call_1',
    callId: 'a1.t1.c1',
    name,
    argumentsText,
    parsed: parse(argumentsText),
    confidence: null,
    reason: '',
    fieldPaths: ['orderId', 'amount'],
    riskOf,
    fieldsOf,
    ...change,
  });
  requestedCallSchema.parse(result.call);
  return result;
}

describe('prepareCall', () => {
  test('checks, coerces, hashes and describes a call', () => {
    const { call, canonical } = prepare('refund', '{"_decision":{"reason":"not shipped yet","confidence":0.9},"orderId":"A002","amount":"299"}');
    expect(canonical).toBe('{"amount":299,"orderId":"A002"}');
    expect(call).toEqual({
      callId: 'a1.t1.c1',
      providerCallId: 'call_1',
      tool: 'refund',
      argumentsHash: hashText(canonical ?? ''),
      risk: 'dangerous',
      confidence: 0.9,
      reason: 'not shipped yet',
      fields: { orderId: 'A002', amount: 299 },
      subject: 'A002, 299',
      problem: null,
    });
  });
  test('the same call in another key order and spelling has the same hash', () => {
    const hash = prepare('refund', '{"orderId":"A002","amount":50}').call.argumentsHash;
    expect(prepare('refund', '{ "amount" : "50", "note": null, "orderId":"A002" }').call.argumentsHash).toBe(hash);
    expect(prepare('refund', '{"orderId":"A002","amount":51}').call.argumentsHash).not.toBe(hash);
  });
  test('risk sees its fields even when no requirement names them', () => {
    expect(prepare('refund', '{"orderId":"A002","amount":101}', { fieldPaths: [] }).call).toMatchObject({ risk: 'dangerous', fields: {} });
    expect(prepare('refund', '{"orderId":"A002","amount":100}', { fieldPaths: [] }).call.risk).toBe('write');
  });
  test('TOOL-04 an unknown tool is told with the names there are', () => {
    const { call, canonical } = prepare('search_files', '{}');
    expect(canonical).toBeNull();
    expect(call.problem).toEqual({ code: 'unknown_tool', message: 'There is no tool "search_files". Available tools: list_dir, refund.' });
    for (const name of ['toString', '__proto__', '', 'x'.repeat(100_000), 'LIST_DIR']) expect(prepare(name, '{}').call.problem?.code).toBe('unknown_tool');
    expect(prepare('x'.repeat(100_000), '{}').call.problem?.message.length).toBeLessThan(300);
  });
  test('TOOL-01 malformed JSON is told with the error and a bounded preview', () => {
    const text = '{"{"tagIds":[1]';
    const { call, canonical } = prepare('list_dir', text, { parsed: { ok: false, message: "Expected ':' after property name at position 4" } });
    expect(canonical).toBeNull();
    expect(call).toMatchObject({ argumentsHash: null, problem: { code: 'invalid_json' } });
    expect(call.problem?.message).toContain("Expected ':'");
    expect(call.problem?.message).toContain('tagIds');
    const long = prepare('list_dir', text.repeat(100_000), { parsed: { ok: false, message: 'x'.repeat(100_000) } });
    expect(long.call.problem?.message.length).toBeLessThan(700);
  });
  test('arguments that break the schema are told field by field and are not hashed', () => {
    const { call } = prepare('refund', '{"orderId":7}');
    expect(call.problem).toEqual({ code: 'invalid_arguments', message: 'orderId: got 7, expected string; amount: missing, expected number' });
    expect(call.argumentsHash).toBeNull();
    expect(prepare('refund', '[]').call.problem?.message).toBe('(arguments): got [], expected object');
  });
  test('mended arguments run a read, and never a call that changes something', () => {
    expect(prepare('list_dir', "{path: '/tmp',}")).toMatchObject({ canonical: '{"path":"/tmp"}', call: { problem: null } });
    const { call, canonical } = prepare('refund', "{orderId: 'A002', amount: 5,}");
    expect(canonical).toBeNull();
    expect(call).toMatchObject({ argumentsHash: null, problem: { code: 'repaired_arguments' } });
    expect(call.problem?.message).toContain('orderId');
  });
  test('I18N-02 a NUL or other control character in the arguments is the true value', () => {
    expect(JSON.parse(prepare('list_dir', '{"path":"a\\u0000b"}').canonical ?? '')).toEqual({ path: 'a\u0000b' });
    const raw = prepare('list_dir', '{"path":"a\u0001b"}');
    if (raw.canonical !== null) expect(JSON.parse(raw.canonical)).toEqual({ path: 'a\u0001b' });
    else expect(raw.call.problem?.code).toBe('invalid_json');
  });
  test('a note outside the call counts only where the call has none', () => {
    const outside = { confidence: 0.4, reason: 'outside' };
    expect(prepare('list_dir', '{"path":"/"}', outside).call).toMatchObject(outside);
    expect(prepare('list_dir', '{"path":"/","_decision":{"reason":"inside","confidence":1}}', outside).call).toMatchObject({ confidence: 1, reason: 'inside' });
  });
  test.skipIf(!hasCases)('every broken text of the shared cases gives a call or a problem', () => {
    const cases = JSON.parse(readCases('json-repair.json')) as { raw: string }[];
    expect(cases.length).toBeGreaterThan(100);
    for (const { raw } of cases) {
      const { call, canonical } = prepare('list_dir', raw);
      expect(call.problem === null).toBe(canonical !== null);
    }
  });
  test('property: never throws for anything that JSON can say', () => {
    fc.assert(
      fc.property(fc.string(), fc.jsonValue(), fc.boolean(), (name, value, repaired) => {
        for (const tool of [name, 'list_dir', 'refund']) {
          const { call, canonical } = prepare(tool, '', { parsed: { ok: true, value, repaired } });
          expect(call.problem === null).toBe(canonical !== null);
          expect(call.subject.length).toBeLessThanOrEqual(60);
        }
      }),
    );
  });
});
