import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { learnedFor, type Receiver, type RuleInForce } from '../../../src/policy/learned-arms.ts';

const rule = (ruleId: string, more: Partial<RuleInForce> = {}): RuleInForce => ({
  ruleId,
  version: 1,
  kind: 'sentence',
  content: `rule ${ruleId}`,
  payload: null,
  status: 'live',
  forced: false,
  scopeTerms: [],
  salt: `salt of ${ruleId}`,
  trafficShare: 1,
  ...more,
});
const task = (more: Partial<Receiver> = {}): Receiver => ({
  taskId: 'task-1',
  terms: new Set(['refund']),
  instructionsHash: 'own',
  tools: new Set(['search']),
  leaveOutShare: 0,
  ...more,
});
const arms = (rules: RuleInForce[], receiver = task()): string[] => learnedFor(rules, receiver).exposure.map(({ id, version, arm }) => `${id}.${version} ${arm}`);
const texts = (rules: RuleInForce[], receiver = task()): string[] => learnedFor(rules, receiver).rules.map(({ ruleId, version }) => `${ruleId}.${version}`);

describe('what a task gets', () => {
  it('live rules in scope, in their order; what is out of scope is no exposure', () => {
    const rules = [rule('b'), rule('a', { scopeTerms: ['refund', 'return'] }), rule('c', { scopeTerms: ['invoice'] })];
    expect(texts(rules)).toEqual(['b.1', 'a.1']);
    expect(arms(rules)).toEqual(['b.1 live', 'a.1 live']);
    expect(texts(rules, task({ terms: new Set() }))).toEqual(['b.1']);
  });

  it('a canary by its share: nobody at 0, everybody at 1; forced rules alike', () => {
    expect(arms([rule('a', { status: 'canary', trafficShare: 0 }), rule('b', { forced: true, trafficShare: 0 })])).toEqual(['a.1 control', 'b.1 control']);
    expect(arms([rule('a', { status: 'canary' }), rule('b', { forced: true })])).toEqual(['a.1 treated', 'b.1 treated']);
  });

  it('while a new version is tried its controls keep the live one, and tell of the new one', () => {
    const versions = (share: number) => [rule('a'), rule('a', { version: 2, status: 'canary', trafficShare: share })];
    expect([texts(versions(0)), arms(versions(0))]).toEqual([['a.1'], ['a.2 control']]);
    expect([texts(versions(1)), arms(versions(1))]).toEqual([['a.2'], ['a.2 treated']]);
  });

  it('instructions only in the place of those that they were written for; of two the later', () => {
    const instructions = (ruleId: string, base: string, more: Partial<RuleInForce> = {}): RuleInForce =>
      rule(ruleId, { kind: 'instructions', payload: { instructions: `text ${ruleId}`, base }, ...more });
    expect(texts([instructions('a', 'other')])).toEqual([]);
    expect(arms([instructions('a', 'own'), instructions('b', 'own')])).toEqual(['b.1 live']);
    expect(arms([instructions('a', 'own'), instructions('b', 'own', { status: 'canary', trafficShare: 0 })])).toEqual(['a.1 live', 'b.1 control']);
  });

  it("descriptions of the agent's tools alone", () => {
    const describes = (tool: string): RuleInForce => rule(tool, { kind: 'tool_description', payload: { tool, description: 'better' } });
    expect(texts([describes('search'), describes('gone')])).toEqual(['search.1']);
  });

  it('in preview the rule in preview, whatever chance says', () => {
    expect(arms([rule('a'), rule('a', { version: 2, status: 'preview', trafficShare: 0 })])).toEqual(['a.2 candidate']);
  });

  it('is the same on every retry, and close to the shares', () => {
    const rules = [rule('live'), rule('canary', { status: 'canary', trafficShare: 0.2 })];
    const ids = Array.from({ length: 4_000 }, (_, index) => `task ${index}`);
    const all = ids.map((taskId) => arms(rules, task({ taskId, leaveOutShare: 0.05 })));
    expect(ids.map((taskId) => arms(rules, task({ taskId, leaveOutShare: 0.05 })))).toEqual(all);
    const share = (arm: string): number => all.filter((each) => each.includes(arm)).length / ids.length;
    // within four standard deviations
    expect(Math.abs(share('canary.1 treated') - 0.2)).toBeLessThan(0.026);
    expect(Math.abs(share('live.1 left_out') - 0.05)).toBeLessThan(0.014);
  });

  it('property: one exposure a rule; in the prompt exactly where the arm says so', () => {
    const anyRule = fc.record({
      ruleId: fc.constantFrom('a', 'b', 'c'),
      version: fc.integer({ min: 1, max: 3 }),
      status: fc.constantFrom('live' as const, 'canary' as const),
      forced: fc.boolean(),
      trafficShare: fc.double({ min: 0, max: 1, noNaN: true }),
      scopeTerms: fc.subarray(['refund', 'invoice']),
    });
    fc.assert(
      fc.property(fc.uniqueArray(anyRule, { selector: ({ ruleId, version }) => `${ruleId} ${version}` }), fc.string(), (some, taskId) => {
        const { rules, exposure } = learnedFor(
          some.map(({ ruleId, ...more }) => rule(ruleId, more)),
          task({ taskId, leaveOutShare: 0.5 }),
        );
        expect(new Set(exposure.map(({ id }) => id)).size).toBe(exposure.length);
        expect(new Set(rules.map(({ ruleId }) => ruleId)).size).toBe(rules.length);
        for (const { id, version, arm } of exposure) {
          const isThere = rules.some((each) => each.ruleId === id && each.version === version);
          expect(isThere).toBe(arm === 'live' || arm === 'treated');
        }
      }),
    );
  });
});
