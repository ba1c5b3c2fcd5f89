import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Cassette } from '../../../src/contracts/learning.ts';
import { hashArguments } from '../../../src/tools/canonical-json.ts';
import { cassetteSchema, findRecorded, replayRecord } from '../../../src/tools/cassette.ts';
import { defineTool } from '../../../src/tools/define-tool.ts';

const facts = {
  version: '1',
  releasedAt: '2026-01-01',
  description: 'Looks.',
  timeoutMs: 1_000,
  input: z.strictObject({ id: z.string() }),
  output: z.strictObject({ n: z.int() }),
};
const neverRuns = async (): Promise<{ n: number }> => {
  throw new Error('it ran');
};
const look = defineTool({ ...facts, name: 'look', risk: 'read', execute: neverRuns });
const change = defineTool({ ...facts, name: 'change', risk: 'write', execute: neverRuns });

function recorded(tool: string, id: string, more: Partial<Cassette['calls'][number]> = {}): Cassette['calls'][number] {
  return { tool, arguments: { id }, argumentsHash: hashArguments({ id }), status: 'success', result: { n: 1 }, code: null, reason: null, ...more };
}

const replay = (calls: Cassette['calls'], before = 0, id = 'a', tool: typeof look = look) =>
  replayRecord({ tool, cassette: cassetteSchema.parse({ calls }), argumentsHash: hashArguments({ id }), before }, { id });

describe('a cassette', () => {
  it('matches by tool and arguments; the n-th same call has the n-th result, then the last', () => {
    const calls = [
      recorded('look', 'a', { result: { n: 1 } }),
      recorded('change', 'a', { result: { n: 9 } }),
      recorded('look', 'b', { result: { n: 5 } }),
      recorded('look', 'a', { result: { n: 2 } }),
    ];
    expect([0, 1, 2, 7].map((before) => replay(calls, before).text)).toEqual(['{"n":1}', '{"n":2}', '{"n":2}', '{"n":2}']);
    expect(replay(calls, 0, 'b').text).toBe('{"n":5}');
    expect(findRecorded({ calls }, 'look', hashArguments({ id: 'c' }), 0)).toBeNull();
  });

  it('gives failures as they were, a refusal by a person as a failure, and nothing for what nobody knows', () => {
    expect(replay([recorded('look', 'a', { status: 'timeout', result: null, code: 'timeout', reason: 'late', retryable: true })])).toMatchObject({
      status: 'timeout',
      code: 'timeout',
      reason: 'late',
      retryable: true,
      text: null,
    });
    expect(replay([recorded('look', 'a', { status: 'partial', result: null, code: 'error', reason: 'half' })])).toMatchObject({ status: 'partial', reason: 'half' });
    expect(replay([recorded('look', 'a', { status: 'denied', result: null, code: 'rejected', reason: 'An approver rejected this call.' })])).toMatchObject({
      status: 'failure',
      code: 'rejected',
    });
    expect(replay([recorded('look', 'a', { status: 'indeterminate', result: null, code: 'indeterminate', reason: 'who knows' })])).toMatchObject({ code: 'unrecorded_call' });
  });

  it('a result that the tool no longer promises is contract drift, of a write too', () => {
    expect(replay([recorded('look', 'a', { result: { n: 'many' } })])).toMatchObject({ status: 'failure', code: 'contract_drift' });
    expect(replay([recorded('change', 'a', { result: null })], 0, 'a', change)).toMatchObject({ status: 'failure', code: 'contract_drift' });
  });

  it('an unrecorded call says which tool', () => {
    expect(replay([], 0, 'a', change)).toMatchObject({ status: 'failure', code: 'unrecorded_call', reason: 'unrecorded call: change', executions: 0 });
  });

  it('simulates reads alone, and only where the tool has an answer', () => {
    const simulates = defineTool({ ...facts, name: 'look', risk: 'read', simulate: ({ id }, calls) => (id === 'z' ? undefined : { n: calls.length }), execute: neverRuns });
    expect(replay([recorded('look', 'b')], 0, 'a', simulates)).toMatchObject({ status: 'success', text: '{"n":1}' });
    expect(replay([], 0, 'z', simulates)).toMatchObject({ code: 'unrecorded_call' });
    expect(() => defineTool({ ...facts, name: 'change', risk: 'write', simulate: () => ({ n: 1 }), execute: neverRuns })).toThrow(/simulate/);
  });
});
