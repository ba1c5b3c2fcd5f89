import * as fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { verdictSchema, type EvaluatorKind } from '../../../src/contracts/verdict.ts';
import { defineEvaluator, EvaluatorDefinitionError, JudgeFailure, type EvaluatorDefinition, type Judgement } from '../../../src/evaluation/define-evaluator.ts';
import { fingerprintOf } from '../../../src/evaluation/fingerprint.ts';
import { runEvaluators } from '../../../src/evaluation/run-evaluators.ts';
import { contextOf } from './context.ts';

const good: Judgement = { passed: true, score: 100, issues: [], evidence: 'looked' };
const bad: Judgement = { passed: false, score: 40, issues: [{ type: 'missing', message: 'it is missing', severity: 'high', subject: 'Key  Metrics' }], evidence: 'looked' };
const evaluator = (name: string, kind: EvaluatorKind, judgement: unknown, change: Partial<EvaluatorDefinition<unknown, unknown>> = {}) =>
  defineEvaluator({ name, kind, evaluate: () => judgement as Judgement, ...change });

async function run(...evaluators: ReturnType<typeof evaluator>[]) {
  const verdicts = await runEvaluators(evaluators, contextOf('text'), 'support');
  for (const verdict of verdicts) {
    verdictSchema.parse(verdict);
    expect(verdict.evidence).not.toBe('');
  }
  return verdicts;
}

describe('defineEvaluator', () => {
  test('fills in defaults by kind', () => {
    expect(defineEvaluator({ name: 'a', kind: 'rule', evaluate: () => good })).toMatchObject({ hard: true, weight: 1, timeoutMs: 2_000 });
    expect(defineEvaluator({ name: 'a', kind: 'model', evaluate: () => good })).toMatchObject({ hard: false, timeoutMs: 60_000 });
    expect(() => defineEvaluator({ name: 'a', kind: 'human' }).evaluate(contextOf(''))).toThrow(JudgeFailure);
  });
  test.each([
    ['name', { name: 'Bad Name' }],
    ['kind', { kind: 'robot' }],
    ['weight', { weight: -1 }],
    ['weight', { weight: Number.NaN }],
    ['weight', { weight: 0, hard: false }],
    ['timeoutMs', { timeoutMs: 0 }],
    ['evaluate', { evaluate: undefined }],
  ])('refuses a bad %s: %o', (field, change) => {
    const thrown = (() => {
      try {
        defineEvaluator({ name: 'a', kind: 'rule', evaluate: () => good, ...change } as never);
      } catch (error) {
        return error;
      }
      return null;
    })();
    expect(thrown).toBeInstanceOf(EvaluatorDefinitionError);
    expect(thrown).toMatchObject({ field });
  });
});

