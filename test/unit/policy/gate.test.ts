import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ExperimentPlan, ExperimentRun } from '../../../src/contracts/learning.ts';
import { chooseCases, minimumCases, withRule } from '../../../src/policy/experiment-plan.ts';
import { plannedRuns, runTaskId } from '../../../src/policy/experiment-runs.ts';
import { decideGate } from '../../../src/policy/gate.ts';
import { GATE_ALPHA, seriesLevel } from '../../../src/policy/gate-level.ts';

const variant = { rules: [], evaluators: {} };

function planOf(n: number, more: Partial<ExperimentPlan> = {}): ExperimentPlan {
  return {
    agent: 'probe',
    tenant: 'default',
    dataset: 'probe-regression',
    datasetAsOf: 0,
    caseIds: Array.from({ length: n }, (_, index) => `case-${index}`),
    repeats: 3,
    measure: 'first_attempt_passed',
    test: 'sign_flip',
    alpha: 0.1,
    level: 'alone',
    minCases: 20,
    criticalCaseIds: [],
    concurrency: 4,
    base: variant,
    candidate: variant,
    rule: null,
    ...more,
  };
}

/** @param passes how many of a case's repeats pass, by arm */
function runsOf(plan: ExperimentPlan, passes: (caseIndex: number) => { base: number; candidate: number }): ExperimentRun[] {
  return plannedRuns('x', plan).map((place) => {
    const value = Number(place.repeat <= passes(plan.caseIds.indexOf(place.caseId))[place.arm]);
    const passed = value === 1;
    const facts = { score: 100 * value, corrections: 1 - value, costMicros: 1_000, durationMs: 500, excluded: null };
    return { caseId: place.caseId, repeat: place.repeat, arm: place.arm, taskId: runTaskId(place), value, passed, firstAttemptPassed: passed, ...facts };
  });
}

