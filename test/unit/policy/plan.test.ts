import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Plan } from '../../../src/contracts/plan.ts';
import { guardCall } from '../../../src/policy/guard.ts';
import { orderSteps } from '../../../src/policy/plan-graph.ts';
import { checkPlan, markCall, markReply, planBreak, startPlan } from '../../../src/policy/plan.ts';
import type { ToolResultFields } from '../../../src/policy/conditions.ts';
import { call, callResult, plan, REFUND_PLAN, refund, result, snapshot, step, tool, TOOLS } from './samples.ts';

describe('checkPlan', () => {
  it('accepts a legal plan', () => {
    expect(checkPlan(REFUND_PLAN, TOOLS)).toEqual([]);
    expect(checkPlan(plan(step('reply', null)), TOOLS)).toEqual([]);
  });

  it.each<[string, Plan, RegExp]>([
    ['two steps of one id', plan(step('a', 'get_order_status'), step('a', null)), /Two steps have the id "a"/],
    ['an unknown dependency', plan(step('a', null, ['b'])), /depends on "b", which is not a step/],
    ['a circle', plan(step('a', 'get_order_status', ['b']), step('b', 'create_ticket', ['a']), step('c', null)), /a, b wait for each other/],
    ['a step that waits for itself', plan(step('a', 'get_order_status', ['a']), step('c', null)), /circle/],
    ['neither tool nor reply', plan({ ...step('a', null), reply: null }, step('b', null)), /not neither/],
    ['both tool and reply', plan({ ...step('a', 'get_order_status'), reply: 'x' }, step('b', null)), /not both/],
    ['an unknown tool', plan(step('a', 'fly'), step('b', null)), /fly, which does not exist/],
    ['no reply at the end', plan(step('a', 'get_order_status')), /last step "a" must reply/],
    ['a call after the reply', plan(step('a', null), step('b', 'get_order_status', ['a']), step('c', null)), /after the reply "a"/],
    ['a refund without looking', plan(step('a', 'submit_refund_request'), step('b', null)), /needs a successful get_order_status first/],
    ['a refund beside looking', plan(step('a', 'get_order_status'), step('b', 'submit_refund_request'), step('c', null)), /needs a successful get_order_status first/],
    ['too many steps', plan(...Array.from({ length: 21 }, (_, index) => step(`s${index}`, null))), /at most 20/],
    ['no steps', plan(), /no steps/],
  ])('refuses %s', (_name, bad, why) => {
    expect(checkPlan(bad, TOOLS).join(' ')).toMatch(why);
  });

  it('accepts an indirect dependency, and what was looked up before the plan was made', () => {
    const indirect = plan(step('a', 'get_order_status'), step('b', 'create_ticket', ['a']), step('c', 'submit_refund_request', ['b']), step('d', null));
    expect(checkPlan(indirect, TOOLS)).toEqual([]);
    expect(checkPlan(plan(step('a', 'submit_refund_request'), step('b', null)), TOOLS, ['get_order_status'])).toEqual([]);
  });

  const names = fc.constantFrom('get_order_status', 'submit_refund_request', 'create_ticket');
  const plans = fc.array(fc.record({ tool: fc.oneof(names, fc.constant(null)), dependsOn: fc.array(fc.nat(7), { maxLength: 3 }) }), { minLength: 1, maxLength: 6 }).map((steps) =>
    plan(
      ...steps.map((each, index) =>
        step(
          `s${index}`,
          index === steps.length - 1 ? null : each.tool,
          each.dependsOn.map((id) => `s${id}`),
        ),
      ),
    ),
  );

  it('never throws, and a legal plan can be walked to its end without any guard in the way', () => {
    let legal = 0;
    fc.assert(
      fc.property(plans, (some) => {
        if (checkPlan(some, TOOLS).length > 0) return;
        legal += 1;
        let current = startPlan(some, 1);
        const results: ToolResultFields[] = [];
        const done: string[] = [];
        for (const next of orderSteps(some.steps)) {
          if (next.tool === null) continue;
          const needs = TOOLS.find((each) => each.name === next.tool)!.requires.map((each) => each.tool);
          expect(done).toEqual(expect.arrayContaining(needs));
          const wanted = call(next.tool, { orderId: 'A002', amount: 1, step: next.id });
          expect(guardCall({ call: wanted, snapshot: snapshot(), plan: current, results, rejectedHashes: [], history: [], position: 0 }).verdict).not.toBe('deny');
          results.push(result(next.tool, { orderId: 'A002', status: 'paid', total: 1 }));
          current = markCall(current, next.tool, 'success', next.id);
          done.push(next.tool);
        }
        expect(Object.values(markReply(current).status).every((status) => status === 'done')).toBe(true);
      }),
      { numRuns: 3_000 },
    );
    expect(legal).toBeGreaterThan(50);
  });
});

