import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addUsage, callWish, contextLimit, EMPTY_USAGE, emptyLedger, exhausted, reserve, settle } from '../../../src/policy/budget.ts';
import type { BudgetLedger } from '../../../src/policy/budget.ts';
import { usage } from './samples.ts';

const LIMITS = { maxTotalTokens: 1_000, maxCostMicros: 500, maxRunMs: 60_000 };
const odd = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(Number.NaN, Infinity, -1, Number.MAX_SAFE_INTEGER, undefined as unknown as number));
const usages = fc.record({ inputTokens: odd, outputTokens: odd, costMicros: odd, calls: odd, estimated: fc.boolean() });

function granted(ledger: BudgetLedger, key: string, tokens: number, costMicros: number) {
  const reservation = reserve(ledger, key, LIMITS, { tokens, costMicros });
  if (!reservation.ok) throw new Error(reservation.explanation);
  return reservation;
}

describe('addUsage', () => {
  it('is whole, finite and never below zero', () => {
    fc.assert(
      fc.property(fc.array(usages), (all) => {
        const total = all.reduce(addUsage, EMPTY_USAGE);
        for (const part of [total.inputTokens, total.outputTokens, total.costMicros, total.calls]) {
          expect(Number.isSafeInteger(part)).toBe(true);
          expect(part).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });

  it('says when a part could not be read', () => {
    expect(addUsage(usage(5), { ...usage(7), costMicros: Number.NaN })).toEqual({ inputTokens: 12, outputTokens: 0, costMicros: 0, calls: 2, estimated: true });
    expect(addUsage(usage(5), usage(7)).estimated).toBe(false);
  });
});

describe('reserve and settle', () => {
  it('grants what is left beside other reservations', () => {
    const first = granted(emptyLedger(), 'writer', 700, 300);
    const second = granted(first.ledger, 'judge', 700, 300);
    expect(second.reserved).toEqual({ tokens: 300, costMicros: 200 });
    expect(reserve(second.ledger, 'third', LIMITS, { tokens: 1, costMicros: 0 })).toMatchObject({ ok: false, reason: 'token_budget' });
  });

  it('replaces the reservation of the same key', () => {
    const once = granted(emptyLedger(), 'writer', 1_000, 500);
    const again = granted(once.ledger, 'writer', 1_000, 500);
    expect(again.reserved).toEqual({ tokens: 1_000, costMicros: 500 });
    expect(Object.keys(again.ledger.reserved)).toEqual(['writer']);
  });

  it('refuses a priced call when the cap is exactly spent, and lets a free model go on', () => {
    const spent = settle(emptyLedger(), 'x', usage(10, 500));
    expect(reserve(spent, 'y', LIMITS, { tokens: 10, costMicros: 1 })).toMatchObject({ ok: false, reason: 'cost_budget' });
    expect(reserve(spent, 'y', LIMITS, { tokens: 10, costMicros: 0 })).toMatchObject({ ok: true, reserved: { tokens: 10, costMicros: 0 } });
  });

  it('counts the reserved amount when the usage is missing or NaN, never zero', () => {
    const { ledger } = granted(emptyLedger(), 'writer', 300, 90);
    const settled = settle(ledger, 'writer', { inputTokens: Number.NaN, outputTokens: 5, costMicros: Number.NaN, calls: 1, estimated: false });
    expect(settled).toEqual({ used: { inputTokens: 300, outputTokens: 0, costMicros: 90, calls: 1, estimated: true }, reserved: {} });
  });

  it('leaves the ledger that it is given as it was', () => {
    const ledger = Object.freeze({ used: Object.freeze({ ...EMPTY_USAGE }), reserved: Object.freeze({}) }) as BudgetLedger;
    granted(ledger, 'a', 10, 10);
    settle(ledger, 'a', usage(10));
    expect(ledger).toEqual(emptyLedger());
  });

  it('parallel reservations never exceed the limits, in any order of reserving and settling', () => {
    const keys = fc.constantFrom('a', 'b', 'c', 'd');
    const amounts = fc.oneof(fc.nat(1_500), odd);
    const actions = fc.array(
      fc.oneof(
        fc.record({ do: fc.constant('reserve' as const), key: keys, tokens: amounts, costMicros: amounts }),
        fc.record({ do: fc.constant('settle' as const), key: keys, share: fc.double({ min: 0, max: 1, noNaN: true }) }),
      ),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(actions, (all) => {
        let ledger = emptyLedger();
        for (const action of all) {
          if (action.do === 'reserve') {
            const reservation = reserve(ledger, action.key, LIMITS, action);
            if (reservation.ok) {
              expect(reservation.reserved.tokens).toBeGreaterThanOrEqual(0);
              ({ ledger } = reservation);
            }
          } else if (ledger.reserved[action.key]) {
            // A call uses at most what was reserved for it.
            const held = ledger.reserved[action.key]!;
            ledger = settle(ledger, action.key, usage(Math.floor(held.tokens * action.share), Math.floor(held.costMicros * action.share)));
          }
          const held = Object.values(ledger.reserved);
          expect(ledger.used.inputTokens + held.reduce((sum, each) => sum + each.tokens, 0)).toBeLessThanOrEqual(LIMITS.maxTotalTokens);
          expect(ledger.used.costMicros + held.reduce((sum, each) => sum + each.costMicros, 0)).toBeLessThanOrEqual(LIMITS.maxCostMicros);
          expect(JSON.parse(JSON.stringify(ledger))).toEqual(ledger);
        }
      }),
    );
  });
});

describe('exhausted', () => {
  it('names the budget that is used up', () => {
    expect(exhausted(LIMITS, usage(999, 499), 59_999)).toBeNull();
    expect(exhausted(LIMITS, usage(1_000), 0)).toMatchObject({ reason: 'token_budget' });
    expect(exhausted(LIMITS, usage(1, 500), 0)).toMatchObject({ reason: 'cost_budget' });
    expect(exhausted(LIMITS, usage(1), 60_000)).toMatchObject({ reason: 'time_budget', explanation: expect.stringContaining('60000') });
    expect(exhausted({ ...LIMITS, maxCostMicros: 0 }, usage(1), 0)).toBeNull();
  });
});

describe('callWish', () => {
  const route = { route: 'writer', model: 'm', inputMicrosPerMillion: 2_000_000, outputMicrosPerMillion: 8_000_000, contextWindow: 128_000 };

  it('covers a full window with the longest answer', () => {
    expect(callWish(route, { maxTokens: 2_000 })).toEqual({ tokens: 128_000, costMicros: 126_000 * 2 + 2_000 * 8 });
  });

  it('is finite, within the window, and free for a free model', () => {
    fc.assert(
      fc.property(fc.oneof(odd, fc.integer({ min: 16, max: 200_000 })), (maxTokens) => {
        const wish = callWish(route, { maxTokens });
        expect(wish.tokens).toBeLessThanOrEqual(route.contextWindow);
        expect(Number.isSafeInteger(wish.tokens) && Number.isSafeInteger(wish.costMicros)).toBe(true);
        expect(callWish({ ...route, inputMicrosPerMillion: 0, outputMicrosPerMillion: 0 }, { maxTokens }).costMicros).toBe(0);
      }),
    );
  });
});

describe('contextLimit', () => {
  it('is what was set, unless the window is too small for it', () => {
    expect(contextLimit({ contextWindow: 128_000 }, { maxTokens: 2_000 }, 32_000)).toBe(32_000);
    expect(contextLimit({ contextWindow: 32_000 }, { maxTokens: 2_000 }, 32_000)).toBe(26_000);
    expect(contextLimit({ contextWindow: 4_000 }, { maxTokens: 2_000 }, 32_000)).toBe(1_000);
  });
});
