import { sql } from 'kysely';
import { camelCase, type Executor } from './database.ts';

/** Of these chunks, those that are expired or not known to the agent of the tenant. */
export type ExpiredChunks = (chunkIds: readonly string[], executor: Executor, whose: { tenant: string; agent: string }) => Promise<string[]>;

/** By the table of knowledge; what another tenant or agent alone knows counts as expired. */
export const expiredChunks: ExpiredChunks = async (chunkIds, executor, { tenant, agent }) => {
  if (chunkIds.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    select chunk_id as id from knowledge_chunk join document using (document_id)
    where chunk_id = any(${[...chunkIds]}::text[]) and expired_at is null and deleted_at is null
      and document.tenant = ${tenant} and (document.agent is null or document.agent = ${agent})`.execute(executor);
  const live = new Set(rows.map(({ id }) => id));
  return chunkIds.filter((id) => !live.has(id));
};

/** Knowledge that a version of a rule rests on, as it stands now. */
export interface CitedChunk {
  version: number;
  chunkId: string;
  /** Null, and the two that follow: nothing like it is known. */
  document: string | null;
  /** Of the document, that brought the chunk. */
  documentVersion: number | null;
  /** With ` › ` between. */
  heading: string | null;
  /** From then on the rule goes no further; null: it holds. */
  expiredAt: Date | null;
}

/** What all versions of a rule cite, in the order of versions and documents. What another tenant or agent alone knows is not known. */
export async function citedChunks(executor: Executor, ruleId: string): Promise<CitedChunk[]> {
  const { rows } = await sql<CitedChunk>`
    select cited.version, cited.chunk_id as "chunkId", known.name as document, known.version as "documentVersion", known.heading, known.expired_at as "expiredAt"
    from rule_chunk cited
    join rule on rule.rule_id = cited.rule_id and rule.version = cited.version
    left join lateral (
      select document.name, chunk.version, chunk.heading, chunk.position, chunk.expired_at from knowledge_chunk chunk join document using (document_id)
      where chunk.chunk_id = cited.chunk_id and document.tenant = rule.tenant and (document.agent is null or document.agent = rule.agent)
    ) known on true
    where cited.rule_id = ${ruleId}
    order by cited.version, known.name, known.position, cited.chunk_id`.execute(executor);
  return rows;
}

/** Chunks that a version of a rule cites. */
export async function chunksOf(executor: Executor, ruleId: string, version: number): Promise<string[]> {
  const rows = await camelCase(executor).selectFrom('ruleChunk').select('chunkId').where('ruleId', '=', ruleId).where('version', '=', version).orderBy('chunkId').execute();
  return rows.map(({ chunkId }) => chunkId);
}
