import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Condition, Fields, Scalar } from '../../../src/contracts/tool-call.ts';
import { checkCondition, checkRequirements, fieldsOf, pathsFor, readField } from '../../../src/policy/conditions.ts';
import { refund, result, tool, TOOLS } from './samples.ts';

const scalars: fc.Arbitrary<Scalar> = fc.oneof(fc.string(), fc.double(), fc.boolean(), fc.constant(null));
const paths = fc.oneof(fc.constantFrom('status', 'order.total', '__proto__', 'constructor'), fc.string());
const fields: fc.Arbitrary<Fields> = fc.dictionary(paths, scalars);
const conditions: fc.Arbitrary<Condition> = fc.record({
  field: paths,
  op: fc.constantFrom('equals', 'not_equals', 'in', 'not_in', 'at_least', 'at_most', 'above', 'below', 'exists'),
  value: fc.oneof(scalars, fc.array(scalars), fc.constant(undefined)),
  argument: fc.oneof(paths, fc.constant(undefined)),
});

describe('checkCondition', () => {
  const order = { status: 'paid', total: 100, note: null, day: '10' };
  it.each<[Condition, boolean]>([
    [{ field: 'status', op: 'equals', value: 'paid' }, true],
    [{ field: 'status', op: 'equals', value: 'Paid' }, false],
    [{ field: 'status', op: 'in', value: ['paid', 'shipped'] }, true],
    [{ field: 'status', op: 'not_in', value: ['paid', 'shipped'] }, false],
    [{ field: 'status', op: 'not_equals', value: 'shipped' }, true],
    [{ field: 'total', op: 'at_least', value: 100 }, true],
    [{ field: 'total', op: 'above', value: 100 }, false],
    [{ field: 'total', op: 'at_most', argument: 'amount' }, true],
    [{ field: 'total', op: 'below', argument: 'absent' }, false],
    [{ field: 'day', op: 'at_least', value: 9 }, false],
    [{ field: 'note', op: 'exists' }, false],
    [{ field: 'note', op: 'equals', value: null }, true],
    [{ field: 'total', op: 'exists' }, true],
    [{ field: 'absent', op: 'not_equals', value: 1 }, false],
    [{ field: 'absent', op: 'not_in', value: [1] }, false],
    [{ field: 'constructor', op: 'exists' }, false],
    [{ field: 'total', op: 'equals' }, false],
  ])('%j is %s', (condition, fits) => {
    expect(checkCondition(condition, order, { amount: 100 })).toBe(fits);
  });

  it('never throws; a missing field or argument is false', () => {
    fc.assert(
      fc.property(conditions, fields, fields, (condition, some, others) => {
        const fits = checkCondition(condition, some, others);
        expect(typeof fits).toBe('boolean');
        if (!Object.hasOwn(some, condition.field)) expect(fits).toBe(false);
        if (condition.op !== 'exists' && condition.argument !== undefined && !Object.hasOwn(others, condition.argument)) expect(fits).toBe(false);
      }),
    );
  });

  it('compares only finite numbers', () => {
    for (const number of [Number.NaN, Infinity, -Infinity]) {
      for (const op of ['at_least', 'at_most', 'above', 'below'] as const) {
        expect(checkCondition({ field: 'total', op, value: 0 }, { total: number }, {})).toBe(false);
        expect(checkCondition({ field: 'total', op, argument: 'amount' }, { total: 1 }, { amount: number })).toBe(false);
      }
    }
  });

  it('does not take two cut texts for the same', () => {
    const { id } = fieldsOf({ id: `${'x'.repeat(300)}1` }, ['id']);
    const { id: other } = fieldsOf({ id: `${'x'.repeat(300)}2` }, ['id']);
    expect(checkCondition({ field: 'id', op: 'equals', argument: 'id' }, { id: id! }, { id: other! })).toBe(false);
    expect(checkCondition({ field: 'id', op: 'not_equals', value: 'short' }, { id: id! }, {})).toBe(true);
  });
});

