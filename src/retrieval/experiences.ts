/** Finds what earlier tasks taught that fits a new one, and says why each stands where it stands. */
import type { Experience } from '../contracts/experience.ts';
import { cosine, type Embedder } from '../memory/embedding.ts';
import { termsOf } from '../memory/terms.ts';
import { halfLifeOf, rankByFusion, type Ranked } from '../policy/retrieval.ts';
import type { FoundCandidate, StoredRanking } from '../store/experience-candidates.ts';
import type { Store } from '../store/store.ts';
import { isEmbedderFault } from './knowledge.ts';

export interface ExperienceSearch {
  agent: string;
  tenant: string;
  /** What the new task is like, in words. */
  situation: string;
  /** Failures to look for: evaluator|type|tool|error code. */
  signatures?: readonly string[];
  limit: number;
  /** Unix ms */
  now: number;
}

export interface RetrievedExperience {
  experience: Experience & StoredRanking;
  /** Null: it contradicts the one before it, and is here only for that. */
  ranked: Ranked | null;
}

/** Vectors that are missing are made at most so many at a time: the rest is found by its words. */
const MAX_MADE = 32;

/** Best first. What contradicts a hit stands behind it, and counts towards the limit. */
export async function retrieveExperiences({ store, embedder }: { store: Store; embedder: Embedder }, search: ExperienceSearch): Promise<RetrievedExperience[]> {
  const { agent, tenant, situation, signatures = [], limit, now } = search;
  if (situation.trim() === '' || limit <= 0) return [];
  const candidates = await store.experiences.candidates({ agent, tenant, terms: termsOf(situation), situation, signatures, embedder: embedder.name });
  if (candidates.length === 0) return [];
  const query = await vectors({ store, embedder }, situation, candidates);
  const ranked = rankByFusion(
    candidates.map(({ experience, text, exact, vector }) => ({
      id: experience.experienceId,
      text,
      exact,
      cosine: query && vector?.length === query.length ? cosine(query, vector) : null,
      seenAt: experience.lastSeenAt,
      halfLifeMs: halfLifeOf(experience),
      trust: experience,
    })),
    { now, floor: embedder.floor },
  );
  const byId = new Map(candidates.map(({ experience }) => [experience.experienceId, experience]));
  return withContradictions(
    store,
    ranked.slice(0, limit).map((each) => ({ experience: byId.get(each.id)!, ranked: each })),
    limit,
  );
}

/** The query's vector; vectors that candidates lack are made and kept. Without a provider's vectors the search goes on by words. */
async function vectors({ store, embedder }: { store: Store; embedder: Embedder }, situation: string, candidates: FoundCandidate[]): Promise<number[] | null> {
  const lacking = candidates.filter(({ vector }) => vector === null).slice(0, MAX_MADE);
  try {
    const [query, ...made] = await embedder.embed([situation, ...lacking.map(({ experience }) => embeddedText(experience))]);
    for (const [index, candidate] of lacking.entries()) {
      candidate.vector = made[index]!;
      await store.experiences.setEmbedding(candidate.experience.experienceId, made[index]!, embedder.name);
    }
    return query!;
  } catch (error) {
    if (!isEmbedderFault(error)) throw error;
    return null;
  }
}

async function withContradictions(store: Store, hits: RetrievedExperience[], limit: number): Promise<RetrievedExperience[]> {
  const others = await store.experiences.ranked(hits.flatMap(({ experience }) => experience.contradictedBy ?? []));
  const found = new Map<string, RetrievedExperience>();
  for (const hit of hits) {
    if (!found.has(hit.experience.experienceId)) found.set(hit.experience.experienceId, hit);
    const other = others.get(hit.experience.contradictedBy ?? '');
    if (other) found.set(other.experienceId, hits.find(({ experience }) => experience.experienceId === other.experienceId) ?? { experience: other, ranked: null });
  }
  return [...found.values()].slice(0, limit);
}

/** What an experience's vector is made of: what the error is comes before the situation, which may be long. */
export function embeddedText({ situation, errorType }: Pick<Experience, 'situation' | 'errorType'>): string {
  return errorType === null ? situation : `${errorType} ${situation}`;
}
