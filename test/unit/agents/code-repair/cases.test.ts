import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parseCases } from '../../../../src/agents/case.ts';
import { codeRepairInputSchema } from '../../../../src/agents/code-repair/schemas.ts';
import { registry } from '../../../../src/agents/index.ts';

it('has cases that fit the input, and a case that waits for another stands behind it', () => {
  const cases = parseCases(readFileSync(registry['code-repair'].cases, 'utf8'));
  for (const [index, { input, after }] of cases.entries()) {
    expect(codeRepairInputSchema.safeParse(input).success).toBe(true);
    if (after !== undefined) expect(cases.slice(0, index).map(({ name }) => name)).toContain(after);
  }
  expect(cases.filter(({ after }) => after !== undefined)).not.toEqual([]);
});

it('takes tests or an expected output, not both', () => {
  const tests = [{ args: [], expected: 1 }];
  expect(codeRepairInputSchema.safeParse({ task: 'Do it.', language: 'python', tests }).success).toBe(true);
  expect(codeRepairInputSchema.safeParse({ task: 'Do it.', language: 'python', tests, expectedOutput: 1 }).success).toBe(false);
  expect(codeRepairInputSchema.safeParse({ task: 'Do it.', language: 'ruby' }).success).toBe(false);
});
