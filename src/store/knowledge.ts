import { sql } from 'kysely';
import type { DocumentChange, GivenDocument } from '../contracts/knowledge.ts';
import { createAudit } from './audit.ts';
import { camelCase, type Executor } from './database.ts';
import { lockFor } from './lock.ts';
import type { Row } from './schema.ts';
import { sha256 } from './text.ts';

/** A chunk as it is written. `heading`: the headings with ` › ` between. */
export interface NewChunk {
  heading: string;
  text: string;
  tokens: number;
  terms: string[];
}

type Stored = Pick<Row<'knowledgeChunk'>, 'chunkId' | 'contentHash' | 'position' | 'previousId' | 'nextId'>;

/**
 * The document's text is these chunks from now on. Those whose heading and text are as they were keep their ids and vectors; the others expire in the same
 * transaction. The same text again changes nothing.
 */
export async function putDocument(database: Executor, given: GivenDocument & { title: string }, chunks: readonly NewChunk[], at: Date): Promise<Omit<DocumentChange, 'embedded'>> {
  return database.transaction().execute(async (transaction) => {
    const documentId = sha256(JSON.stringify([given.tenant, given.agent, given.name])).slice(0, 24);
    await lockFor(transaction, 'document', documentId);
    const before = await camelCase(transaction).selectFrom('document').selectAll().where('documentId', '=', documentId).executeTakeFirst();
    const contentHash = sha256(JSON.stringify([given.format, given.text]));
    const isSame = before?.contentHash === contentHash && before.deletedAt === null;
    const version = isSame ? before.version : (before?.version ?? 0) + 1;
    if (!isSame) await writeDocument(transaction, { documentId, version, contentHash, given, at });
    const live = await liveChunks(transaction, documentId);
    const placed = place(chunks, live, { documentId, version });
    const keptIds = new Set(placed.map(({ chunkId }) => chunkId));
    const gone = live.filter(({ chunkId }) => !keptIds.has(chunkId)).map(({ chunkId }) => chunkId);
    await expire(transaction, gone, at);
    await writeChunks(transaction, placed, { documentId, version, at });
    const added = placed.filter(({ chunk }) => chunk !== null).length;
    const change = { documentId, version, kept: placed.length - added, added, expired: gone.length, rulesCiting: await rulesCiting(transaction, gone) };
    if (!isSame) await tell(transaction, version === 1 ? 'added' : 'changed', { ...given, by: given.addedBy }, change);
    return change;
  });
}

/** Its chunks expire in the same transaction. Null: there is no such document, or it was deleted before. */
export async function deleteDocument(
  database: Executor,
  { tenant, documentId, by, via, at }: { tenant: string; documentId: string; by: string; via?: string; at: Date },
): Promise<Omit<DocumentChange, 'embedded'> | null> {
  return database.transaction().execute(async (transaction) => {
    await lockFor(transaction, 'document', documentId);
    const deleted = await camelCase(transaction)
      .updateTable('document')
      .set({ deletedAt: at })
      .where('documentId', '=', documentId)
      .where('tenant', '=', tenant)
      .where('deletedAt', 'is', null)
      .returning(['version', 'name', 'agent'])
      .executeTakeFirst();
    if (!deleted) return null;
    const gone = (await liveChunks(transaction, documentId)).map(({ chunkId }) => chunkId);
    await expire(transaction, gone, at);
    const change = { documentId, version: deleted.version, kept: 0, added: 0, expired: gone.length, rulesCiting: await rulesCiting(transaction, gone) };
    await tell(transaction, 'removed', { ...deleted, tenant, by, ...(via === undefined ? {} : { via }) }, change);
    return change;
  });
}

/** Rules on their way, or live, that rest on one of these chunks: `ruleId@version`. */
async function rulesCiting(database: Executor, chunkIds: readonly string[]): Promise<string[]> {
  if (chunkIds.length === 0) return [];
  const rows = await camelCase(database)
    .selectFrom('ruleChunk')
    .innerJoin('rule', (join) => join.onRef('rule.ruleId', '=', 'ruleChunk.ruleId').onRef('rule.version', '=', 'ruleChunk.version'))
    .select(['rule.ruleId', 'rule.version'])
    .distinct()
    .where('chunkId', '=', (row) => row.fn.any(row.val([...chunkIds])))
    .where('status', 'not in', ['retired', 'rejected'])
    .orderBy('rule.ruleId')
    .orderBy('rule.version')
    .execute();
  return rows.map(({ ruleId, version }) => `${ruleId}@${version}`);
}