describe('runEvaluators', () => {
  test('runs in order of cost', async () => {
    const verdicts = await run(evaluator('m', 'model', good), evaluator('r1', 'rule', good), evaluator('t', 'tool', good), evaluator('r2', 'rule', good));
    expect(verdicts.map((verdict) => verdict.evaluator)).toEqual(['r1', 'r2', 't', 'm']);
  });
  test('a failed hard rule skips what is dearer, with the reason; other rules still run, so that all is corrected at once', async () => {
    const judge = vi.fn<() => Judgement>(() => good);
    const verdicts = await run(evaluator('r1', 'rule', bad), evaluator('r2', 'rule', good), defineEvaluator({ name: 'm', kind: 'model', evaluate: judge }));
    expect(verdicts.map(({ status }) => status)).toEqual(['judged', 'judged', 'skipped']);
    expect(verdicts[2]).toMatchObject({ score: null, evidence: 'skipped: the hard evaluator r1 had failed already' });
    expect(judge).not.toHaveBeenCalled();
  });
  test('a failed hard model judge skips further model judges; a soft one skips nothing', async () => {
    expect((await run(evaluator('m1', 'model', bad, { hard: true }), evaluator('m2', 'model', good))).map(({ status }) => status)).toEqual(['judged', 'skipped']);
    expect((await run(evaluator('r', 'rule', bad, { hard: false }), evaluator('m', 'model', good))).map(({ status }) => status)).toEqual(['judged', 'judged']);
  });
  test('issues get the fingerprint of agent, evaluator, type and subject, whatever the wording', async () => {
    const [verdict] = await run(evaluator('r', 'rule', bad));
    const issue = verdict?.issues[0];
    expect(issue?.fingerprint).toBe(fingerprintOf('support', 'r', 'missing', 'key metrics'));
    expect(issue?.fingerprint).toMatch(/^[0-9a-f]{16}$/);
    const others = [
      ['weekly', 'r', 'missing', 'key metrics'],
      ['support', 's', 'missing', 'key metrics'],
      ['support', 'r', 'extra', 'key metrics'],
      ['support', 'r', 'missing', 'title'],
      ['support', 'r', 'missingkey', ' metrics'],
    ] as const;
    for (const [agent, name, type, subject] of others) expect(fingerprintOf(agent, name, type, subject)).not.toBe(issue?.fingerprint);
  });
  test('EVAL-01 a judge that failed is judge_failed: no score, no issue with the output', async () => {
    const verdicts = await run(
      defineEvaluator({
        name: 'm',
        kind: 'model',
        evaluate: () => {
          throw new JudgeFailure('it said: I cannot evaluate this.');
        },
      }),
    );
    expect(verdicts[0]).toMatchObject({ status: 'judge_failed', score: null, passed: false, issues: [], evidence: 'judge failed: it said: I cannot evaluate this.' });
  });
  test.each([new Error('boom'), 'text', null, undefined])('a rule that throws %o is an issue about the evaluator, never score 0', async (thrown) => {
    const [verdict, next] = await run(
      defineEvaluator({
        name: 'r',
        kind: 'rule',
        evaluate: () => {
          throw thrown;
        },
      }),
      evaluator('m', 'model', good),
    );
    expect(verdict).toMatchObject({ status: 'judge_failed', score: null, issues: [{ type: 'evaluator_error', subject: 'r' }] });
    expect(next?.status).toBe('judged');
  });
  test.each([
    ['no object', null],
    ['prose', 'very good'],
    ['a score over 100', { ...good, score: 100.0001 }],
    ['a score under 0', { ...good, score: -1 }],
    ['NaN', { ...good, score: Number.NaN }],
    ['a score as text', { ...good, score: '80' }],
    ['no verdict', { ...good, passed: 'yes' }],
    ['no issues', { ...good, issues: undefined }],
    ['an issue without severity', { ...good, issues: [{ type: 'a', message: 'b' }] }],
  ])('%s is judge_failed, never clamped', async (_, judgement) => {
    expect((await run(evaluator('r', 'rule', judgement)))[0]).toMatchObject({ status: 'judge_failed', score: null });
  });
  test('one that takes too long is judge_failed and is told so by its signal', async () => {
    let aborted = false;
    const slow = defineEvaluator({
      name: 'slow',
      kind: 'tool',
      timeoutMs: 20,
      evaluate: ({ signal }) =>
        new Promise<never>(() =>
          signal.addEventListener('abort', () => {
            aborted = true;
          }),
        ),
    });
    expect((await run(slow))[0]).toMatchObject({ status: 'judge_failed', evidence: 'judge failed: slow took over 20 ms' });
    expect(aborted).toBe(true);
  });
  test('evidence and issues are never empty', async () => {
    const [verdict] = await run(evaluator('r', 'rule', { passed: false, score: 0, issues: [], evidence: ' ' }));
    expect(verdict?.evidence).toContain('named no evidence');
    expect(verdict?.issues).toMatchObject([{ type: 'not_passed' }]);
  });
  test("a model that can't be reached is the caller's to retry, even when the evaluator swallows it", async () => {
    const unreachable = new Error('503');
    const judge = async () => {
      throw unreachable;
    };
    const ask = defineEvaluator({
      name: 'm',
      kind: 'model',
      evaluate: async (context) => {
        await context.judge({} as never);
        return good;
      },
    });
    const swallow = defineEvaluator({
      name: 'm',
      kind: 'model',
      evaluate: async (context) => {
        await context.judge({} as never).catch(() => null);
        return good;
      },
    });
    await expect(runEvaluators([ask], contextOf('x', { judge }), 'a')).rejects.toBe(unreachable);
    await expect(runEvaluators([swallow], contextOf('x', { judge }), 'a')).rejects.toBe(unreachable);
  });
  test('cancellation goes on', async () => {
    const controller = new AbortController();
    const hang = defineEvaluator({ name: 'm', kind: 'model', evaluate: () => new Promise<never>(() => {}) });
    setTimeout(() => controller.abort(new Error('CANCELLED')), 10);
    await expect(runEvaluators([hang], contextOf('x', { signal: controller.signal }), 'a')).rejects.toThrow('CANCELLED');
  });
  test('huge findings are bounded', async () => {
    const huge = 'x'.repeat(1_000_000);
    const [verdict] = await run(
      evaluator('r', 'rule', {
        passed: false,
        score: 1,
        issues: Array.from({ length: 500 }, () => ({ type: 't', message: huge, evidence: huge, fix: huge, subject: huge, severity: 'low' })),
        keep: [huge],
        evidence: huge,
      }),
    );
    expect(JSON.stringify(verdict).length).toBeLessThan(500_000);
  });
  test('property: whatever an evaluator returns becomes a valid verdict', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.anything(),
          fc.record({
            passed: fc.oneof(fc.boolean(), fc.anything()),
            score: fc.oneof(fc.double(), fc.anything()),
            issues: fc.oneof(fc.constant([]), fc.anything()),
            evidence: fc.string(),
          }),
        ),
        async (value) => {
          // a promise-like that never settles is a timeout, tested above
          fc.pre(!(value !== null && typeof value === 'object' && 'then' in value));
          expect(await run(evaluator('r', 'rule', value))).toHaveLength(1);
        },
      ),
      { numRuns: 200 },
    );
  });
});
