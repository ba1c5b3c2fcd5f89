import { LRUCache } from 'lru-cache';
import { camelCase, type Executor } from './database.ts';
import { cleanText, sha256 } from './text.ts';

/** What was read last is mostly read again: a task's input by each of its calls. A text never changes under its hash, so it can't be out of date. */
const CACHE = { maxSize: 16_000_000, maxEntrySize: 250_000, sizeCalculation: (text: string) => text.length || 1 };

export type Blobs = ReturnType<typeof createBlobs>;

/** Texts kept once under the hash of their content. */
export function createBlobs(database: Executor) {
  const known = new LRUCache<string, string>(CACHE);

  return {
    /** Stores a text and returns its hash: sha256, hex, of the text after cleaning. Storing it again changes nothing. */
    async put(text: string, executor: Executor = database): Promise<string> {
      const content = cleanText(text);
      const hash = sha256(content);
      await camelCase(executor)
        .insertInto('blob')
        .values({ hash, content, bytes: Buffer.byteLength(content, 'utf8') })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      return hash;
    },

    /** The text, or null when nothing has this hash. */
    async get(hash: string, executor: Executor = database): Promise<string | null> {
      const cached = known.get(hash);
      if (cached !== undefined) return cached;
      const row = await camelCase(executor).selectFrom('blob').select('content').where('hash', '=', hash).executeTakeFirst();
      if (!row) return null;
      // what a transaction has written may yet be rolled back
      if (!executor.isTransaction) known.set(hash, row.content);
      return row.content;
    },

    /** Texts by hash; unknown hashes are absent. */
    async getMany(hashes: readonly string[], executor: Executor = database): Promise<Map<string, string>> {
      if (hashes.length === 0) return new Map();
      const rows = await camelCase(executor)
        .selectFrom('blob')
        .select(['hash', 'content'])
        .where('hash', 'in', [...new Set(hashes)])
        .execute();
      return new Map(rows.map((row) => [row.hash, row.content]));
    },
  };
}
