import { sql } from 'kysely';
import { camelCase, type Executor } from './database.ts';

/** Of these chunks, those that are expired or not known. */
export type ExpiredChunks = (chunkIds: readonly string[], executor: Executor) => Promise<string[]>;

/** By the table of knowledge; what it does not hold counts as expired. */
export const expiredChunks: ExpiredChunks = async (chunkIds, executor) => {
  if (chunkIds.length === 0) return [];
  const { rows: tables } = await sql<{ there: boolean }>`select to_regclass('knowledge_chunk') is not null as there`.execute(executor);
  if (!tables[0]?.there) return [...chunkIds];
  const { rows } = await sql<{ id: string }>`select chunk_id as id from knowledge_chunk where chunk_id = any(${[...chunkIds]}::text[]) and expired_at is null`.execute(executor);
  const live = new Set(rows.map(({ id }) => id));
  return chunkIds.filter((id) => !live.has(id));
};

/** Chunks that a version of a rule cites. */
export async function chunksOf(executor: Executor, ruleId: string, version: number): Promise<string[]> {
  const rows = await camelCase(executor).selectFrom('ruleChunk').select('chunkId').where('ruleId', '=', ruleId).where('version', '=', version).orderBy('chunkId').execute();
  return rows.map(({ chunkId }) => chunkId);
}
