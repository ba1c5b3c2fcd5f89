import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { CaseFileError, cassetteOfLine, parseCaseFile, printCase } from '../../../src/datasets/case-file.ts';
import { hashArguments } from '../../../src/tools/canonical-json.ts';

const GOOD =
  '{"id":"one","kind":"happy","input":{"task":"x"},"cassette":[{"tool":"look","arguments":{"b":1,"a":2},"result":{"ok":true}},{"tool":"look","arguments":{},"status":"failure","code":"error","reason":"no"}]}';

function problemOf(text: string): { line: number; problem: string } {
  try {
    parseCaseFile(text);
  } catch (error) {
    if (error instanceof CaseFileError) return { line: error.line, problem: error.problem };
    throw error;
  }
  throw new Error('it was taken');
}

describe('a file of cases', () => {
  it('gives lines with defaults, and calls with the hash of their arguments', () => {
    const [line] = parseCaseFile(`\n${GOOD}\n`);
    expect(line).toMatchObject({ id: 'one', kind: 'happy', split: 'gate', critical: false, expected: null });
    expect(cassetteOfLine(line!).calls).toEqual([
      { tool: 'look', arguments: { b: 1, a: 2 }, argumentsHash: hashArguments({ a: 2, b: 1 }), status: 'success', result: { ok: true }, code: null, reason: null },
      { tool: 'look', arguments: {}, argumentsHash: hashArguments({}), status: 'failure', result: null, code: 'error', reason: 'no' },
    ]);
  });

  it('is printed as it was read', () => {
    const [line] = parseCaseFile(GOOD);
    const stored = { ...line!, caseId: line!.id, dataset: 'd', agent: 'probe', tenant: 'default', cassetteHash: null, validFrom: 0 };
    expect(JSON.parse(printCase(stored, cassetteOfLine(line!)))).toEqual(JSON.parse(GOOD));
  });

  it('says which line is wrong, and how', () => {
    expect(problemOf(`${GOOD}\nnot json`)).toMatchObject({ line: 2, problem: expect.stringContaining('not JSON') });
    expect(problemOf(`\n${GOOD}\n${GOOD}`)).toEqual({ line: 3, problem: 'the id one stands in line 2 already' });
    expect(problemOf('{"id":"two","kind":"sad","input":{}}')).toMatchObject({ line: 1, problem: expect.stringContaining('kind') });
    expect(problemOf('{"id":"two","kind":"happy","input":{},"surprise":1}')).toMatchObject({ problem: expect.stringContaining('surprise') });
    expect(problemOf('{"id":"../two","kind":"happy","input":{}}')).toMatchObject({ problem: expect.stringContaining('id') });
    expect(() => parseCaseFile(`\n${GOOD}`, z.strictObject({ task: z.number() }))).toThrow(/^line 2: the input of one does not fit the agent/);
    expect(parseCaseFile(GOOD, z.strictObject({ task: z.string() }))).toHaveLength(1);
  });
});
