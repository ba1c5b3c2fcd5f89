/** Who may decide: tokens, roles, people, four eyes. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDecisionSigner } from '../../../src/client.ts';
import type { Approval, Decide, DecisionToken } from '../../../src/contracts/approval.ts';
import { decideSchema } from '../../../src/contracts/approval.ts';
import { validateDecide, type DecideCheck } from '../../../src/policy/approval.ts';
import { held, recordOf, stillNeeds, withDecision } from '../../../src/policy/approval-change.ts';
import { editCounts, withUsedToken, type DecideContext } from '../../../src/policy/decider.ts';
import { publicHalf, testKey } from '../../support/signing.ts';
import { approval } from './samples.ts';

const TASK = 'task-1';
const gateway = testKey();
const anns = testKey({ subject: 'ann', roles: ['approver'] });
const stranger = testKey();
const context: DecideContext = { taskId: TASK, startedBy: 'zoe', decisions: { keys: [publicHalf(gateway), publicHalf(anns)], unsigned: false }, usedTokens: [], now: 5_000 };

const yes: Decide = { approvalId: 'a1.t2.c1', decision: 'approve', hash: 'abc123', by: 'ann', reason: 'fine' };

interface Signing {
  key?: typeof gateway;
  roles?: string[];
  taskId?: string;
  lifetimeMs?: number;
}

/** As the client signs. */
function signed(decide: Decide, { key = gateway, roles = ['approver'], taskId = TASK, lifetimeMs = 1e12 }: Signing = {}): Decide & { token: DecisionToken } {
  const signer = createDecisionSigner({ keyId: key.keyId, secretKey: key.secretKey, roles, lifetimeMs });
  const token = signer.sign({
    taskId,
    approvalId: decide.approvalId,
    argumentsHash: decide.hash ?? null,
    approver: decide.by,
    decision: decide.decision,
    reason: decide.reason ?? '',
    value: decide.value ?? null,
  }) as DecisionToken;
  return { ...decide, token };
}

const check = (payload: unknown, asked: Approval = approval(), change: Partial<DecideContext> = {}): DecideCheck => validateDecide(payload, [asked], { ...context, ...change });
const codeOf = (checked: DecideCheck): string => (checked.ok ? 'ok' : checked.code);

function decidedBy(asked: Approval, decide: Decide, signing?: Signing): Approval {
  const checked = check(signed(decide, signing), asked);
  if (!checked.ok) throw new Error(checked.text);
  return withDecision(asked, held(recordOf(checked.decide, 5_000, 'update')));
}

const fourEyes = (change: Partial<Approval> = {}): Approval => approval({ approvers: { quorum: 2, roles: ['approver'], people: null, excludeRequester: true }, ...change });

