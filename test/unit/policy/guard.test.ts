import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../../../src/contracts/limits.ts';
import { RISKS } from '../../../src/contracts/reasons.ts';
import type { ToolResultFields } from '../../../src/policy/conditions.ts';
import { approvalRules } from '../../../src/policy/approvers.ts';
import { guardCall } from '../../../src/policy/guard.ts';
import type { GuardInput } from '../../../src/policy/guard.ts';
import { startPlan } from '../../../src/policy/plan.ts';
import type { CallRecord } from '../../../src/policy/repetition.ts';
import { call, plan, REFUND_PLAN, result, snapshot, step, tool } from './samples.ts';

const paid = result('get_order_status', { orderId: 'A002', status: 'paid', total: 100 });
const refundCall = call('submit_refund_request', { orderId: 'A002', amount: 80 }, { risk: 'dangerous' });

function guard(change: Partial<GuardInput>) {
  return guardCall({ call: call('get_order_status', { orderId: 'A002' }), snapshot: snapshot(), plan: null, results: [], rejectedHashes: [], history: [], position: 0, ...change });
}

function record(change: Partial<CallRecord>): CallRecord {
  return { turn: 1, tool: 'get_order_status', argumentsHash: call('x', { orderId: 'A002' }).argumentsHash, status: 'success', resultHash: 'r', ...change };
}

describe('guardCall', () => {
  it('lets a harmless call run', () => {
    expect(guard({})).toEqual({ verdict: 'run' });
  });

  it('passes on what the activity found wrong', () => {
    const problem = { code: 'invalid_arguments' as const, message: 'orderId is missing' };
    expect(guard({ call: call('nonsense', {}, { problem }) })).toEqual({ verdict: 'deny', problem });
  });

  it('names the tools that exist', () => {
    expect(guard({ call: call('delete_everything') })).toMatchObject({
      verdict: 'deny',
      problem: { code: 'unknown_tool', message: 'There is no tool delete_everything. Call one of: create_ticket, get_order_status, submit_refund_request.' },
    });
  });

  it('refuses more calls in a turn than may run together', () => {
    const limits = { ...DEFAULT_LIMITS, maxParallelCalls: 2 };
    expect(guard({ position: 1, snapshot: snapshot({ limits }) }).verdict).toBe('run');
    expect(guard({ position: 2, snapshot: snapshot({ limits }) })).toMatchObject({ problem: { code: 'too_many_calls', message: expect.stringContaining('at most 2') } });
  });

  it('warns of the third identical call, unless the tool is for polling', () => {
    const history = [record({ turn: 1 }), record({ turn: 2 })];
    expect(guard({ history: history.slice(1) }).verdict).toBe('run');
    expect(guard({ history })).toMatchObject({ problem: { code: 'repeated_call', message: expect.stringContaining('3 times') } });
    const polling = snapshot({ tools: [tool('get_order_status', { polling: true })] });
    expect(guard({ history, snapshot: polling }).verdict).toBe('run');
  });

  it('does not ask again for what a person rejected, unless it changed', () => {
    const rejectedHashes = [`submit_refund_request:${refundCall.argumentsHash}`];
    expect(guard({ call: refundCall, results: [paid], rejectedHashes })).toMatchObject({ problem: { code: 'rejected' } });
    expect(guard({ call: call('submit_refund_request', { orderId: 'A002', amount: 10 }), results: [paid], rejectedHashes }).verdict).toBe('approve');
  });

  it('refuses a refund before the order was looked up, before any approval is asked', () => {
    expect(guard({ call: refundCall })).toMatchObject({
      problem: {
        code: 'prerequisite',
        message:
          'submit_refund_request needs a successful get_order_status for orderId = "A002" first: call get_order_status. Only an order that has not left yet can be refunded.',
      },
    });
    const shipped = result('get_order_status', { orderId: 'A002', status: 'shipped', total: 100 });
    expect(guard({ call: refundCall, results: [paid, shipped] })).toMatchObject({
      problem: { code: 'prerequisite', message: expect.stringContaining('status one of ["paid","waiting_to_ship"]') },
    });
  });

  it('keeps to the order of the plan, and denies what is not planned unless it only reads', () => {
    const legal = startPlan(REFUND_PLAN, 1);
    expect(guard({ call: refundCall, results: [paid], plan: legal })).toMatchObject({
      problem: { code: 'plan_order', message: expect.stringContaining('"look" (get_order_status)') },
    });
    expect(guard({ call: refundCall, results: [paid], plan: startPlan(REFUND_PLAN, 1, [paid]) }).verdict).toBe('approve');
    const talk = startPlan(plan(step('reply', null)), 2);
    expect(guard({ call: call('create_ticket'), plan: talk })).toMatchObject({ problem: { code: 'plan_order', message: expect.stringContaining('Plan a step for it first') } });
    expect(guard({ plan: talk }).verdict).toBe('run');
  });

  it('asks a person by risk, which the arguments may raise', () => {
    expect(guard({ call: refundCall, results: [paid] })).toMatchObject({ verdict: 'approve', risk: 'dangerous' });
    const pay = tool('pay', { risk: 'write', riskWhen: [{ when: { field: 'amount', op: 'above', value: 100 }, risk: 'dangerous' }] });
    expect(guard({ call: call('pay', { amount: 100 }), snapshot: snapshot({ tools: [pay] }) }).verdict).toBe('run');
    expect(guard({ call: call('pay', { amount: 101 }), snapshot: snapshot({ tools: [pay] }) })).toMatchObject({ verdict: 'approve', risk: 'dangerous' });
    const never = approvalRules({ read: 'auto', write: 'auto', dangerous: 'never' });
    expect(guard({ call: call('pay', { amount: 101 }), snapshot: snapshot({ tools: [pay], approvals: never }) })).toMatchObject({ problem: { code: 'not_allowed' } });
  });

  it('asks a person when confidence is low, or not stated for what writes', () => {
    expect(guard({ call: call('get_order_status', {}, { confidence: 0.59 }) })).toMatchObject({ verdict: 'approve', why: expect.stringContaining('0.59, below 0.6') });
    expect(guard({ call: call('get_order_status', {}, { confidence: 0.6 }) }).verdict).toBe('run');
    expect(guard({ call: call('get_order_status', {}, { confidence: Number.NaN }) }).verdict).toBe('approve');
    expect(guard({ call: call('get_order_status', {}, { confidence: null }) }).verdict).toBe('run');
    expect(guard({ call: call('create_ticket', {}, { confidence: null }) }).verdict).toBe('approve');
  });
});