describe('the gate', () => {
  it('promotes what is better beyond chance, and says by how much', () => {
    const plan = planOf(20);
    const result = decideGate(
      'x',
      plan,
      runsOf(plan, (index) => (index < 5 ? { base: 0, candidate: 3 } : { base: 3, candidate: 3 })),
    );
    // five cases all won: 2⁻⁵ of the sign flips do as well
    expect(result).toMatchObject({ decision: 'promote', wins: 5, losses: 0, ties: 15, p: 2 ** -5, delta: 0.25, cases: 20, excluded: [] });
    expect(result.base).toEqual({ runs: 60, passRate: 0.75, firstAttemptPassRate: 0.75, meanScore: 75, meanCorrections: 0.25, meanCostMicros: 1_000, meanDurationMs: 500 });
    // 0.25 ± t(0.95; 19) · √(0.1973684/20), t = 1.729133
    expect(result.interval!.low).toBeCloseTo(0.07823, 4);
    expect(result.interval!.high).toBeCloseTo(0.42177, 4);
    expect(result.why).toBe('The candidate is better: +25.0 points over 20 cases, p = 0.0313, level 0.1; no critical case was lost.');
  });

  it('rejects what may be chance, is worse, or does nothing', () => {
    const plan = planOf(20);
    const decided = (passes: Parameters<typeof runsOf>[1]) => decideGate('x', plan, runsOf(plan, passes));
    expect(decided((index) => (index < 3 ? { base: 2, candidate: 3 } : { base: 3, candidate: 3 }))).toMatchObject({
      decision: 'reject',
      p: 0.125,
      why: expect.stringMatching(/^That may be chance/),
    });
    expect(decided((index) => ({ base: 3, candidate: index < 9 ? 2 : 3 }))).toMatchObject({
      decision: 'reject',
      p: 1,
      losses: 9,
      why: expect.stringMatching(/^The candidate is worse: −15.0 points/),
    });
    expect(decided(() => ({ base: 2, candidate: 2 }))).toMatchObject({ decision: 'reject', p: 1, ties: 20, why: expect.stringMatching(/^The candidate changes nothing/) });
  });

  it('never promotes what loses a critical case, and does not judge without one', () => {
    const plan = planOf(20, { criticalCaseIds: ['case-19'] });
    const runs = runsOf(plan, (index) => (index === 19 ? { base: 3, candidate: 2 } : { base: 0, candidate: 3 }));
    expect(decideGate('x', plan, runs)).toMatchObject({ decision: 'reject', criticalLosses: ['case-19'], why: expect.stringContaining('lost critical case case-19') });
    const unknown = planOf(21, { criticalCaseIds: ['case-20'] });
    const left = runsOf(unknown, () => ({ base: 0, candidate: 3 })).map((run) =>
      run.caseId === 'case-20' && run.arm === 'candidate' ? { ...run, value: null, excluded: 'unrecorded' } : run,
    );
    expect(decideGate('x', unknown, left)).toMatchObject({ decision: 'too_little_evidence', why: expect.stringContaining('critical case case-20') });
  });

  it('takes too little evidence for a rejection, and counts no case of which a run is missing', () => {
    const plan = planOf(20);
    const runs = runsOf(plan, () => ({ base: 0, candidate: 3 }));
    const missing = runs.filter(({ caseId, repeat, arm }) => !(caseId === 'case-3' && repeat === 2 && arm === 'base'));
    expect(decideGate('x', plan, missing)).toMatchObject({ decision: 'too_little_evidence', cases: 19, excluded: [{ caseId: 'case-3', reason: '5 of 6 runs are stored' }] });
    expect(decideGate('x', planOf(20, { minCases: 19 }), missing)).toMatchObject({ decision: 'promote', cases: 19 });
    expect(decideGate('x', plan, [])).toMatchObject({ decision: 'too_little_evidence', cases: 0, interval: null, base: { runs: 0, passRate: null } });
  });

  it('gives nothing for cases that the candidate alone makes unrecorded calls on: were they lost, the gain must still stand', () => {
    const plan = planOf(30);
    const dropping = (cases: number) =>
      runsOf(plan, (index) => (index < 6 ? { base: 0, candidate: 3 } : { base: 3, candidate: 3 })).map((run) =>
        Number(run.caseId.slice(5)) >= 30 - cases && run.arm === 'candidate' ? { ...run, value: null, excluded: 'unrecorded call: pay' } : run,
      );
    expect(decideGate('x', plan, dropping(1))).toMatchObject({ decision: 'promote', cases: 29 });
    expect(decideGate('x', plan, dropping(5))).toMatchObject({ decision: 'too_little_evidence', cases: 25, why: expect.stringMatching(/^5 of 30 cases count for the base alone/) });
    // what the base could not do either hides nothing
    const both = dropping(5).map((run) => (Number(run.caseId.slice(5)) >= 25 ? { ...run, value: null, excluded: 'unrecorded call: pay' } : run));
    expect(decideGate('x', plan, both)).toMatchObject({ decision: 'promote', cases: 25 });
  });

  it('tests single repeats by McNemar', () => {
    const plan = planOf(20, { repeats: 1, test: 'mcnemar' });
    const result = decideGate(
      'x',
      plan,
      runsOf(plan, (index) => ({ base: Number(index >= 8), candidate: Number(index !== 19) })),
    );
    // (C(9,8) + C(9,9)) / 2⁹
    expect(result.p).toBeCloseTo(0.01953125, 9);
    expect(result).toMatchObject({ wins: 8, losses: 1, decision: 'promote' });
  });

  const passes = fc.array(fc.record({ base: fc.nat(3), candidate: fc.nat(3) }), { minLength: 20, maxLength: 40 });

  it('decides the same whatever the order in which the runs were stored', () => {
    fc.assert(
      fc.property(passes, fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), (cases, keys) => {
        const plan = planOf(cases.length);
        const runs = runsOf(plan, (index) => cases[index]!);
        const mixed = runs.map((run) => ({ run, key: keys.next().value! })).toSorted((one, other) => one.key - other.key);
        const decided = decideGate(
          'x',
          plan,
          mixed.map(({ run }) => run),
        );
        expect({ ...decided, base: null, candidate: null }).toEqual({ ...decideGate('x', plan, runs), base: null, candidate: null });
      }),
      { numRuns: 50 },
    );
  });

  it('never promotes both a candidate and its opposite, and promotes only at its level', () => {
    fc.assert(
      fc.property(passes, fc.double({ min: 0.001, max: 0.1, noNaN: true }), (cases, alpha) => {
        const plan = planOf(cases.length, { alpha });
        const [there, back] = [
          decideGate(
            'x',
            plan,
            runsOf(plan, (index) => cases[index]!),
          ),
          decideGate(
            'x',
            plan,
            runsOf(plan, (index) => ({ base: cases[index]!.candidate, candidate: cases[index]!.base })),
          ),
        ];
        expect(there.decision === 'promote' && back.decision === 'promote').toBe(false);
        expect(there.decision === 'promote').toBe(there.p <= alpha);
        expect(there.wins + there.losses + there.ties).toBe(cases.length);
        expect(there.delta).toBeCloseTo(-back.delta, 9);
      }),
      { numRuns: 100 },
    );
  });
});