describe('a signed decision', () => {
  it('counts, and its payload fits the schema', () => {
    const payload = signed(yes);
    expect(decideSchema.parse(payload)).toEqual(payload);
    expect(check(payload)).toMatchObject({ ok: true, repeats: null, decide: { by: 'ann', token: { keyId: gateway.keyId, roles: ['approver'] } } });
    expect(codeOf(check(signed(yes, { key: anns })))).toBe('ok');
  });

  const token = signed(yes).token;
  it.each<[string, unknown, string]>([
    ['without a token', yes, 'unsigned'],
    ['with null for a token', { ...yes, token: null }, 'unsigned'],
    ['by a key that nobody knows', signed(yes, { key: stranger }), 'unknown_key'],
    ['in the name of a known key', { ...yes, token: { ...signed(yes, { key: stranger }).token, keyId: gateway.keyId } }, 'bad_signature'],
    ['for another task', signed(yes, { taskId: 'task-2' }), 'bad_signature'],
    ['for another approval', { ...yes, token: signed({ ...yes, approvalId: 'a9.t9.c9' }).token }, 'bad_signature'],
    ['for another hash', { ...yes, token: signed({ ...yes, hash: 'other' }).token }, 'bad_signature'],
    ['for another decision', { ...yes, decision: 'reject', token }, 'bad_signature'],
    ['for another person', { ...yes, by: 'bob', token }, 'bad_signature'],
    ['for another reason', { ...yes, reason: 'because', token }, 'bad_signature'],
    ['for another value', { ...yes, decision: 'edit', value: { amount: 2 }, token: signed({ ...yes, decision: 'edit', value: { amount: 1 } }).token }, 'bad_signature'],
    ['with more roles than were signed', { ...yes, token: { ...token, roles: ['approver', 'admin'] } }, 'bad_signature'],
    ['with another expiry', { ...yes, token: { ...token, expiresAt: token.expiresAt + 1 } }, 'bad_signature'],
    ['with another token id', { ...yes, token: { ...token, tokenId: 'mine' } }, 'bad_signature'],
    ["by another person's key", signed({ ...yes, by: 'bob' }, { key: anns }), 'bad_signature'],
    ['by a key that may not claim the role', signed(yes, { key: anns, roles: ['admin'] }), 'bad_signature'],
    ['about what does not wait', signed({ ...yes, hash: 'other' }), 'wrong_hash'],
    ['without a role', signed(yes, { roles: [] }), 'not_an_approver'],
    ['with a role that is not asked for', signed(yes, { roles: ['submitter', 'Approver'] }), 'not_an_approver'],
    ['with a cut signature', { ...yes, token: { ...token, signature: token.signature.slice(1) } }, 'malformed'],
    ['with a signature that is no text', { ...yes, token: { ...token, signature: 7 } }, 'malformed'],
    ['with a token that is a list', { ...yes, token: [token] }, 'malformed'],
    ['with something else in its token', { ...yes, token: { ...token, admin: true } }, 'malformed'],
    ['with roles that are no list', { ...yes, token: { ...token, roles: 'approver' } }, 'malformed'],
    ['that never expires', { ...yes, token: { ...token, expiresAt: Infinity } }, 'malformed'],
  ])('%s is refused, with what to do', (_name, payload, code) => {
    const checked = check(payload);
    expect(codeOf(checked)).toBe(code);
    expect(checked).toMatchObject({ text: expect.stringMatching(/\S.*\.$/) });
  });

  it('counts until it expires, and its token once', () => {
    const payload = signed(yes);
    expect(codeOf(check(payload, approval({ expiresAt: 1e15 }), { now: payload.token.expiresAt - 1 }))).toBe('ok');
    expect(codeOf(check(payload, approval({ expiresAt: 1e15 }), { now: payload.token.expiresAt }))).toBe('token_expired');
    expect(codeOf(check(payload, approval(), { usedTokens: [{ id: payload.token.tokenId, expiresAt: 1e15 }] }))).toBe('token_used');
  });

  it('repeated by the same person gets the same answer, with whatever token; by anybody else it does not', () => {
    const first = signed(yes);
    const decided = decidedBy(approval(), yes);
    const used = { usedTokens: [{ id: first.token.tokenId, expiresAt: 1e15 }], now: 1e13 };
    for (const again of [first, signed(yes), signed({ ...yes, reason: 'other words' }, { key: anns })])
      expect(check(again, decided, used)).toMatchObject({ ok: true, repeats: { by: 'ann', decision: 'approve' } });
    for (const other of [yes, signed(yes, { key: stranger }), signed({ ...yes, by: 'bob' }), signed({ ...yes, decision: 'reject' })])
      expect(check(other, decided, used)).toMatchObject({ code: 'already_decided', text: expect.stringContaining('"approve" by ann') });
  });

  it('is asked for nothing more than a role where the approval names no people', () => {
    const asked = approval({ approvers: { quorum: 1, roles: ['finance'], people: ['carol'], excludeRequester: false } });
    expect(codeOf(check(signed({ ...yes, by: 'carol' }, { roles: ['finance'] }), asked))).toBe('ok');
    expect(codeOf(check(signed({ ...yes, by: 'carol' }), asked))).toBe('not_an_approver');
    expect(codeOf(check(signed({ ...yes, by: 'dave' }, { roles: ['finance'] }), asked))).toBe('not_an_approver');
  });

  it('counts with the roles of the escalation once it has come due', () => {
    const asked = approval({ escalation: { at: 6_000, roles: ['director'] } });
    const payload = signed(yes, { roles: ['director'] });
    expect(codeOf(check(payload, asked, { now: 5_999 }))).toBe('not_an_approver');
    expect(codeOf(check(payload, asked, { now: 6_000 }))).toBe('ok');
  });
});

