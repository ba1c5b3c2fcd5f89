/** The best output so far, by reference. */
export interface Best {
  attempt: number;
  outputHash: string;
  /** 0..100 */ score: number;
  passed: boolean;
  /** Of an output that a person restored: a later attempt that does not pass takes its place only with a score above this. */ mustBeat?: number;
}

function rank(best: Best): number {
  return Number.isFinite(best.score) ? best.score : -1;
}

/** One that passed beats one that did not, then the higher score, then the earlier attempt. */
export function keepBest(best: Best | null, candidate: Best | null): Best | null {
  if (!best || !candidate) return candidate ?? best;
  if (best.passed !== candidate.passed) return best.passed ? best : candidate;
  if (rank(best) !== rank(candidate)) return rank(best) > rank(candidate) ? best : candidate;
  return candidate.attempt < best.attempt ? candidate : best;
}

/**
 * An earlier output as a person's choice: it stays the best until a later attempt passes, or scores higher than every attempt before the restore.
 * @param scores of all attempts so far
 */
export function restoredBest(chosen: Best, scores: readonly (number | null)[]): Best {
  return { ...chosen, mustBeat: Math.max(rank(chosen), ...scores.map((score) => score ?? -1)) };
}

/** Whether an attempt takes the place of what a person restored. */
export function replacesRestored(restored: Best, candidate: Best): boolean {
  return candidate.passed || rank(candidate) > (restored.mustBeat ?? rank(restored));
}