interface Told {
  tenant: string;
  agent: string | null;
  name: string;
  by: string;
  via?: string;
}

/** Last in the transaction. What agents are shown as knowledge steers them, so it is written down who changed it. */
async function tell(
  transaction: Executor,
  change: 'added' | 'changed' | 'removed',
  { tenant, agent, name, by, via = 'local' }: Told,
  after: Omit<DocumentChange, 'embedded'>,
): Promise<void> {
  const { documentId, version } = after;
  const target = `${name} of ${agent ?? 'all agents'}`;
  const key = `knowledge.changed/${documentId}/${version}${change === 'removed' ? '/removed' : ''}`;
  await createAudit(transaction).append({ tenant, key, actor: by, actorVia: via, action: 'knowledge.changed', target, after: { change, ...after } }, transaction);
}

interface Version {
  documentId: string;
  version: number;
  at: Date;
}

async function writeDocument(
  transaction: Executor,
  { documentId, version, contentHash, given, at }: Version & { contentHash: string; given: GivenDocument & { title: string } },
): Promise<void> {
  const { tenant, agent, name, title, format, addedBy } = given;
  const changed = { title, format, version, contentHash, addedBy, updatedAt: at, deletedAt: null };
  await camelCase(transaction)
    .insertInto('document')
    .values({ documentId, tenant, agent, name, ...changed, createdAt: at })
    .onConflict((conflict) => conflict.column('documentId').doUpdateSet(changed))
    .execute();
}

function liveChunks(transaction: Executor, documentId: string): Promise<Stored[]> {
  return camelCase(transaction)
    .selectFrom('knowledgeChunk')
    .select(['chunkId', 'contentHash', 'position', 'previousId', 'nextId'])
    .where('documentId', '=', documentId)
    .where('expiredAt', 'is', null)
    .orderBy('position')
    .execute();
}

interface Placed {
  chunkId: string;
  contentHash: string;
  /** Null: it is there already. */ chunk: NewChunk | null;
}

/** The n-th chunk of a text keeps the id of the n-th that had the same text. */
function place(chunks: readonly NewChunk[], live: readonly Stored[], { documentId, version }: Omit<Version, 'at'>): Placed[] {
  const free = Map.groupBy(live, ({ contentHash }) => contentHash);
  return chunks.map((chunk, index) => {
    const contentHash = sha256(JSON.stringify([chunk.heading, chunk.text]));
    const known = free.get(contentHash)?.shift();
    return known ? { chunkId: known.chunkId, contentHash, chunk: null } : { chunkId: sha256(JSON.stringify([documentId, version, index])).slice(0, 24), contentHash, chunk };
  });
}

async function expire(transaction: Executor, chunkIds: readonly string[], at: Date): Promise<void> {
  if (chunkIds.length === 0) return;
  await camelCase(transaction)
    .updateTable('knowledgeChunk')
    .set({ expiredAt: at })
    .where('chunkId', '=', (row) => row.fn.any(row.val([...chunkIds])))
    .execute();
}

async function writeChunks(transaction: Executor, placed: readonly Placed[], { documentId, version, at }: Version): Promise<void> {
  const rows = placed.flatMap(({ chunkId, contentHash, chunk }, index) =>
    chunk === null
      ? []
      : [{ chunkId, documentId, version, position: index + 1, contentHash, ...chunk, embedding: null, embedder: null, previousId: null, nextId: null, createdAt: at }],
  );
  for (let start = 0; start < rows.length; start += 500)
    await camelCase(transaction)
      .insertInto('knowledgeChunk')
      .values(rows.slice(start, start + 500))
      .execute();
  const ids = placed.map(({ chunkId }) => chunkId);
  await sql`
    update knowledge_chunk set position = placed.position, previous_id = placed.previous_id, next_id = placed.next_id
    from (
      select chunk_id, position, lag(chunk_id) over (order by position) as previous_id, lead(chunk_id) over (order by position) as next_id
      from unnest(${ids}::text[]) with ordinality as placed(chunk_id, position)
    ) as placed
    where knowledge_chunk.chunk_id = placed.chunk_id and (knowledge_chunk.position, knowledge_chunk.previous_id, knowledge_chunk.next_id) is distinct from (placed.position, placed.previous_id, placed.next_id)`.execute(
    transaction,
  );
}
