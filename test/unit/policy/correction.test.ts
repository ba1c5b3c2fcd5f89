import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { correctionSchema, EVALUATOR_KINDS } from '../../../src/contracts/verdict.ts';
import { buildCorrection, correctionLine } from '../../../src/policy/correction.ts';
import { issue, verdict } from './samples.ts';

describe('buildCorrection', () => {
  it('puts grave things first, then cheap and certain ones', () => {
    const correction = buildCorrection(
      [
        verdict('judge', { kind: 'model', passed: false, issues: [issue('tone', { severity: 'high' }), issue('length', { severity: 'low' })] }),
        verdict('template', { passed: false, issues: [issue('title'), issue('number', { severity: 'high', fix: 'Use 3 days.' })] }),
      ],
      { outputHash: 'h', score: 60 },
      null,
    );
    expect(correction.change.map((change) => change.type)).toEqual(['number', 'tone', 'title', 'length']);
    expect(correction.change[0]).toEqual({ type: 'number', message: 'number is wrong', fix: 'Use 3 days.' });
    expect(correction.best).toEqual({ outputHash: 'h', score: 60 });
  });

  it('keeps what passed evaluators found right, once', () => {
    const correction = buildCorrection(
      [verdict('a', { keep: ['greeting', 'table'] }), verdict('b', { keep: ['table', ' '] }), verdict('c', { passed: false, keep: ['wrong'] })],
      null,
      null,
    );
    expect(correction.keep).toEqual(['greeting', 'table']);
  });

  it('says each thing once, and a failure without an issue by its evidence', () => {
    const correction = buildCorrection(
      [
        verdict('a', { passed: false, issues: [issue('title'), issue('title')] }),
        verdict('b', { passed: false, issues: [issue('title', { fingerprint: 'other' })] }),
        verdict('c', { passed: false, hard: true, evidence: 'No order id in the reply.' }),
        verdict('d', { passed: false, status: 'skipped', score: null, issues: [issue('never')] }),
      ],
      null,
      null,
    );
    expect(correction.change).toEqual([
      { type: 'c', message: 'No order id in the reply.' },
      { type: 'title', message: 'title is wrong' },
    ]);
  });

  it('is bounded and fits its schema, whatever the verdicts', () => {
    const issues = fc.record({
      type: fc.string(),
      message: fc.string({ maxLength: 2_000, size: 'max' }),
      severity: fc.constantFrom('low' as const, 'medium' as const, 'high' as const),
      subject: fc.string(),
      fingerprint: fc.string(),
      fix: fc.option(fc.string({ maxLength: 2_000, size: 'max' }), { nil: undefined }),
    });
    const verdicts = fc.array(
      fc
        .record({ kind: fc.constantFrom(...EVALUATOR_KINDS), passed: fc.boolean(), issues: fc.array(issues), keep: fc.array(fc.string({ maxLength: 1_000 })) })
        .map((change) => verdict('some', change)),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(verdicts, (all) => {
        const correction = buildCorrection(all, null, 'Do otherwise.');
        expect(correctionSchema.safeParse(correction).success).toBe(true);
        expect(correction.change.length).toBeLessThanOrEqual(20);
        for (const change of correction.change) for (const text of Object.values(change)) expect(text!.length).toBeLessThanOrEqual(400);
        expect(new Set(correction.keep).size).toBe(correction.keep.length);
        const high = all.some((each) => each.issues.some((found) => found.severity === 'high'));
        if (high)
          expect(all.flatMap((each) => each.issues).find((found) => found.severity === 'high' && correction.change[0]!.type.startsWith(found.type.slice(0, 10)))).toBeDefined();
        const line = correctionLine(correction);
        expect(line).not.toBe('');
        expect(line).not.toMatch(/\n/);
      }),
      { numRuns: 50 },
    );
  });
});

it('correctionLine is for people', () => {
  const changes = ['a', 'b', 'c', 'd'].map((type) => issue(type, { fix: `Fix\n${type}` }));
  const correction = buildCorrection(
    [verdict('x', { passed: false, issues: changes }), verdict('y', { keep: ['intro'] })],
    { outputHash: 'h', score: 60 },
    'Lower the temperature.',
  );
  expect(correctionLine(correction)).toBe('Change: Fix a; Fix b; Fix c (and 1 more). Keep 1 part. Best so far: 60. Lower the temperature.');
  expect(correctionLine(buildCorrection([], null, null))).toBe('No issue was named.');
});