describe('whatever is asked for', () => {
  const names = fc.constantFrom('get_order_status', 'submit_refund_request', 'create_ticket', 'unknown', 'constructor');
  const fields = fc.record({ orderId: fc.constantFrom('A001', 'A002'), amount: fc.oneof(fc.integer(), fc.double()) }, { requiredKeys: [] });
  const results = fc.array(
    fc.record<ToolResultFields>({
      callId: fc.string(),
      tool: names,
      status: fc.constantFrom('success', 'failure', 'denied'),
      fields: fc.record({ orderId: fc.constantFrom('A001', 'A002'), status: fc.constantFrom('paid', 'shipped'), total: fc.integer() }),
    }),
    { maxLength: 5 },
  );
  const calls = fc
    .tuple(names, fields, fc.constantFrom(...RISKS), fc.oneof(fc.double(), fc.constant(null)))
    .map(([name, some, risk, confidence]) => call(name, some, { risk, confidence }));
  const plans = fc.constantFrom(null, startPlan(REFUND_PLAN, 1), startPlan(REFUND_PLAN, 1, [paid]), startPlan(plan(step('reply', null)), 1));
  const policies = fc.constantFrom('auto' as const, 'one' as const, 'never' as const);
  const inputs = fc.record({
    call: calls,
    results,
    plan: plans,
    approvals: fc.record({ read: policies, write: policies, dangerous: policies }).map(approvalRules),
    position: fc.nat(10),
    rejectedHashes: fc.array(calls.map((each) => `${each.tool}:${each.argumentsHash}`)),
  });

  it('a call runs only when its tool exists, its policy is auto, its prerequisites hold and nobody rejected it', () => {
    fc.assert(
      fc.property(inputs, ({ approvals, ...input }) => {
        const verdict = guardCall({ ...input, snapshot: snapshot({ approvals }), history: [] });
        if (verdict.verdict === 'deny') {
          expect(verdict.problem.message).toMatch(/\S.*\.$/);
          return;
        }
        const known = snapshot().tools.find((each) => each.name === input.call.tool);
        expect(known).toBeDefined();
        expect(input.rejectedHashes).not.toContain(`${input.call.tool}:${input.call.argumentsHash}`);
        expect(input.position).toBeLessThan(DEFAULT_LIMITS.maxParallelCalls);
        const risk = RISKS[Math.max(RISKS.indexOf(known!.risk), RISKS.indexOf(input.call.risk))]!;
        expect(approvals[risk].policy).not.toBe('never');
        if (known!.name === 'submit_refund_request') {
          expect(input.results.some((each) => each.status === 'success' && each.tool === 'get_order_status' && each.fields.orderId === input.call.fields.orderId)).toBe(true);
        }
        if (verdict.verdict === 'run') expect(approvals[risk].policy).toBe('auto');
        else expect(verdict.why).not.toBe('');
      }),
      { numRuns: 1_000 },
    );
  });
});