describe('without a signature', () => {
  const development = { decisions: { keys: [], unsigned: true } };
  it.each<[string, Partial<Approval>, string]>([
    ['a write', { risk: 'write' }, 'ok'],
    ['a read', { risk: 'read' }, 'ok'],
    ['something dangerous', { risk: 'dangerous' }, 'unsigned'],
    ['what takes two', { ...fourEyes(), risk: 'write' }, 'unsigned'],
    ['what some people decide', { risk: 'write', approvers: { quorum: 1, roles: ['approver'], people: ['ann'], excludeRequester: false } }, 'unsigned'],
  ])('%s in development', (_name, change, code) => {
    expect(codeOf(check(yes, approval(change), development))).toBe(code);
    expect(codeOf(check(yes, approval(change)))).toBe('unsigned');
  });
});

describe('four eyes', () => {
  it('the first approval is a vote, the second by another person decides', () => {
    const voted = decidedBy(fourEyes(), yes);
    expect(voted).toMatchObject({ status: 'pending', decision: null, votes: [{ by: 'ann' }] });
    expect(stillNeeds(voted)).toBe(1);
    const done = decidedBy(voted, { ...yes, by: 'bob' });
    expect(done).toMatchObject({ status: 'approved', decision: { by: 'bob' }, votes: [{ by: 'ann' }] });
    expect(stillNeeds(done)).toBe(0);
  });

  it('the same person does not count twice, the requester not at all; one rejection decides', () => {
    const voted = decidedBy(fourEyes(), yes);
    expect(check(signed(yes), voted)).toMatchObject({ ok: true, repeats: { by: 'ann' } });
    expect(codeOf(check(signed({ ...yes, decision: 'edit', value: { amount: 1 } }), voted))).toBe('already_voted');
    expect(codeOf(check(signed({ ...yes, by: 'zoe' }), fourEyes()))).toBe('requester');
    expect(codeOf(check(signed({ ...yes, by: 'zoe', decision: 'edit', value: {} }), fourEyes()))).toBe('requester');
    // nor under another spelling, as another key or an issuer may have it
    for (const by of ['Zoe', 'zoe\u200b', 'ＺＯＥ', 'z oe']) expect([by, codeOf(check(signed({ ...yes, by }), fourEyes()))]).toEqual([by, 'requester']);
    for (const by of ['ANN', 'an\u00adn']) expect([by, codeOf(check(signed({ ...yes, by }), voted))]).toEqual([by, 'already_voted']);
    for (const by of ['zoe', 'ann', 'bob']) expect(decidedBy(voted, { ...yes, by, decision: 'reject' })).toMatchObject({ status: 'rejected', decision: { by } });
  });

  it('never lets anything through that two others have not signed, whatever is sent and in whatever order', () => {
    const decisions = fc.record({
      by: fc.constantFrom('ann', 'bob', 'zoe', 'eve'),
      decision: fc.oneof({ weight: 6, arbitrary: fc.constant('approve' as const) }, { weight: 1, arbitrary: fc.constant('reject' as const) }),
      key: fc.constantFrom(gateway, gateway, gateway, anns, stranger),
      roles: fc.constantFrom<string[]>(['approver'], ['approver'], ['approver'], ['operator'], []),
      forge: fc.constantFrom('no', 'no', 'no', 'no', 'by', 'roles', 'hash', 'reuse'),
    });
    let approved = 0;
    fc.assert(
      fc.property(fc.array(decisions, { minLength: 2, maxLength: 6 }), (sent) => {
        let asked = fourEyes();
        let used: DecideContext['usedTokens'] = [];
        let last: { by: string; decision: string; key: typeof gateway; token: DecisionToken } | null = null;
        const honest = new Set<string>();
        for (const { by, decision, key, roles, forge } of sent) {
          const real = signed({ ...yes, by, decision }, { key, roles });
          const payload = {
            ...real,
            ...(forge === 'by' ? { by: `${by}2` } : {}),
            ...(forge === 'hash' ? { hash: 'other' } : {}),
            token: { ...real.token, ...(forge === 'roles' ? { roles: ['approver', 'admin'] } : {}), ...(forge === 'reuse' && last ? last.token : {}) },
          };
          const checked = check(payload, asked, { usedTokens: used });
          // a token that is used for the first time, by whom it was signed for, is no forgery
          const signer = forge === 'reuse' && last ? last : { by, decision, key };
          last = { by, decision, key, token: real.token };
          if (!checked.ok || checked.repeats) continue;
          expect(['no', 'reuse']).toContain(forge);
          expect([signer.by, signer.decision]).toEqual([by, decision]);
          expect(signer.key === gateway || (signer.key === anns && by === 'ann')).toBe(true);
          if (decision === 'approve') honest.add(by);
          asked = withDecision(asked, held(recordOf(checked.decide, 5_000, 'signal')));
          used = withUsedToken(used, checked.decide.token!, 5_000);
        }
        if (asked.status === 'approved') {
          approved += 1;
          expect(honest.size).toBe(2);
          expect(honest.has('zoe')).toBe(false);
        }
      }),
      // a signature takes milliseconds
      { numRuns: 50, examples: [[(['ann', 'bob'] as const).map((by) => ({ by, decision: 'approve' as const, key: gateway, roles: ['approver'], forge: 'no' as const }))]] },
    );
    expect(approved).toBeGreaterThan(0);
  });
});

