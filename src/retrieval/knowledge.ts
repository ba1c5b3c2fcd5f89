/** Adds documents, keeps their vectors, and finds the chunks that fit. */
import type { DocumentChange, FoundChunk, GivenDocument } from '../contracts/knowledge.ts';
import { chunksOf, titleOf } from '../memory/chunks.ts';
import { cosine, type Embedder } from '../memory/embedding.ts';
import { termsOf } from '../memory/terms.ts';
import { rankByFusion } from '../policy/retrieval.ts';
import { findChunkCandidates, setChunkEmbedding, unembeddedChunks } from '../store/knowledge-search.ts';
import { putDocument } from '../store/knowledge.ts';
import type { Store } from '../store/store.ts';
import { textTokenCounter } from '../store/tokens.ts';

/** Vectors made at a time: what was made is kept when the next fails. */
const BATCH = 32;
/** Headings in one text. */
const BETWEEN = ' › ';

export interface KnowledgeServices {
  store: Store;
  embedder: Embedder;
}

/** Adds it, or makes it the next version. Where vectors can't be made now, its chunks are found by their words; `embedChunks` makes them later. */
export async function addDocument(services: KnowledgeServices, given: GivenDocument, at: Date): Promise<DocumentChange> {
  const cut = chunksOf(given.text, given.format, await textTokenCounter());
  const chunks = cut.map(({ headings, text, tokens }) => {
    const heading = headings.join(BETWEEN);
    return { heading, text, tokens, terms: termsOf(`${heading} ${text}`) };
  });
  const change = await putDocument(services.store.database, { ...given, title: titleOf(cut) ?? given.name }, chunks, at);
  const embedded = await embedChunks(services, change.documentId).catch((error: unknown) => {
    if (!isEmbedderFault(error)) throw error;
    return 0;
  });
  return { ...change, embedded };
}

/** Makes the vectors that chunks lack, also those made by another embedder before. @param documentId only of this document @returns how many were made @throws ModelCallError of the embedder */
export async function embedChunks({ store, embedder }: KnowledgeServices, documentId: string | null = null): Promise<number> {
  let made = 0;
  for (;;) {
    const lacking = await unembeddedChunks(store.database, embedder.name, BATCH, documentId);
    if (lacking.length === 0) return made;
    const vectors = await embedder.embed(lacking.map(({ heading, text }) => `${heading}\n${text}`));
    await store.transaction(async (transaction) => {
      for (const [index, { chunkId }] of lacking.entries()) await setChunkEmbedding(transaction, chunkId, vectors[index]!, embedder.name);
    });
    made += lacking.length;
  }
}

export interface KnowledgeQuery {
  agent: string;
  tenant: string;
  query: string;
  limit: number;
}

/** Best first; nothing that has expired. */
export async function retrieveKnowledge({ store, embedder }: KnowledgeServices, { agent, tenant, query, limit }: KnowledgeQuery): Promise<FoundChunk[]> {
  const candidates = await findChunkCandidates(store.database, { tenant, agent, terms: termsOf(query), embedder: embedder.name });
  if (candidates.length === 0) return [];
  const [asked] = await embedder.embed([query]).catch((error: unknown) => {
    if (!isEmbedderFault(error)) throw error;
    return [undefined];
  });
  const ranked = rankByFusion(
    candidates.map(({ chunk, text, vector }) => ({
      id: chunk.chunkId,
      text,
      cosine: asked && vector?.length === asked.length ? cosine(asked, vector) : null,
      exact: false,
      seenAt: null,
      halfLifeMs: 1,
      trust: null,
    })),
    { now: 0, floor: embedder.floor },
  );
  const byId = new Map(candidates.map(({ chunk }) => [chunk.chunkId, chunk]));
  return ranked.slice(0, limit).map(({ id, score }) => ({ ...byId.get(id)!, score }));
}

/** The provider did not answer; search and writing go on without vectors. */
export function isEmbedderFault(error: unknown): boolean {
  return (error as { name?: unknown } | null)?.name === 'ModelCallError';
}
