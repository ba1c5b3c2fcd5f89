import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RULE_STATUSES, type GateDecision, type RuleStatus } from '../../../src/contracts/reasons.ts';
import { nextStatuses, refuseEdit, refuseStep, RULE_MOVERS, type GateEvidence, type RuleStep } from '../../../src/policy/lifecycle.ts';

const rule = { ruleId: 'r', version: 2, agent: 'support', tenant: 'default', status: 'candidate' as RuleStatus, createdBy: 'ann', reviewed: true };
const promoted: GateEvidence = { ruleId: 'r', ruleVersion: 2, agent: 'support', tenant: 'default', decision: 'promote', dataset: 'support-regression', used: false };

function step(from: RuleStatus, to: RuleStatus, change: Partial<RuleStep> = {}): RuleStep {
  const gate = to === 'canary' ? { experiment: promoted, experimentId: 'e' } : { experiment: null, experimentId: null };
  return {
    rule: { ...rule, status: from },
    to,
    actor: 'bob',
    roles: ['reviewer'],
    byProgram: false,
    force: false,
    reason: 'a reason',
    ...gate,
    share: null,
    pairs: null,
    ...change,
  };
}
const codeOf = (asked: RuleStep) => refuseStep(asked)?.code ?? null;

describe('the way of a rule', () => {
  it('a reviewer may take exactly these steps', () => {
    const allowed = RULE_STATUSES.flatMap((from) => RULE_STATUSES.filter((to) => codeOf(step(from, to)) === null).map((to) => `${from} → ${to}`));
    expect(allowed).toEqual([
      'candidate → in_review',
      'candidate → rejected',
      'in_review → preview',
      'in_review → rejected',
      'preview → canary',
      'preview → rejected',
      'canary → preview',
      'canary → live',
      'canary → retired',
      'live → preview',
      'live → retired',
    ]);
    for (const from of RULE_STATUSES)
      expect(allowed.filter((each) => each.startsWith(`${from} `)).map((each) => each.split(' → ')[1])).toEqual(expect.arrayContaining(nextStatuses(from)));
  });

  it('programs take only their own steps, whatever roles they claim', () => {
    const allowed = RULE_MOVERS.flatMap((actor) =>
      RULE_STATUSES.flatMap((from) =>
        RULE_STATUSES.filter((to) => codeOf(step(from, to, { actor, byProgram: true, roles: ['admin'] })) === null).map((to) => `${actor}: ${from} → ${to}`),
      ),
    );
    expect(allowed.toSorted()).toEqual([
      'canary: canary → live',
      'canary: canary → retired',
      'canary: live → retired',
      'experiment: preview → rejected',
      'learn: candidate → in_review',
      'quarantine: canary → preview',
      'quarantine: canary → retired',
      'quarantine: live → preview',
      'quarantine: live → retired',
    ]);
    expect(codeOf(step('preview', 'canary', { rule: { ...rule, status: 'preview', reviewed: false } }))).toBe('not_possible');
    expect(codeOf(step('canary', 'live', { actor: 'canary', roles: [] }))).toBe('not_a_reviewer');
    expect(codeOf(step('candidate', 'in_review', { actor: 'learn', roles: ['operator', 'learn'] }))).toBe('not_a_reviewer');
  });

  it('whoever wrote it judges no step of it, under no spelling; stopping it takes no second person', () => {
    for (const actor of ['ann', 'Ann', ' ANN ', 'a\u200bnn'])
      for (const [from, to] of [
        ['in_review', 'preview'],
        ['preview', 'canary'],
        ['canary', 'live'],
      ] as const) {
        expect(codeOf(step(from, to, { actor })), actor).toBe('author');
        expect(codeOf(step(from, to, { actor, roles: ['admin'] }))).toBe('author');
      }
    for (const [from, to] of [
      ['candidate', 'in_review'],
      ['in_review', 'rejected'],
      ['live', 'retired'],
    ] as const)
      expect(codeOf(step(from, to, { actor: 'ann' }))).toBeNull();
  });

  it('to canary only by an experiment of exactly this version that says promote, once', () => {
    const canary = (change: Partial<GateEvidence> | null, experimentId: string | null = 'e') =>
      codeOf(step('preview', 'canary', { experiment: change && { ...promoted, ...change }, experimentId }));
    expect(canary({})).toBeNull();
    expect(canary({}, null)).toBe('no_experiment');
    expect(canary(null)).toBe('other_experiment');
    for (const other of [{ ruleId: 's' }, { ruleId: null }, { ruleVersion: 1 }, { agent: 'code-repair' }, { tenant: 'acme' }, { dataset: 'five easy cases' }])
      expect(canary(other)).toBe('other_experiment');
    for (const decision of ['reject', 'too_little_evidence', null] as const) expect(canary({ decision })).toBe('not_promoted');
    expect(canary({ used: true })).toBe('experiment_used');
  });

  it('numbers have their ranges, and every step its reason', () => {
    // with it in every task there are no controls, and harm never shows
    for (const share of [0, -0.1, 1, 1.01, Number.NaN]) expect(codeOf(step('preview', 'canary', { share }))).toBe('out_of_range');
    // six that all end worse are not yet evidence of harm
    for (const pairs of [0, 6, 7.5, 10_001, Number.NaN]) expect(codeOf(step('preview', 'canary', { pairs }))).toBe('out_of_range');
    expect(codeOf(step('preview', 'canary', { share: 0.9, pairs: 7 }))).toBeNull();
    expect(codeOf(step('candidate', 'in_review', { reason: ' \n' }))).toBe('no_reason');
  });

  it('only an admin forces, only to live, and not what is over', () => {
    const forced = (from: RuleStatus, change: Partial<RuleStep> = {}) => codeOf(step(from, 'live', { force: true, roles: ['admin'], ...change }));
    expect(RULE_STATUSES.filter((from) => forced(from) === null)).toEqual(['candidate', 'in_review', 'preview', 'canary']);
    expect(forced('candidate', { roles: ['reviewer'] })).toBe('not_an_admin');
    expect(forced('candidate', { byProgram: true, actor: 'canary' })).toBe('not_an_admin');
    expect(forced('candidate', { share: 1 })).toBe('out_of_range');
    expect(forced('candidate', { to: 'canary' })).toBe('not_possible');
    expect(forced('candidate', { reason: '' })).toBe('no_reason');
  });

  it('refusals name the field and say what to do', () => {
    expect(refuseStep(step('rejected', 'live'))).toEqual({
      code: 'not_possible',
      field: 'to',
      message: "A rule that is rejected can't become live. It is over: propose it in other words.",
    });
    expect(refuseStep(step('candidate', 'preview'))!.message).toContain('It may become: in_review, rejected.');
  });

  it('is edited by a reviewer until it is over', () => {
    expect(RULE_STATUSES.filter((status) => refuseEdit(status, ['reviewer'], 'clearer') === null)).toEqual(['candidate', 'in_review', 'preview', 'canary', 'live']);
    expect(refuseEdit('candidate', ['operator'], 'clearer')!.code).toBe('not_a_reviewer');
    expect(refuseEdit('candidate', ['admin'], '')!.code).toBe('no_reason');
  });
});

