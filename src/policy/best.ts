/** The best output so far, by reference. */
export interface Best {
  attempt: number;
  outputHash: string;
  /** 0..100 */ score: number;
  passed: boolean;
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
