import { sql, type RawBuilder } from 'kysely';
import type { Executor } from './database.ts';

export interface ExperienceQuery {
  agent: string;
  tenant: string;
  /** As `termsOf` gives them. */ terms: string[];
  limit: number;
}

/** Experiences whose terms are counted, to tell rare terms from common ones. Merge keys are hashes: the first of them are a fair sample, the same each time. */
const SAMPLE = 256;
/** Entries of the term index that one search reads, about. */
const MAX_POSTINGS = 3_000;
/** Scored by all terms: so many of those with rare terms, and so many of the newest. */
const CANDIDATES = 100;

/** What counts now and tells something: what solved it, or why it failed. */
export const ACTIVE: RawBuilder<boolean> = sql`superseded_by is null and (retired_at is null or retired_at > now()) and (valid_to is null or valid_to > now())
  and (fix is not null or (outcome = 'failure' and root_cause is not null))`;

interface Frequency {
  term: string;
  /** Experiences that hold the term; an estimate unless the sample was everything. */ count: number;
}

/**
 * Ids and scores of experiences that tell something: what solved it, or why it failed. Best first; equal scores newest first, then by id. A term weighs ln(1 + (N − n + ½)/(n + ½)) (the idf of BM25): N
 * experiences in the namespace, n of them with the term. Rare terms are looked up in the index. Common ones, with n taken from a sample, add
 * to the score of what those found and of the newest: so a search costs about the same in 100,000 experiences as in 5,000.
 */
export async function searchExperiences(query: ExperienceQuery, executor: Executor): Promise<Map<string, number>> {
  const terms = withoutPartsOfPairs(query.terms);
  if (terms.length === 0 || query.limit <= 0) return new Map();
  const namespace = sql<boolean>`agent = ${query.agent} and tenant = ${query.tenant}`;
  const { total, frequencies } = await readFrequencies(terms, namespace, executor);
  const { rare, common } = splitByCost(frequencies);
  return readScores({ total, rare, common, limit: query.limit, namespace }, executor);
}

/** In a query, 天津 means the pair: its single characters, which 今天 shares, say nothing. */
function withoutPartsOfPairs(terms: readonly string[]): string[] {
  const inPairs = new Set(
    terms
      .map((term) => [...term])
      .filter((characters) => characters.length === 2)
      .flat(),
  );
  return [...new Set(terms)].filter((term) => !inPairs.has(term));
}

async function readFrequencies(terms: string[], namespace: RawBuilder<boolean>, executor: Executor): Promise<{ total: number; frequencies: Frequency[] }> {
  const { rows } = await sql<{ sampled: number; last: string | null; term: string; count: number }>`
    with sample as materialized (select merge_key, terms from experience where ${namespace} order by merge_key limit ${SAMPLE}),
    counted as (select term, count(*) as count from sample, unnest(terms) as term where term = any(${terms}::text[]) group by term)
    select (select count(*) from sample) as sampled, (select max(merge_key) from sample) as last, term, coalesce(count, 0) as count
    from unnest(${terms}::text[]) as term left join counted using (term)`.execute(executor);
  const [{ sampled, last } = { sampled: 0, last: null }] = rows;
  const whole = sampled < SAMPLE || last === null;
  const total = whole ? sampled : sampled / fractionOf(last);
  return { total, frequencies: rows.map(({ term, count }) => ({ term, count: whole ? count : (total / sampled) * Math.max(count, 0.25) })) };
}

/** Where a hash lies between all that are possible, 0..1: the first 256 of N hashes end near 256/N, which tells N to about 6% without counting. */
function fractionOf(hash: string): number {
  return (Number.parseInt(hash.slice(0, 12), 16) + 1) / 16 ** 12;
}

/** The rarest first, as long as reading their index entries stays within the bound. */
function splitByCost(frequencies: Frequency[]): { rare: Frequency[]; common: Frequency[] } {
  const sorted = frequencies.toSorted((left, right) => left.count - right.count || (left.term < right.term ? -1 : 1));
  let postings = 0;
  const end = sorted.findIndex(({ count }) => (postings += count) > MAX_POSTINGS);
  const split = end === -1 ? sorted.length : end;
  return { rare: sorted.slice(0, split), common: sorted.slice(split) };
}

interface Scored {
  total: number;
  rare: Frequency[];
  common: Frequency[];
  limit: number;
  namespace: RawBuilder<boolean>;
}

async function readScores({ total, rare, common, limit, namespace }: Scored, executor: Executor): Promise<Map<string, number>> {
  const candidates = Math.max(CANDIDATES, limit);
  const { rows } = await sql<{ experienceId: string; score: number }>`
    with posting as materialized (
      select term, found.experience_id, found.created_at
      from unnest(${rare.map(({ term }) => term)}::text[]) as term
      cross join lateral (select experience_id, created_at from experience where terms @> array[term] and ${namespace} and ${ACTIVE}) as found
    ), frequency as (
      select term, count(*)::float as n from posting group by term
      union all select * from unnest(${common.map(({ term }) => term)}::text[], ${common.map(({ count }) => count)}::float[])
    ), weight as materialized (
      select term, ln(1 + (greatest(${total}::float, n) - n + 0.5) / (n + 0.5)) as weight from frequency
    ), candidate as (
      (select experience_id from posting join weight using (term) group by experience_id, created_at order by sum(weight) desc, created_at desc, experience_id limit ${candidates})
      union
      (select experience_id from experience where ${namespace} and ${ACTIVE} order by created_at desc, experience_id limit ${candidates})
    )
    select experience_id as "experienceId", sum(weight) as score
    from candidate join experience using (experience_id)
    cross join lateral (select term from unnest(terms) as term where term = any(${[...rare, ...common].map(({ term }) => term)}::text[])) as shared join weight using (term)
    group by experience_id, created_at
    order by round(sum(weight)::numeric, 9) desc, created_at desc, experience_id
    limit ${limit}`.execute(executor);
  return new Map(rows.map(({ experienceId, score }) => [experienceId, score]));
}
