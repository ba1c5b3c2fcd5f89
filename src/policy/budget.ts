import type { Limits, ModelParameters } from '../contracts/limits.ts';
import type { ModelRoute } from '../contracts/snapshot.ts';
import type { Usage } from '../contracts/usage.ts';

export const EMPTY_USAGE: Usage = { inputTokens: 0, outputTokens: 0, costMicros: 0, calls: 0, estimated: false };

/** Tokens and micro-USD set aside for one call. */
export interface Amount {
  tokens: number;
  costMicros: number;
}

/** What a task has used, and what is set aside for calls under way. Plain JSON; never changed in place. */
export interface BudgetLedger {
  used: Usage;
  reserved: Record<string, Amount>;
}

export type Reservation = { ok: true; ledger: BudgetLedger; reserved: Amount } | { ok: false; reason: 'token_budget' | 'cost_budget'; explanation: string };

type BudgetReason = 'token_budget' | 'cost_budget' | 'time_budget';

export function emptyLedger(): BudgetLedger {
  return { used: { ...EMPTY_USAGE }, reserved: {} };
}

function usable(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

/** A whole, finite amount, rounded up; what is no amount counts as 0, and so does -0, which JSON does not know. */
function whole(value: number): number {
  return (usable(value) && Math.min(Math.ceil(value), Number.MAX_SAFE_INTEGER)) || 0;
}

function sum(a: number, b: number): number {
  return Math.min(whole(a) + whole(b), Number.MAX_SAFE_INTEGER);
}

function complete(usage: Usage): boolean {
  return usable(usage.inputTokens) && usable(usage.outputTokens) && usable(usage.costMicros) && usable(usage.calls);
}

/** Always finite and whole; parts that are NaN, infinite or negative count as 0 and mark the sum as estimated. */
export function addUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: sum(a.inputTokens, b.inputTokens),
    outputTokens: sum(a.outputTokens, b.outputTokens),
    costMicros: sum(a.costMicros, b.costMicros),
    calls: sum(a.calls, b.calls),
    estimated: a.estimated || b.estimated || !complete(a) || !complete(b),
  };
}

/** Of the limit, less what is used and what other calls hold. */
function left(limit: number, used: number, held: number[]): number {
  return Math.max(0, Math.floor(limit) - used - held.reduce((total, amount) => total + amount, 0));
}

/** A wish that is no amount may mean anything, so it takes all that is left. */
function granted(wish: number, available: number): number {
  return usable(wish) ? Math.min(whole(wish), available) : available;
}

/**
 * Sets aside min(wish, what is left) for one call; the same key again replaces its own reservation. Refuses when no tokens
 * are left, or no money for a call that costs any.
 */
export function reserve(ledger: BudgetLedger, key: string, limits: Pick<Limits, 'maxTotalTokens' | 'maxCostMicros'>, wish: Amount): Reservation {
  const others = Object.entries(ledger.reserved).filter(([other]) => other !== key);
  const usedTokens = ledger.used.inputTokens + ledger.used.outputTokens;
  const tokens = left(
    limits.maxTotalTokens,
    usedTokens,
    others.map(([, amount]) => amount.tokens),
  );
  if (tokens < 1) {
    return {
      ok: false,
      reason: 'token_budget',
      explanation: `No tokens are left of ${limits.maxTotalTokens}: ${usedTokens} used, the rest held by ${others.length} other call(s).`,
    };
  }
  const money = left(
    limits.maxCostMicros,
    ledger.used.costMicros,
    others.map(([, amount]) => amount.costMicros),
  );
  if (money < 1 && wish.costMicros !== 0) {
    return {
      ok: false,
      reason: 'cost_budget',
      explanation: `No money is left of ${limits.maxCostMicros} micro-USD: ${ledger.used.costMicros} spent, the rest held by ${others.length} other call(s).`,
    };
  }
  const reserved = { tokens: granted(wish.tokens, tokens), costMicros: granted(wish.costMicros, money) };
  return { ok: true, ledger: { used: ledger.used, reserved: Object.fromEntries([...others, [key, reserved]]) }, reserved };
}

/** Ends a reservation and counts what was used. Usage that can't be read counts as the reserved amount, never as zero. */
export function settle(ledger: BudgetLedger, key: string, usage: Usage): BudgetLedger {
  const held = Object.hasOwn(ledger.reserved, key) ? ledger.reserved[key] : undefined;
  const reserved = Object.fromEntries(Object.entries(ledger.reserved).filter(([other]) => other !== key));
  return { used: addUsage(ledger.used, readable(usage, held ?? { tokens: 0, costMicros: 0 })), reserved };
}

function readable(usage: Usage, held: Amount): Usage {
  if (complete(usage)) return usage;
  const tokensKnown = usable(usage.inputTokens) && usable(usage.outputTokens);
  return {
    inputTokens: tokensKnown ? usage.inputTokens : held.tokens,
    outputTokens: tokensKnown ? usage.outputTokens : 0,
    costMicros: usable(usage.costMicros) ? usage.costMicros : held.costMicros,
    calls: usable(usage.calls) ? usage.calls : 1,
    estimated: true,
  };
}

/** Which budget is used up, or null. A task that has spent nothing is not stopped by a money limit of 0: `reserve` refuses its priced calls. */
export function exhausted(limits: Pick<Limits, 'maxTotalTokens' | 'maxCostMicros' | 'maxRunMs'>, used: Usage, runMs: number): { reason: BudgetReason; explanation: string } | null {
  const tokens = used.inputTokens + used.outputTokens;
  if (tokens >= limits.maxTotalTokens) return { reason: 'token_budget', explanation: `The task used ${tokens} of ${limits.maxTotalTokens} tokens.` };
  if (used.costMicros > 0 && used.costMicros >= limits.maxCostMicros) {
    return { reason: 'cost_budget', explanation: `The task spent ${used.costMicros} of ${limits.maxCostMicros} micro-USD.` };
  }
  if (runMs >= limits.maxRunMs) return { reason: 'time_budget', explanation: `The task ran ${Math.round(runMs)} of ${limits.maxRunMs} ms, waits for people not counted.` };
  return null;
}

/** Upper bound of one call: a full window with the longest answer. What a call needs is known only where it is put together; it is refused there if this does not cover it. */
export function callWish(route: ModelRoute, parameters: Pick<ModelParameters, 'maxTokens'>): Amount {
  const output = Math.min(whole(parameters.maxTokens), route.contextWindow);
  const input = route.contextWindow - output;
  const cost = (input * route.inputMicrosPerMillion + output * route.outputMicrosPerMillion) / 1_000_000;
  return { tokens: route.contextWindow, costMicros: whole(cost) };
}

/** Tokens of what a call carries besides the conversation at its head: tool descriptions, results appended just before. */
const CALL_OVERHEAD_TOKENS = 4_000;

/** Tokens of conversation above which its middle is summarised: the limit that was set, or less where the window is small. */
export function contextLimit(route: Pick<ModelRoute, 'contextWindow'>, parameters: Pick<ModelParameters, 'maxTokens'>, wanted: number): number {
  const room = route.contextWindow - parameters.maxTokens - CALL_OVERHEAD_TOKENS;
  return Math.min(wanted, Math.max(room, Math.floor(route.contextWindow / 4)));
}
