/** How what was found in several ways is put into one order (DESIGN §7). */
import { helpLowerBound } from './statistics/beta.ts';

/** Of reciprocal-rank fusion (Cormack, Clarke, Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and individual rank learning methods", SIGIR 2009). */
const FUSION_CONSTANT = 60;
/** What each list says, in the sum. */
const WEIGHTS = { text: 1, vector: 1, exact: 1 } as const;
/** A text that shares so much less with the query than the best one shares only what all texts share. */
const TEXT_SHARE = 0.5;
/** The same for vectors. */
const COSINE_SHARE = 0.5;
/** Probability that the truth is below the bound of trust: an untried one has 0.2, one that helped in 5 pairs and never harmed 0.76. */
const TRUST_LEVEL = 0.2;

/** Something that may fit, and in which ways it was found. Scope and validity have been looked at before. */
export interface Candidate {
  id: string;
  /** Score of the full-text search, above 0; null: not found by it. */
  text: number | null;
  /** Cosine of the vectors; null: one of them is not there. */
  cosine: number | null;
  /** The same situation, or the signature that was asked for. */
  exact: boolean;
  /** Unix ms; null: age says nothing about it. */
  seenAt: number | null;
  /** After how long it counts for three quarters, ms. */
  halfLifeMs: number;
  /** Tasks that it helped and harmed; null: nobody counts them. */
  trust: { helped: number; harmed: number } | null;
}

/** Why something stands where it stands. */
export interface Ranked {
  id: string;
  /** fused · age · trust */
  score: number;
  /** Places in the lists, from 1, equal ones equal; null: not in the list. */
  ranks: { text: number | null; vector: number | null; exact: number | null };
  /** Σ weight / (60 + rank) */
  fused: number;
  /** 1 when new, never below ½. */
  age: number;
  /** 0..1 */
  trust: number;
}

/**
 * Best first; equal scores by id. Left out is what fits too badly: it shares under half of the best text score, has a cosine under the floor and under half of the best, and is not exact.
 * @param options.floor cosine from which two texts are alike, by the embedder @param options.now Unix ms
 */
export function rankByFusion(candidates: readonly Candidate[], { now, floor }: { now: number; floor: number }): Ranked[] {
  const bestText = Math.max(0, ...candidates.map(({ text }) => text ?? 0));
  const bestCosine = Math.max(0, ...candidates.map(({ cosine }) => cosine ?? 0));
  const text = ranksOf(candidates, (each) => (each.text !== null && each.text > 0 && each.text >= TEXT_SHARE * bestText ? each.text : null));
  const vector = ranksOf(candidates, (each) => (each.cosine !== null && each.cosine >= Math.max(floor, COSINE_SHARE * bestCosine) ? each.cosine : null));
  const exact = ranksOf(candidates, (each) => (each.exact ? 1 : null));
  const ranked = candidates.map((candidate): Ranked => {
    const ranks = { text: text.get(candidate.id) ?? null, vector: vector.get(candidate.id) ?? null, exact: exact.get(candidate.id) ?? null };
    const fused = part(ranks.text, WEIGHTS.text) + part(ranks.vector, WEIGHTS.vector) + part(ranks.exact, WEIGHTS.exact);
    const age = ageFactor(candidate, now);
    const trust = candidate.trust === null ? 1 : helpLowerBound(candidate.trust.helped, candidate.trust.harmed, TRUST_LEVEL);
    return { id: candidate.id, score: fused * age * trust, ranks, fused, age, trust };
  });
  return ranked.filter(({ fused }) => fused > 0).toSorted((left, right) => right.score - left.score || (left.id < right.id ? -1 : 1));
}

function part(rank: number | null, weight: number): number {
  return rank === null ? 0 : weight / (FUSION_CONSTANT + rank);
}

/** ½ + ½ · 2^(−age / half-life) */
function ageFactor({ seenAt, halfLifeMs }: Candidate, now: number): number {
  return seenAt === null ? 1 : 0.5 + 0.5 * 2 ** (-Math.max(0, now - seenAt) / halfLifeMs);
}

/** Place of each that has a value, highest first: one more than the number of those above it. */
function ranksOf(candidates: readonly Candidate[], valueOf: (candidate: Candidate) => number | null): Map<string, number> {
  const valued = candidates.flatMap((candidate) => {
    const value = valueOf(candidate);
    return value === null ? [] : [{ id: candidate.id, value }];
  });
  const ranks = new Map<string, number>();
  let rank = 0;
  let above: number | null = null;
  for (const [index, { id, value }] of valued.toSorted((left, right) => right.value - left.value).entries()) {
    if (value !== above) rank = index + 1;
    above = value;
    ranks.set(id, rank);
  }
  return ranks;
}

const DAY_MS = 86_400_000;
/** What people wrote holds longest; what only failed says least after the world has changed. */
const HALF_LIFE_DAYS = { person: 365, success: 90, failure: 30 } as const;
/** Not seen for so many half-lives, it is not recalled any more. */
const EXPIRES_AFTER = 4;

/** ms */
export function halfLifeOf(experience: { outcome: 'success' | 'failure'; writtenBy: string | null }): number {
  return HALF_LIFE_DAYS[experience.writtenBy === null ? experience.outcome : 'person'] * DAY_MS;
}

/** When an experience that was seen then expires, Unix ms; null: what a person wrote stays until it is retired or superseded. */
export function expiryOf(experience: { outcome: 'success' | 'failure'; writtenBy: string | null }, seenAt: number): number | null {
  return experience.writtenBy === null ? seenAt + EXPIRES_AFTER * halfLifeOf(experience) : null;
}
