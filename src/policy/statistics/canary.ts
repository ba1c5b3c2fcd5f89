import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { betaCdf, logBeta } from './beta.ts';

/** Rolled back at this much evidence of harm: by Ville's inequality a harmless change reaches it with probability 1/20 at most, however often one looks. */
const ROLL_BACK_AT = 20;

/** Where a task falls, 0 ≤ fraction < 1: the same on every retry, and independent from rule to rule. */
export function canaryFraction(salt: string, rule: string, version: number, taskId: string): number {
  const digest = sha256(utf8ToBytes(JSON.stringify([salt, rule, version, taskId])));
  return ((digest[0]! << 24) >>> 0) / 2 ** 32 + ((digest[1]! << 16) | (digest[2]! << 8) | digest[3]!) / 2 ** 32;
}

/** Whether the task gets the change. @param share of tasks that do, 0..1 */
export function isTreated(salt: string, rule: string, version: number, taskId: string, share: number): boolean {
  return canaryFraction(salt, rule, version, taskId) < share;
}

/** Pairs whose outcomes differ: the k-th control with the k-th treated task. */
export interface CanaryPairs {
  /** The control passed and the treated task did not. */
  harms: number;
  /** The treated task passed and the control did not. */
  gains: number;
  pairs: number;
}

/** Pairs tasks in the order in which they ended; what has no partner yet waits. */
export function pairArms(control: readonly boolean[], treated: readonly boolean[]): CanaryPairs {
  const pairs = Math.min(control.length, treated.length);
  let harms = 0;
  let gains = 0;
  for (let index = 0; index < pairs; index += 1) {
    if (control[index] && !treated[index]) harms += 1;
    if (!control[index] && treated[index]) gains += 1;
  }
  return { harms, gains, pairs };
}

/**
 * Evidence of harm: e = 2 ∫½..1 (2p)^h (2(1 − p))^g dp, a mixture of likelihood ratios over all ways in which harm is more likely than gain
 * (an e-process: it may be looked at after every pair). Closed form by the Beta function: 2^(h+g+1) · B(h+1, g+1) · P(Beta(h+1, g+1) > ½).
 */
export function harmEvidence(harms: number, gains: number): number {
  const upper = betaCdf(0.5, gains + 1, harms + 1); // P(Beta(h+1, g+1) > ½), by symmetry
  return Math.exp((harms + gains + 1) * Math.LN2 + logBeta(harms + 1, gains + 1)) * upper;
}

/** Pairs that can show harm at all: with fewer, even one where harm came every time would look like chance. */
export const FEWEST_PAIRS = fewestPairs();

function fewestPairs(): number {
  let pairs = 1;
  while (harmEvidence(pairs, 0) < ROLL_BACK_AT) pairs += 1;
  return pairs;
}

/** `criticalBreach`: a treated task broke something that may never break. */
export function shouldRollBack({ harms, gains }: Pick<CanaryPairs, 'harms' | 'gains'>, criticalBreach: boolean): boolean {
  return criticalBreach || harmEvidence(harms, gains) >= ROLL_BACK_AT;
}
