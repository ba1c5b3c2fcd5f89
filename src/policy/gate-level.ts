import { saffronLevel, type TestedCandidate } from './statistics/false-discovery.ts';

/** Level of a candidate that is tested for itself, and the false discovery rate that a series holds (DESIGN §7). */
export const GATE_ALPHA = 0.1;
/** p values above it spend; those below are likely to be good. */
const LAMBDA = 0.25;
/** Wealth at the start: most of (1 − λ)·α, so that the first candidate of a series has a chance. */
const START_WEALTH = 0.06;

/** A candidate of a series as the ledger holds it. What still runs, or was given up, is not promoted and has no p. */
export interface LedgerEntry {
  p: number | null;
  promoted: boolean;
}

/**
 * The level that an agent's next candidate may be tested at, by SAFFRON at 0.10: over 20 candidates of which 5 are good it keeps most of the power
 * that LORD++ spends (`npm run gate:selftest` prints both). A candidate that still runs counts as one that failed with p = 1, as in the
 * asynchronous form of the procedure (Zrnic, Ramdas & Jordan 2021, arXiv:1812.05068), so two at once never test at the same level for the same wealth.
 * @param before the agent's candidates in the order in which their level was reserved
 */
export function seriesLevel(before: readonly LedgerEntry[]): number {
  const tested: TestedCandidate[] = before.map(({ p, promoted }) => ({ p: p ?? 1, promoted }));
  return saffronLevel(tested, GATE_ALPHA, LAMBDA, START_WEALTH);
}
