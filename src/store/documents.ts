/** Documents of knowledge as they stand, to read. */
import { sql } from 'kysely';
import { camelCase, type Executor } from './database.ts';
import type { Row } from './schema.ts';

export type DocumentRow = Row<'document'> & {
  chunks: number;
  /** That made the vectors of its chunks; null: some have none, or not all are of one. */
  embedder: string | null;
};
export type ChunkRow = Pick<Row<'knowledgeChunk'>, 'chunkId' | 'version' | 'position' | 'heading' | 'text' | 'tokens' | 'embedder' | 'previousId' | 'nextId' | 'createdAt'>;

/** Those that count, by name. @param shownTo only those that this agent is shown: its own and those of all agents */
export async function listDocuments(database: Executor, tenant: string, shownTo?: string): Promise<DocumentRow[]> {
  let query = documents(database, tenant).orderBy('name').orderBy('agent');
  if (shownTo !== undefined) query = query.where((row) => row.or([row('agent', '=', shownTo), row('agent', 'is', null)]));
  return (await query.execute()).map(counted);
}

/** Null: there is none, or it was deleted. */
export async function getDocument(
  database: Executor,
  { tenant, agent, name }: { tenant: string; /** Null: that of all agents. */ agent: string | null; name: string },
): Promise<DocumentRow | null> {
  const row = await documents(database, tenant)
    .where('name', '=', name)
    .where('agent', agent === null ? 'is' : '=', agent)
    .executeTakeFirst();
  return row ? counted(row) : null;
}

/** Those that count, in the order of the text. */
export function listChunks(database: Executor, documentId: string): Promise<ChunkRow[]> {
  return camelCase(database)
    .selectFrom('knowledgeChunk')
    .select(['chunkId', 'version', 'position', 'heading', 'text', 'tokens', 'embedder', 'previousId', 'nextId', 'createdAt'])
    .where('documentId', '=', documentId)
    .where('expiredAt', 'is', null)
    .orderBy('position')
    .execute();
}

function documents(database: Executor, tenant: string) {
  return camelCase(database)
    .selectFrom('document')
    .selectAll()
    .select((row) => {
      const live = row.selectFrom('knowledgeChunk').whereRef('knowledgeChunk.documentId', '=', 'document.documentId').where('knowledgeChunk.expiredAt', 'is', null);
      return [
        live.select((chunk) => chunk.fn.countAll<number>().as('count')).as('chunks'),
        live.select(sql<string | null>`case when count(embedder) = count(*) and min(embedder) = max(embedder) then min(embedder) end`.as('embedder')).as('embedder'),
      ];
    })
    .where('tenant', '=', tenant)
    .where('deletedAt', 'is', null);
}

function counted<Counted extends { chunks: number | null }>(row: Counted): Counted & { chunks: number } {
  return { ...row, chunks: row.chunks ?? 0 };
}
