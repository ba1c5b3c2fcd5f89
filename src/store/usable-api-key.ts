import { camelCase, type Executor } from './database.ts';

/** Whether any API key of any tenant counts now. */
export async function hasUsableApiKey(database: Executor): Promise<boolean> {
  const row = await camelCase(database)
    .selectFrom('apiKey')
    .select('keyId')
    .where('revokedAt', 'is', null)
    .where((where) => where.or([where('expiresAt', 'is', null), where('expiresAt', '>', new Date())]))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
