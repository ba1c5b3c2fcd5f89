import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Approval } from '../../../src/contracts/approval.ts';
import { decideSchema, decisionRecordSchema } from '../../../src/contracts/approval.ts';
import { APPROVAL_KINDS, DECISIONS, REFUSAL_CODES } from '../../../src/contracts/reasons.ts';
import { validateDecide } from '../../../src/policy/approval.ts';
import { applyTimeout, recordOf, statusAfter } from '../../../src/policy/approval-change.ts';
import type { CheckedDecide } from '../../../src/policy/decide-payload.ts';
import { canonicalJson } from '../../../src/tools/canonical-json.ts';
import { approval } from './samples.ts';

const yes = { approvalId: 'a1.t2.c1', decision: 'approve', hash: 'abc123', by: 'ann' };
/** Unsigned, as in development, and of what is not dangerous: who may decide is in `decider.test.ts`. */
const context = { taskId: 'task-1', startedBy: 'zoe', decisions: { keys: [], unsigned: true }, usedTokens: [] };
const check = (payload: unknown, approvals: Approval[] = [waiting()], now = 5_000) => validateDecide(payload, approvals, { ...context, now });
const waiting = (change: Partial<Approval> = {}) => approval({ risk: 'write', ...change });

function decided(decide: object, via: 'update' | 'signal' = 'update'): Approval {
  const checked = check({ ...yes, ...decide });
  if (!checked.ok) throw new Error(checked.text);
  return { ...checked.approval, status: statusAfter(checked.decide.decision), decision: recordOf(checked.decide, 5_000, via) };
}

