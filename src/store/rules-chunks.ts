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

/** Chunks that a version of a rule cites. */
export async function chunksOf(executor: Executor, ruleId: string, version: number): Promise<string[]> {
  const rows = await camelCase(executor).selectFrom('ruleChunk').select('chunkId').where('ruleId', '=', ruleId).where('version', '=', version).orderBy('chunkId').execute();
  return rows.map(({ chunkId }) => chunkId);
}
