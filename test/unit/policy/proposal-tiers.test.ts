import { expect, it } from 'vitest';
import { nextTiers, type TriedRule } from '../../../src/policy/proposal-tiers.ts';

const tried = (kind: TriedRule['kind'], status: TriedRule['status']): TriedRule => ({ ruleId: kind, kind, status });

it('begins with the cheapest, and trains nobody before something was tried', () => {
  expect(nextTiers([])).toEqual({ answeredBy: null, tiers: ['sentence', 'example', 'edit'] });
});

it('goes on after what was rejected or retired', () => {
  expect(nextTiers([tried('sentence', 'rejected')]).tiers).toEqual(['example', 'edit', 'fine_tuning']);
  expect(nextTiers([tried('sentence', 'retired'), tried('tool_description', 'rejected')]).tiers).toEqual(['example', 'fine_tuning']);
  expect(nextTiers([tried('sentence', 'rejected'), tried('example', 'rejected'), tried('instructions', 'retired')]).tiers).toEqual(['fine_tuning']);
});

it.each(['candidate', 'in_review', 'preview', 'canary', 'live'] as const)('proposes nothing while a rule is %s', (status) => {
  const rule = tried('example', status);
  expect(nextTiers([tried('sentence', 'rejected'), rule])).toEqual({ answeredBy: rule, tiers: [] });
});