const steps = fc.array(
  fc.record({
    to: fc.constantFrom(...RULE_STATUSES),
    actor: fc.constantFrom('ann', 'bob', ...RULE_MOVERS),
    byProgram: fc.boolean(),
    roles: fc.subarray(['operator', 'approver', 'reviewer', 'admin', 'finance']),
    force: fc.boolean(),
    decision: fc.constantFrom<GateDecision | null>('promote', 'promote', 'reject', 'too_little_evidence', null),
    experimentVersion: fc.constantFrom(2, 2, 1),
    experimentId: fc.constantFrom('e1', 'e2', 'e3', null),
  }),
  { maxLength: 60 },
);

it('no path leads to canary or live but over a reviewer and an experiment that says promote and that a reviewer took, unless an admin forced it', () => {
  let live = 0;
  fc.assert(
    fc.property(steps, (asked) => {
      let status: RuleStatus = 'candidate';
      let [reviewed, accepted, forced] = [false, false, false];
      const used = new Set<string>();
      for (const { to, actor, byProgram, roles, force, decision, experimentVersion, experimentId } of asked) {
        const experiment = experimentId === null ? null : { ...promoted, ruleVersion: experimentVersion, decision, used: used.has(experimentId) };
        const wanted = {
          rule: { ...rule, status, reviewed },
          to,
          actor,
          roles,
          byProgram: byProgram && actor !== 'ann' && actor !== 'bob',
          force,
          reason: 'x',
          experiment,
          experimentId,
          share: null,
          pairs: null,
        };
        if (refuseStep(wanted) !== null) continue;
        const judged = !wanted.byProgram && actor !== 'ann' && (roles.includes('reviewer') || roles.includes('admin'));
        if (to === 'preview' && status === 'in_review') reviewed = judged;
        if (to === 'canary') {
          accepted = judged && experiment?.decision === 'promote' && experimentVersion === 2 && !used.has(experimentId!);
          used.add(experimentId!);
        }
        // what comes back from live traffic has to pass anew
        if (to === 'preview') [accepted, forced] = [false, false];
        if (force && to === 'live') {
          expect(roles).toContain('admin');
          forced = true;
        }
        status = to;
        if (status === 'canary' || status === 'live') expect(forced || (reviewed && accepted)).toBe(true);
        if (status === 'live') live += 1;
      }
    }),
    { numRuns: 3_000 },
  );
  expect(live).toBeGreaterThan(50);
});