describe('a plan in force', () => {
  it('moves on by success, fails by failure, is mended by a later success', () => {
    const started = startPlan(REFUND_PLAN, 1);
    expect(started).toMatchObject({ version: 1, status: { look: 'waiting', refund: 'waiting', reply: 'waiting' } });
    const failed = markCall(started, 'get_order_status', 'timeout');
    expect(failed.status.look).toBe('failed');
    expect(markCall(failed, 'get_order_status', 'success').status.look).toBe('done');
    expect(markCall(started, 'get_order_status', 'denied')).toEqual(started);
    expect(markCall(started, 'create_ticket', 'success')).toEqual(started);
    expect(started.status.look).toBe('waiting');
  });

  it('marks the step that was meant, or else the first that is ready', () => {
    const two = startPlan(plan(step('a', 'get_order_status', ['t']), step('b', 'get_order_status'), step('t', 'create_ticket'), step('r', null)), 1);
    expect(markCall(two, 'get_order_status', 'success').status).toMatchObject({ a: 'waiting', b: 'done' });
    expect(markCall(two, 'get_order_status', 'success', 'a').status).toMatchObject({ a: 'done', b: 'waiting' });
  });

  it('goes on from where the task stands: each earlier success does one step', () => {
    const looked = result('get_order_status', { orderId: 'A002' });
    expect(startPlan(REFUND_PLAN, 2, [looked]).status).toEqual({ look: 'done', refund: 'waiting', reply: 'waiting' });
    const two = plan(step('a', 'get_order_status'), step('b', 'get_order_status'), step('r', null));
    expect(startPlan(two, 2, [looked]).status).toEqual({ a: 'done', b: 'waiting', r: 'waiting' });
    expect(startPlan(two, 2, [{ ...looked, status: 'failure' }]).status.a).toBe('waiting');
  });

  it('drops what the reply makes needless', () => {
    expect(markReply(startPlan(REFUND_PLAN, 1)).status).toEqual({ look: 'dropped', refund: 'dropped', reply: 'done' });
  });

  it('lets the next attempt do what the last one dropped', () => {
    const dropped = markReply(startPlan(REFUND_PLAN, 1));
    const looked = markCall(dropped, 'get_order_status', 'success');
    expect(looked.status.look).toBe('done');
    const paid = result('get_order_status', { orderId: 'A002', status: 'paid', total: 100 });
    const input = { call: call('submit_refund_request', { orderId: 'A002', amount: 1 }), snapshot: snapshot(), results: [paid], rejectedHashes: [], history: [], position: 0 };
    expect(guardCall({ ...input, plan: dropped })).toMatchObject({ problem: { code: 'plan_order' } });
    expect(guardCall({ ...input, plan: looked }).verdict).toBe('approve');
  });
});

const order = (orderId: string, status: string) => result('get_order_status', { orderId, status, total: 100 });
const looked = markCall(startPlan(REFUND_PLAN, 1), 'get_order_status', 'success');
const last = (change: Parameters<typeof callResult>[1]) => planBreak(looked, [order('A002', 'paid')], TOOLS, [callResult('submit_refund_request', change)]);
const ask = (results: ToolResultFields[], current = looked) => planBreak(current, results, TOOLS, []);

describe('planBreak', () => {
  it('stands while nothing speaks against it', () => {
    expect(ask([])).toBeNull();
    expect(ask([order('A002', 'paid')])).toBeNull();
  });

  it('breaks when the order turns out not to be refundable', () => {
    expect(ask([order('A001', 'shipped')])).toMatch(/Step "refund" can't be done.*Only an order that has not left yet/);
  });

  it('goes by the latest look at each order, and stands while one would do', () => {
    expect(ask([order('A002', 'paid'), order('A002', 'shipped')])).not.toBeNull();
    expect(ask([order('A002', 'shipped'), order('A002', 'paid')])).toBeNull();
    expect(ask([order('A002', 'paid'), order('A001', 'shipped')])).toBeNull();
  });

  it('does not guess what an amount will be', () => {
    expect(ask([result('get_order_status', { orderId: 'A002', status: 'paid', total: 0 })])).toBeNull();
  });

  it('waits while another look is planned before the step', () => {
    const twice = plan(step('one', 'get_order_status'), step('two', 'get_order_status', ['one']), step('refund', 'submit_refund_request', ['two']), step('reply', null));
    const current = markCall(startPlan(twice, 1), 'get_order_status', 'success');
    expect(ask([order('A001', 'shipped')], current)).toBeNull();
    expect(ask([order('A001', 'shipped')], markCall(current, 'get_order_status', 'success'))).not.toBeNull();
  });

  it('breaks when a planned call failed for good or a person said no', () => {
    expect(last({ status: 'failure', retryable: false, code: 'error', reason: 'order is locked' })).toMatch(/failure \(order is locked\)/);
    expect(last({ status: 'failure', retryable: true, code: 'http', reason: '503' })).toBeNull();
    expect(last({ status: 'indeterminate', code: 'indeterminate' })).not.toBeNull();
    expect(last({ status: 'denied', code: 'rejected', reason: 'too much' })).toMatch(/too much/);
    expect(last({ status: 'denied', code: 'approval_expired' })).not.toBeNull();
    expect(last({ status: 'denied', code: 'invalid_arguments' })).toBeNull();
    expect(last({})).toBeNull();
  });

  it('does not mind the failure of a call that no open step wants', () => {
    expect(planBreak(looked, [], TOOLS, [callResult('create_ticket', { status: 'failure' }), callResult('get_order_status', { status: 'failure' })])).toBeNull();
  });

  it('survives tools that it does not know', () => {
    expect(planBreak(looked, [], [tool('other'), { ...refund, name: 'x' }], [callResult('y', { status: 'failure' })])).toBeNull();
  });
});