describe('the token', () => {
  it('holds whatever is signed: a change of any part is noticed', () => {
    const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }).filter((each) => each.trim() === each && each !== '');
    fc.assert(
      fc.property(text, text, fc.jsonValue({ maxDepth: 3 }), fc.array(text, { maxLength: 3 }), (by, reason, inner, roles) => {
        const decide: Decide = { ...yes, by, reason, decision: 'edit', value: { inner } };
        const payload = signed(decide, { roles: ['approver', ...roles] });
        // as it arrives
        expect(codeOf(check(JSON.parse(JSON.stringify(payload))))).toBe('ok');
        expect(codeOf(check({ ...payload, reason: `${reason}.` }))).toBe('bad_signature');
        expect(codeOf(check({ ...payload, value: { inner, more: 1 } }))).toBe('bad_signature');
        expect(codeOf(check({ ...payload, by: `${by}.` }))).toBe('bad_signature');
      }),
      { numRuns: 25 },
    );
  });

  it('is forgotten when it has expired, and the list stays short', () => {
    let used = withUsedToken([], { tokenId: 'a', expiresAt: 10 }, 5);
    used = withUsedToken(used, { tokenId: 'b', expiresAt: 20 }, 10);
    expect(used.map((each) => each.id)).toEqual(['b']);
    for (let index = 0; index < 1_000; index += 1) used = withUsedToken(used, { tokenId: `t${index}`, expiresAt: 1e15 }, 20);
    expect(used).toHaveLength(500);
    expect(used.at(-1)!.id).toBe('t999');
  });
});

describe('an edit', () => {
  const became = (change: Partial<Approval> = {}): Pick<Approval, 'id' | 'risk' | 'approvers'> => approval(change);
  const record = (by: string, roles: string[] | null) => ({
    ...recordOf({ ...yes, approvalId: 'x', by, hash: null, reason: '', decision: 'edit', value: {}, token: null }, 1, 'update'),
    ...(roles ? { roles, token: signed(yes).token } : {}),
  });
  it.each<[string, Approval['approvers']['quorum'], string, string[] | null, boolean, boolean]>([
    ['by an approver', 1, 'ann', ['approver'], false, true],
    ['by somebody without the role of what it became', 1, 'ann', ['operator'], false, false],
    ['by the requester, where one is enough', 1, 'zoe', ['approver'], false, true],
    ['by the requester, where two must', 2, 'zoe', ['approver'], false, false],
    ['unsigned, of something dangerous', 1, 'ann', null, true, false],
  ])('%s counts as an approval of what it became, or not', (_name, quorum, by, roles, unsigned, counts) => {
    const approvers = { quorum, roles: ['approver'], people: null, excludeRequester: quorum === 2 };
    expect(editCounts(became({ approvers }), record(by, roles), { startedBy: 'zoe', decisions: { keys: [], unsigned } }, 5_000)).toBe(counts);
  });

  it('with a long value is held by its hash, and its repeat is known', () => {
    const value = { note: 'x'.repeat(60_000) };
    const decided = decidedBy(approval(), { ...yes, decision: 'edit', value });
    expect(decided.decision!.value!.length).toBeLessThan(1_000);
    expect(decided.decision!.valueHash).toMatch(/^[0-9a-f]{64}$/);
    expect(check(signed({ ...yes, decision: 'edit', value }), decided)).toMatchObject({ ok: true, repeats: { by: 'ann' } });
    expect(check(signed({ ...yes, decision: 'edit', value: { note: `${'x'.repeat(59_999)}y` } }), decided)).toMatchObject({ code: 'already_decided' });
  });
});
