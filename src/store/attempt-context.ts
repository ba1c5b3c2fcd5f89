import type { Exposure } from '../contracts/snapshot.ts';
import { camelCase, type Executor } from './database.ts';
import type { Row } from './schema.ts';

/** Something learned that an attempt had in its prompt, or was kept from. */
export interface Exposed extends Exposure {
  /** Position among what was retrieved, from 1; null: not retrieved. */
  rank: number | null;
  /** Of the retrieval; null: not retrieved. */
  score: number | null;
  /** The output names its id. */
  cited: boolean;
}

/** Records what an attempt was exposed to; recording it again replaces it. */
export async function putAttemptContext(database: Executor, taskId: string, attempt: number, exposed: readonly Exposed[]): Promise<void> {
  const rows = exposed.map(({ kind, id, version, arm, rank, score, cited }) => ({
    taskId,
    attempt,
    itemKind: kind,
    itemId: id,
    itemVersion: version,
    arm,
    rank,
    retrievalScore: score,
    cited,
  }));
  const tables = camelCase(database);
  await tables.deleteFrom('attemptContext').where('taskId', '=', taskId).where('attempt', '=', attempt).execute();
  if (rows.length > 0) await tables.insertInto('attemptContext').values(rows).execute();
}

/** In order of attempt, kind and id. */
export async function listAttemptContext(database: Executor, taskId: string): Promise<Row<'attemptContext'>[]> {
  return camelCase(database).selectFrom('attemptContext').selectAll().where('taskId', '=', taskId).orderBy('attempt').orderBy('itemKind').orderBy('itemId').execute();
}
