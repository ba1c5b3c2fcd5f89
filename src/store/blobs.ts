import { camelCase, type Executor } from './database.ts';
import { cleanText, sha256 } from './text.ts';

export type Blobs = ReturnType<typeof createBlobs>;

/** Texts kept once under the hash of their content. */
export function createBlobs(database: Executor) {
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
      const row = await camelCase(executor).selectFrom('blob').select('content').where('hash', '=', hash).executeTakeFirst();
      return row?.content ?? null;
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
