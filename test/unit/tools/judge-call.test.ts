import { expect, test } from 'vitest';
import { judgeCall } from '../../../src/tools/judge-call.ts';

const call = { tool: 'get_order', status: 'success' as const, reason: null, value: { order: { status: 'shipped', note: null } }, fieldPaths: ['order.status', 'order.note'] };

test('a call that answered with every field asked for passes', () => {
  expect(judgeCall(call)).toEqual({ passed: true, score: 100, why: 'get_order answered by its schema, with order.status, order.note' });
});
test.each([
  [{ fieldPaths: ['order.status', 'order.id'] }, 75, 'without order.id'],
  [{ fieldPaths: ['constructor'] }, 50, 'without constructor'],
  [{ value: [] }, 50, 'empty'],
  [{ value: { rows: [], note: '' } }, 50, 'empty'],
  [{ status: 'partial' as const, reason: 'two of three' }, 50, 'two of three'],
  [{ status: 'timeout' as const, reason: null }, 0, 'no reason given'],
  [{ status: 'indeterminate' as const, reason: 'lost' }, 0, 'lost'],
])('%o does not pass', (change, score, why) => {
  const verdict = judgeCall({ ...call, ...change });
  expect(verdict).toMatchObject({ passed: false, score });
  expect(verdict.why).toContain(why);
});
test('0 and false are values, not emptiness', () => {
  expect(judgeCall({ ...call, value: { count: 0 }, fieldPaths: [] }).passed).toBe(true);
  expect(judgeCall({ ...call, value: false, fieldPaths: [] }).passed).toBe(true);
});
