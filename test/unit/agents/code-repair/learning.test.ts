import { describe, expect, it } from 'vitest';
import { codeRepairMemory, codeRepairReflect } from '../../../../src/agents/code-repair/learning.ts';
import type { CodeRepairInput, CodeRepairOutput } from '../../../../src/agents/code-repair/schemas.ts';
import { reflectionSchema } from '../../../../src/contracts/experience.ts';
import type { AttemptFacts } from '../../../../src/agents/define-agent.ts';
import { isGrounded } from '../../../../src/memory/experience.ts';

type Facts = AttemptFacts<CodeRepairInput, CodeRepairOutput>;
const ERRORS = [
  'KeyError',
  'TypeError',
  'IndexError',
  'NameError',
  'ZeroDivisionError',
  'AttributeError',
  'SyntaxError',
  'Timeout',
  'ReferenceError',
  'RangeError',
  'RecursionError',
  'NoSandbox',
  'Refused_network',
  'wrong_output',
  'no_output',
];

function factsOf(type: string, more: Partial<Facts> = {}): Facts {
  return {
    input: { task: 'Add them up.', language: 'python', expectedOutput: 6, feedback: 'full' },
    attempt: 1,
    output: { language: 'python', code: 'print(1)', approach: 'adds', lessons: [] },
    passed: false,
    score: 0,
    calls: [],
    issues: [{ type, message: `The program raised ${type}: no such thing as that`, evidence: `${type}: no such thing as that` }],
    problem: null,
    ...more,
  };
}

describe('reflecting by rule', () => {
  it.each(ERRORS)('says of %s what causes it and what to do, with evidence from the trace', (type) => {
    const facts = factsOf(type);
    const reflection = codeRepairReflect.byRule(facts)!;
    expect(reflectionSchema.parse(reflection).error_type).toBe(type);
    expect(isGrounded(reflection, codeRepairReflect.render(facts))).toBe(true);
    expect(reflection.root_cause.length).toBeGreaterThan(40);
    expect(reflection.fix_suggestion).not.toBe('Read the error and change what it names.');
  });

  it('gives each kind of error its own advice', () => {
    const fixes = ['KeyError', 'TypeError', 'IndexError', 'NameError', 'ZeroDivisionError', 'AttributeError', 'SyntaxError', 'Timeout'].map(
      (type) => codeRepairReflect.byRule(factsOf(type))!.fix_suggestion,
    );
    expect(new Set(fixes).size).toBe(8);
  });

  it('has nothing to say where the feedback is withheld, and shows none of it', () => {
    const facts = factsOf('not_right', {
      input: { task: 'Add them up.', language: 'python', data: [41], feedback: 'withheld' },
      issues: [{ type: 'not_right', message: 'The code is not right.' }],
    });
    expect(codeRepairReflect.byRule(facts)).toBe(null);
    expect(codeRepairReflect.render(facts)).not.toContain('41');
  });
});

describe('what is remembered', () => {
  it.each([
    [factsOf('TypeError'), -1],
    [factsOf('TypeError', { problem: 'max_attempts' }), -2],
    [factsOf('wrong_output'), 0.5],
    [factsOf('no_output'), 0],
    [factsOf('Timeout'), -1],
    [factsOf('right_then_timeout'), 0.25],
    [factsOf('x', { passed: true, issues: [], score: 100, problem: 'quality_reached' }), 1],
    [factsOf('x', { passed: true, issues: [], score: 100, input: { task: 'Say anything.', language: 'python', feedback: 'full' } }), 0.5],
    [
      factsOf('same_code', {
        issues: [
          { type: 'same_code', message: 'same' },
          { type: 'wrong_output', message: 'gave 1' },
        ],
      }),
      0.5,
    ],
    [factsOf('x', { output: null, issues: [], problem: 'invalid_output' }), -2],
  ])('reward of %#', (facts, reward) => expect(codeRepairMemory.reward(facts)).toBe(reward));

  it('has no situation where feedback is withheld, so that nothing is recalled or kept', () => {
    expect(codeRepairMemory.situation({ task: 'Add them up.', language: 'python', feedback: 'withheld' }, null)).toBe('');
  });
});
