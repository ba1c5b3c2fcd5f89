import { sql } from 'kysely';
import type { FoundChunk } from '../contracts/knowledge.ts';
import { camelCase, type Executor } from './database.ts';
import { packedVector, vectorOf } from './vectors.ts';

const TEXT_CANDIDATES = 60;
/** Of the newest, whatever they say: a vector may find what shares no word. */
const NEWEST_CANDIDATES = 40;

export interface ChunkQuery {
  tenant: string;
  agent: string;
  /** As `termsOf` gives them. */ terms: readonly string[];
  /** Only vectors of this one are read. */ embedder: string;
}

export interface FoundChunkCandidate {
  chunk: Omit<FoundChunk, 'score'>;
  text: number | null;
  vector: number[] | null;
}

/** Whatever may fit, of documents that count and that the agent is shown. A term weighs ln(1 + (N − n + ½)/(n + ½)), as the idf of BM25. In no order. */
export async function findChunkCandidates(database: Executor, { tenant, agent, terms, embedder }: ChunkQuery): Promise<FoundChunkCandidate[]> {
  // 退款 means the pair: its single characters, which many others share, say nothing
  const pairs = new Set(terms.filter((term) => [...term].length === 2 && /\p{Script=Han}/u.test(term)).flatMap((term) => [...term]));
  const asked = terms.filter((term) => !pairs.has(term));
  const { rows } = await sql<ChunkRow>`
    with scope as (
      select chunk_id, terms, knowledge_chunk.created_at from knowledge_chunk join document using (document_id)
      where expired_at is null and deleted_at is null and tenant = ${tenant} and (agent is null or agent = ${agent})
    ), shared as (
      select chunk_id, term from scope cross join lateral (select term from unnest(terms) as term where term = any(${asked}::text[])) as term
    ), weight as (
      select term, ln(1 + ((select count(*) from scope) - count(*) + 0.5) / (count(*) + 0.5)) as weight from shared group by term
    ), scored as (
      select chunk_id, sum(weight) as score from shared join weight using (term) group by chunk_id order by score desc, chunk_id limit ${TEXT_CANDIDATES}
    ), found as (
      select chunk_id from scored union (select chunk_id from scope order by created_at desc, chunk_id limit ${NEWEST_CANDIDATES})
    )
    select chunk_id as "chunkId", document_id as "documentId", name as document, title, document.version, heading, text, previous_id as "previousId", next_id as "nextId", score,
      case when embedder = ${embedder} then ${packedVector('embedding')} end as vector
    from found join knowledge_chunk using (chunk_id) join document using (document_id) left join scored using (chunk_id)`.execute(database);
  return rows.map(({ score, vector, ...chunk }) => ({ chunk, text: score === null ? null : Number(score), vector: vectorOf(vector) }));
}

type ChunkRow = Omit<FoundChunk, 'score'> & { score: number | null; vector: string | null };

/** Chunks that count and have no vector of this embedder; in a fixed order. */
export async function unembeddedChunks(
  database: Executor,
  embedder: string,
  limit: number,
  documentId: string | null = null,
): Promise<{ chunkId: string; heading: string; text: string }[]> {
  return camelCase(database)
    .selectFrom('knowledgeChunk')
    .select(['chunkId', 'heading', 'text'])
    .where('expiredAt', 'is', null)
    .where('embedder', 'is distinct from', embedder)
    .$if(documentId !== null, (query) => query.where('documentId', '=', documentId))
    .orderBy('documentId')
    .orderBy('position')
    .limit(limit)
    .execute();
}

export async function setChunkEmbedding(database: Executor, chunkId: string, embedding: number[], embedder: string): Promise<void> {
  await camelCase(database).updateTable('knowledgeChunk').set({ embedding, embedder }).where('chunkId', '=', chunkId).execute();
}