describe('levels of a series', () => {
  const entry = fc.record({ p: fc.option(fc.double({ min: 0, max: 1, noNaN: true })), promoted: fc.boolean() });

  it('begin below that of a single test and never exceed the wealth', () => {
    expect(seriesLevel([])).toBeCloseTo(0.06 * 0.437_490_165_8, 9);
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 40 }), (before) => {
        const level = seriesLevel(before);
        expect(level).toBeGreaterThan(0);
        expect(level).toBeLessThanOrEqual(0.25);
      }),
    );
  });

  it('count what still runs as what failed, so that two at once have different levels', () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 20 }), (before) => {
        expect(seriesLevel([...before, { p: null, promoted: false }])).toBe(seriesLevel([...before, { p: 1, promoted: false }]));
      }),
    );
    expect(seriesLevel([{ p: null, promoted: false }])).toBeLessThan(seriesLevel([]));
    // a promotion earns
    expect(seriesLevel([{ p: 0.001, promoted: true }])).toBeGreaterThan(seriesLevel([{ p: 1, promoted: false }]));
    expect(GATE_ALPHA).toBe(0.1);
  });
});

describe('the plan', () => {
  it('runs both arms of a repeat side by side, neither always first, each under an id of its own', () => {
    const runs = plannedRuns('x', { caseIds: ['a', 'b'], repeats: 2 });
    expect(runs.map(runTaskId)).toEqual(['x/a/candidate/1', 'x/a/base/1', 'x/a/base/2', 'x/a/candidate/2', 'x/b/base/1', 'x/b/candidate/1', 'x/b/candidate/2', 'x/b/base/2']);
  });

  it('takes the critical cases first, and the others from all over the dataset', () => {
    const cases = Array.from({ length: 10 }, (_, index) => ({ caseId: `c${index}`, critical: index === 9 }));
    expect(chooseCases(cases, null)).toHaveLength(10);
    expect(chooseCases(cases, 4).map(({ caseId }) => caseId)).toEqual(['c0', 'c3', 'c6', 'c9']);
  });

  it('lets only the whole of a small dataset be enough', () => {
    expect(minimumCases(null, 8)).toBe(20);
    expect(minimumCases(8, 8)).toBe(8);
    expect(minimumCases(30, 40)).toBe(30);
    expect(minimumCases(8, 40)).toMatch(/its size, which is 40/);
    expect(minimumCases(4, 4)).toMatch(/at least 5/);
  });

  it('puts the rule that is tried in the place of what it would replace', () => {
    const rule = (ruleId: string, version: number, more: object = {}) => ({ ruleId, version, kind: 'sentence' as const, content: ruleId, payload: null, ...more });
    const tool = (ruleId: string, name: string) => rule(ruleId, 1, { kind: 'tool_description', payload: { tool: name, description: 'text' } });
    expect(withRule([rule('a', 1), rule('b', 1)], rule('a', 2))).toEqual([
      { ruleId: 'b', version: 1 },
      { ruleId: 'a', version: 2 },
    ]);
    expect(withRule([tool('a', 'search'), tool('b', 'read')], tool('c', 'search')).map(({ ruleId }) => ruleId)).toEqual(['b', 'c']);
  });
});
