import { expect, it } from 'vitest';
import { supportLearn } from '../../../../src/agents/support/learning.ts';
import { refuseText } from '../../../../src/policy/proposal.ts';

const failure = (type: string, more: { fix?: string; subject?: string } = {}) =>
  supportLearn.rule({ evaluator: 'any', type, message: 'wrong', evidence: null, fix: more.fix ?? null, subject: more.subject ?? null });

it.each(['missing_greeting', 'missing_closing', 'missing_order', 'invented_order', 'ungrounded_action', 'ungrounded_promise'])('%s becomes a rule that may be proposed', (type) => {
  const rule = failure(type, { fix: 'Name the order as "order A012".' });
  expect(rule).not.toContain('A012');
  expect(refuseText('sentence', rule!, null)).toBeNull();
});

it('takes the fix of what has no standing sentence', () => {
  expect(failure('ungrounded_status', { fix: 'Say the status that the lookup returned.' })).toBe('Say the status that the lookup returned.');
  expect(failure('missing_field', { subject: 'orderId', fix: 'Set orderId to "A012".' })).toBe('Set orderId to the id of the order that was looked up.');
  expect(failure('toString')).toBeNull();
});