describe('checkRequirements', () => {
  const wish = { orderId: 'A002', amount: 80 };
  const check = (...results: Parameters<typeof checkRequirements>[1]) => checkRequirements(refund.requires, results, wish);
  const fitting = result('get_order_status', { orderId: 'A002', status: 'paid', total: 100 });

  it('needs a success for the same order', () => {
    expect(check()).toMatchObject({ ok: false, code: 'missing' });
    expect(check(result('get_order_status', { orderId: 'A001', status: 'paid', total: 100 }))).toMatchObject({ ok: false, code: 'missing' });
    expect(check({ ...fitting, status: 'failure' })).toMatchObject({ ok: false, code: 'missing' });
    expect(check({ ...fitting, status: 'partial' })).toMatchObject({ ok: false, code: 'missing' });
    expect(check(fitting)).toEqual({ ok: true });
  });

  it('looks at the latest success: a later failure does not count, a later success does', () => {
    expect(check(fitting, { ...fitting, status: 'timeout' })).toEqual({ ok: true });
    expect(check(fitting, result('get_order_status', { orderId: 'A002', status: 'shipped', total: 100 }))).toMatchObject({ ok: false, code: 'field' });
    expect(check(fitting, result('get_order_status', { orderId: 'A001', status: 'shipped', total: 100 }))).toEqual({ ok: true });
  });

  it('does not let an older, higher total hide the latest', () => {
    const lower = result('get_order_status', { orderId: 'A002', status: 'paid', total: 50 });
    expect(check(fitting, lower)).toMatchObject({ ok: false, code: 'field' });
  });

  it('is never met when the call names no order', () => {
    expect(checkRequirements(refund.requires, [fitting], { amount: 80 })).toMatchObject({ ok: false, code: 'missing' });
  });

  it('whatever the results, what is met rests on the latest success of that order', () => {
    const results = fc.array(
      fc.record({
        callId: fc.string(),
        tool: fc.constantFrom('get_order_status', 'create_ticket'),
        status: fc.constantFrom('success' as const, 'failure' as const, 'denied' as const),
        fields: fc.record({ orderId: fc.constantFrom('A001', 'A002'), status: fc.constantFrom('paid', 'shipped'), total: fc.constantFrom(50, 100) }),
      }),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(results, (all) => {
        const latest = all.filter((each) => each.tool === 'get_order_status' && each.status === 'success' && each.fields.orderId === 'A002').at(-1);
        expect(check(...all).ok).toBe(latest !== undefined && latest.fields.status === 'paid' && latest.fields.total >= 80);
      }),
    );
  });
});

describe('fieldsOf', () => {
  it('takes scalars at dotted paths and leaves the rest', () => {
    const value = { order: { id: 'A001', items: [{ price: 9.5 }], open: true, note: null }, total: Number.NaN };
    expect(fieldsOf(value, ['order.id', 'order.items.0.price', 'order.open', 'order.note', 'order', 'order.items', 'total', 'absent.x', 'order.id.length', 'toString'])).toEqual({
      'order.id': 'A001',
      'order.items.0.price': 9.5,
      'order.open': true,
      'order.note': null,
    });
  });

  it('gives small plain JSON for any value', () => {
    fc.assert(
      fc.property(fc.anything(), fc.array(paths), (value, some) => {
        const found = fieldsOf(value, some);
        expect(JSON.parse(JSON.stringify(found))).toEqual(JSON.parse(JSON.stringify(found)));
        for (const path of Object.keys(found)) {
          const field = readField(found, path);
          expect(field === null || ['string', 'number', 'boolean'].includes(typeof field)).toBe(true);
          if (typeof field === 'string') expect(field.length).toBeLessThanOrEqual(200);
        }
      }),
    );
  });
});

it('pathsFor names every field that a requirement or a risk looks at', () => {
  const pay = tool('pay', { riskWhen: [{ when: { field: 'amount', op: 'above', argument: 'limit' }, risk: 'dangerous' }] });
  expect(pathsFor([...TOOLS, pay])).toEqual({
    results: { get_order_status: ['orderId', 'status', 'total'], submit_refund_request: [], create_ticket: [], pay: [] },
    arguments: { get_order_status: [], submit_refund_request: ['amount', 'orderId'], create_ticket: [], pay: ['amount', 'limit'] },
  });
});
