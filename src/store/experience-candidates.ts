import { sql } from 'kysely';
import type { Experience } from '../contracts/experience.ts';
import { camelCase, type Executor } from './database.ts';
import { ACTIVE, searchExperiences } from './experience-search.ts';
import { toExperience } from './experience-row.ts';
import { packedVector, vectorOf } from './vectors.ts';

/** By full text. */
const TEXT_CANDIDATES = 40;
/** Of the newest, whatever they say: a vector may find what shares no word. */
const NEWEST_CANDIDATES = 20;
/** Of those with the same situation or signature. */
const EXACT_CANDIDATES = 20;

export interface CandidateQuery {
  agent: string;
  tenant: string;
  /** As `termsOf` gives them. */ terms: string[];
  /** The situation in words: the same one is found exactly. */ situation: string;
  /** Of failures: experiences about one of them are found exactly. */ signatures: readonly string[];
  /** Only vectors of this one are read. */ embedder: string;
}

export interface FoundCandidate {
  experience: Experience & StoredRanking;
  /** Score of the full text; null: not found by it. */ text: number | null;
  exact: boolean;
  /** Null: none of that embedder. */ vector: number[] | null;
}

/** What an experience is ranked by, beside its text. */
export interface StoredRanking {
  helped: number;
  harmed: number;
  writtenBy: string | null;
  contradictedBy: string | null;
  /** Unix ms */ lastSeenAt: number;
  timesSeen: number;
}

/** Whatever may fit, found by full text, by being new, or exactly; only of this agent and tenant and what counts now. In no order. */
export async function findCandidates(database: Executor, query: CandidateQuery): Promise<FoundCandidate[]> {
  const scores = await searchExperiences({ ...query, limit: TEXT_CANDIDATES }, database);
  const namespace = sql<boolean>`agent = ${query.agent} and tenant = ${query.tenant}`;
  const key = sql`md5(lower(regexp_replace(${query.situation}, '\\s+', ' ', 'g')))`;
  const { rows } = await sql<{ experience_id: string; exact: boolean; vector: string | null }>`
    with exact as (
      (select experience_id from experience where ${namespace} and situation_key = ${key} and ${ACTIVE} order by created_at desc, experience_id limit ${EXACT_CANDIDATES})
      union
      (select experience_id from experience where ${namespace} and signature = any(${[...query.signatures]}::text[]) and ${ACTIVE} order by created_at desc, experience_id limit ${EXACT_CANDIDATES})
    ), found as (
      select unnest(${[...scores.keys()]}::text[]) as experience_id
      union select experience_id from exact
      union (select experience_id from experience where ${namespace} and ${ACTIVE} order by created_at desc, experience_id limit ${NEWEST_CANDIDATES})
    )
    select experience_id, experience_id in (select experience_id from exact) as exact, case when embedder = ${query.embedder} then ${packedVector('embedding')} end as vector
    from found join experience using (experience_id)`.execute(database);
  const byId = await readRanked(
    database,
    rows.map((row) => row.experience_id),
  );
  return rows.flatMap(({ experience_id: id, exact, vector }) => {
    const experience = byId.get(id);
    return experience ? [{ experience, text: scores.get(id) ?? null, exact, vector: vectorOf(vector) }] : [];
  });
}

/** By id, those that count now. */
export async function readRanked(database: Executor, experienceIds: readonly string[]): Promise<Map<string, Experience & StoredRanking>> {
  if (experienceIds.length === 0) return new Map();
  const rows = await camelCase(database)
    .selectFrom('experience')
    .select(COLUMNS)
    .where('experienceId', '=', (row) => row.fn.any(row.val([...experienceIds])))
    .where(ACTIVE)
    .execute();
  return new Map(
    rows.map((row) => {
      const { helped, harmed, writtenBy, contradictedBy, timesSeen } = row;
      return [row.experienceId, { ...toExperience(row), helped, harmed, writtenBy, contradictedBy, timesSeen, lastSeenAt: row.lastSeenAt.getTime() }];
    }),
  );
}

/** Without the terms and the vector, which are long and not needed. */
const COLUMNS = [
  'experienceId',
  'agent',
  'tenant',
  'taskId',
  'attempt',
  'outcome',
  'situation',
  'stage',
  'errorType',
  'rootCause',
  'fix',
  'evidence',
  'reward',
  'confidence',
  'verified',
  'createdAt',
  'lastSeenAt',
  'timesSeen',
  'helped',
  'harmed',
  'writtenBy',
  'contradictedBy',
] as const;