describe('validateDecide', () => {
  it('accepts a decision on what waits', () => {
    expect(check({ ...yes, reason: 'fine' })).toMatchObject({
      ok: true,
      repeats: null,
      approval: { id: 'a1.t2.c1' },
      decide: { decision: 'approve', by: 'ann', reason: 'fine', value: null },
    });
    expect(check({ ...yes, decision: 'edit', value: { amount: 5 } })).toMatchObject({ ok: true, decide: { value: { amount: 5 } } });
  });

  it('answers not_ready until the snapshot is there', () => {
    expect(validateDecide(yes, [waiting()], null)).toMatchObject({ ok: false, code: 'not_ready' });
  });

  it.each<[string, unknown, string]>([
    ['null', null, 'malformed'],
    ['a string', 'approve', 'malformed'],
    ['a list', [yes], 'malformed'],
    ['nothing', {}, 'malformed'],
    ['an unknown field', { ...yes, force: true }, 'malformed'],
    ['an unknown decision', { ...yes, decision: 'yes' }, 'malformed'],
    ['nobody', { ...yes, by: ' ' }, 'malformed'],
    ['a number for a name', { ...yes, by: 7 }, 'malformed'],
    ['a very long reason', { ...yes, reason: 'x'.repeat(4_001) }, 'too_large'],
    ['a hash that is no text', { ...yes, hash: { toString: null } }, 'malformed'],
    ['a value beside approve', { ...yes, value: { amount: 1 } }, 'malformed'],
    ['an edit without a value', { ...yes, decision: 'edit' }, 'malformed'],
    ['an edit to a list', { ...yes, decision: 'edit', value: [] }, 'malformed'],
    ['an edit of a megabyte', { ...yes, decision: 'edit', value: { note: 'x'.repeat(1_000_000) } }, 'too_large'],
    ['another approval', { ...yes, approvalId: 'a9.t9.c9' }, 'unknown_approval'],
    ['a wrong hash', { ...yes, hash: 'abc124' }, 'wrong_hash'],
    ['no hash', { ...yes, hash: undefined }, 'wrong_hash'],
    ['an answer to a tool call', { ...yes, decision: 'respond', value: 'no' }, 'not_allowed'],
  ])('refuses %s', (_name, payload, code) => {
    expect(check(payload)).toMatchObject({ ok: false, code, text: expect.stringMatching(/\S.*\.$/) });
  });

  it('refuses an edit that is nested without end', () => {
    const value: Record<string, unknown> = JSON.parse(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`);
    expect(check({ ...yes, decision: 'edit', value })).toMatchObject({ ok: false, code: 'too_large' });
  });

  it('allows the decisions that fit the kind', () => {
    const value = { edit: { a: 1 }, respond: 'text' } as Record<string, unknown>;
    const allowed = Object.fromEntries(
      APPROVAL_KINDS.map((kind) => [kind, DECISIONS.filter((decision) => check({ ...yes, decision, value: value[decision] }, [waiting({ kind })]).ok)]),
    );
    expect(allowed).toEqual({
      tool_call: ['approve', 'reject', 'edit'],
      output: ['approve', 'reject', 'edit', 'respond'],
      handoff: ['approve', 'reject', 'respond'],
      question: ['reject', 'respond'],
      rule: ['approve', 'reject', 'edit'],
    });
  });

  it('takes answers to questions without a hash, but not too long or empty ones', () => {
    const question = [waiting({ id: 'question.1', kind: 'question', hash: null, risk: 'read' })];
    const answer = (value: unknown, hash?: string) => check({ approvalId: 'question.1', decision: 'respond', by: 'ann', value, hash }, question);
    expect(answer('A002')).toMatchObject({ ok: true, decide: { value: 'A002' } });
    expect(answer('x'.repeat(8_000)).ok).toBe(true);
    expect(answer('x'.repeat(8_001))).toMatchObject({ code: 'too_large' });
    expect(answer('  ')).toMatchObject({ code: 'malformed' });
    expect(answer(null)).toMatchObject({ code: 'malformed' });
    expect(answer('A002', 'some')).toMatchObject({ code: 'wrong_hash' });
  });

  it('says the same to the same decision again, and who was first to another', () => {
    const before = [decided({})];
    expect(check(yes, before)).toMatchObject({ ok: true, repeats: { by: 'ann' } });
    expect(check(yes, before, 99_999)).toMatchObject({ ok: true, repeats: { by: 'ann' } });
    expect(check({ ...yes, by: 'bob' }, before)).toMatchObject({ code: 'already_decided', text: expect.stringContaining('"approve" by ann') });
    expect(check({ ...yes, decision: 'reject' }, before)).toMatchObject({ code: 'already_decided' });
    expect(check({ ...yes, hash: 'other' }, before).ok).toBe(false);
    const edited = [decided({ decision: 'edit', value: { a: 1, b: 2 } })];
    expect(check({ ...yes, decision: 'edit', value: { b: 2, a: 1 } }, edited)).toMatchObject({ ok: true, repeats: { by: 'ann' } });
    expect(check({ ...yes, decision: 'edit', value: { a: 1, b: 3 } }, edited)).toMatchObject({ code: 'already_decided' });
  });

  it('refuses what comes too late', () => {
    expect(check(yes, [waiting()], 9_999).ok).toBe(true);
    expect(check(yes, [waiting()], 10_000)).toMatchObject({ code: 'expired' });
    expect(check(yes, [applyTimeout(waiting(), 10_000)])).toMatchObject({ code: 'expired' });
    expect(check({ ...yes, by: 'timeout', decision: 'approve' }, [applyTimeout(waiting({ onTimeout: 'approve', risk: 'write' }), 10_000)])).toMatchObject({ code: 'expired' });
    expect(check(yes, [waiting({ status: 'withdrawn' })])).toMatchObject({ code: 'expired', text: expect.stringContaining('withdrawn') });
  });
});

const usually = (...values: unknown[]) => fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...values) }, { weight: 1, arbitrary: fc.anything() });

describe('whatever is sent', () => {
  const payloads = fc.oneof(
    fc.anything(),
    fc.jsonValue(),
    fc.record(
      {
        approvalId: usually('a1.t2.c1'),
        decision: usually(...DECISIONS),
        hash: usually('abc123', 'abc123', 'abc124', null, ''),
        by: usually('ann', 'bob'),
        reason: usually('', 'fine', undefined),
        value: usually(null, undefined, 'text', { a: 1 }),
      },
      { requiredKeys: ['approvalId', 'decision', 'by'] },
    ),
  );
  const approvals = fc.constantFrom<Approval[]>(
    [],
    [waiting()],
    [waiting({ kind: 'output' })],
    [waiting({ hash: null, kind: 'question' })],
    [decided({})],
    [decided({ decision: 'edit', value: { a: 1 } })],
    [applyTimeout(waiting(), 1)],
  );

  it('never throws, never accepts another hash, and what it accepts fits the schema', () => {
    let accepted = 0;
    fc.assert(
      fc.property(payloads, approvals, (payload, some) => {
        const checked = check(payload, some);
        if (!checked.ok) {
          expect(REFUSAL_CODES).toContain(checked.code);
          expect(checked.text.length).toBeLessThan(1_000);
          return;
        }
        accepted += 1;
        expect(checked.decide.hash).toBe(checked.approval.hash);
        expect(decideSchema.safeParse(payload).success).toBe(true);
        expect(decisionRecordSchema.safeParse(recordOf(checked.decide, 1, 'signal')).success).toBe(true);
      }),
      { numRuns: 5_000 },
    );
    expect(accepted).toBeGreaterThan(20);
  });

  it('records an edit as the same text that the arguments are hashed by', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 5 }), { maxKeys: 5 }), (value) => {
        const decide: CheckedDecide = { approvalId: 'x', decision: 'edit', hash: null, by: 'ann', reason: '', value, token: null };
        expect(recordOf(decide, 1, 'update').value).toBe(canonicalJson(value));
      }),
    );
  });
});

describe('applyTimeout', () => {
  it.each([
    ['reject', 'write', 'expired', 'reject'],
    ['handoff', 'write', 'expired', 'reject'],
    ['continue', 'read', 'expired', 'reject'],
    ['approve', 'write', 'approved', 'approve'],
    ['approve', 'dangerous', 'expired', 'reject'],
  ] as const)('%s of a %s matter becomes %s', (onTimeout, risk, status, decision) => {
    expect(applyTimeout(approval({ onTimeout, risk }), 10_000)).toMatchObject({
      status,
      decision: { decision, by: 'timeout', via: 'timeout', at: 10_000, reason: expect.stringContaining('Nobody answered') },
    });
  });

  it('leaves what is decided', () => {
    const done = decided({});
    expect(applyTimeout(done, 99_999)).toBe(done);
  });
});

it('a decision names the status that it leads to', () => {
  expect(DECISIONS.map(statusAfter)).toEqual(['approved', 'rejected', 'edited', 'responded']);
});
