import { sql } from 'kysely';
import type { Experience } from '../contracts/experience.ts';
import { camelCase, type Executor } from './database.ts';
import { searchExperiences, type ExperienceQuery } from './experience-search.ts';
import { lockFor } from './lock.ts';
import { toRow } from './row.ts';
import type { Row } from './schema.ts';
import { sha256 } from './text.ts';

/** `score`: the weights of the terms it shares with the query, summed. */
export type FoundExperience = Experience & { score: number; timesSeen: number };
export type Experiences = ReturnType<typeof createExperiences>;

/** What tasks taught. Never found from another agent or tenant. */
export function createExperiences(database: Executor) {
  const readRows = (experienceIds: readonly string[], executor: Executor) =>
    camelCase(executor)
      .selectFrom('experience')
      .selectAll()
      .where('experienceId', '=', (row) => row.fn.any(row.val([...experienceIds])))
      .execute();

  return {
    /**
     * The same lesson again is counted on the row that is there, under its older id; another fix, or another outcome of the same fix, is a row
     * of its own. Writing one id twice counts once, and the first writing stays. Returns the id that the lesson is kept under.
     */
    async put(experience: Experience & { terms: string[] }, executor?: Executor): Promise<string> {
      if (executor) return putOne(experience, executor);
      return database.transaction().execute((transaction) => putOne(experience, transaction));
    },

    /** Best first, only from this agent and tenant, and nothing that is superseded or retired. How they are ranked: `experience-search.ts`. */
    async search(query: ExperienceQuery, executor: Executor = database): Promise<FoundExperience[]> {
      const scores = await searchExperiences(query, executor);
      const byId = new Map((await readRows([...scores.keys()], executor)).map((row) => [row.experienceId, row]));
      return [...scores].flatMap(([experienceId, score]) => {
        const row = byId.get(experienceId);
        return row ? [{ ...toExperience(row), score, timesSeen: row.timesSeen }] : [];
      });
    },

    /** By id, in no order; unknown ids are absent. Of any agent and tenant: the caller has the ids from a search. */
    async getMany(experienceIds: readonly string[], executor: Executor = database): Promise<Experience[]> {
      return (await readRows(experienceIds, executor)).map(toExperience);
    },

    /** What the task taught, in order of attempt; a lesson that was known before appears as it was first learned, with the older task's id. */
    async listByTask(taskId: string, executor: Executor = database): Promise<Experience[]> {
      const rows = await camelCase(executor)
        .selectFrom('experience')
        .selectAll('experience')
        .innerJoin(
          (row) =>
            row
              .selectFrom('experienceSource')
              .select(['experienceId'])
              .select((column) => column.fn.min('attempt').as('seenIn'))
              .where('taskId', '=', taskId)
              .groupBy('experienceId')
              .as('source'),
          (join) => join.onRef('source.experienceId', '=', 'experience.experienceId'),
        )
        .orderBy('source.seenIn')
        .orderBy('experience.experienceId')
        .execute();
      return rows.map(toExperience);
    },
  };
}

async function putOne(experience: Experience & { terms: string[] }, executor: Executor): Promise<string> {
  const { experienceId: sourceId, taskId, attempt, rootCause, evidence, reward, createdAt } = experience;
  const tables = camelCase(executor);
  await lockFor(executor, 'experience', sourceId);
  const known = await tables.selectFrom('experienceSource').select('experienceId').where('sourceId', '=', sourceId).executeTakeFirst();
  if (known) return known.experienceId;

  const { experienceId } = await tables
    .insertInto('experience')
    .values(toRow({ ...experience, mergeKey: mergeKeyOf(experience), lastSeenAt: createdAt }))
    .onConflict((conflict) =>
      conflict.column('mergeKey').doUpdateSet({
        confidence: sql`greatest(experience.confidence, excluded.confidence)`,
        verified: sql`experience.verified or excluded.verified`,
        rootCause: sql`coalesce(experience.root_cause, excluded.root_cause)`,
        evidence: sql`coalesce(experience.evidence, excluded.evidence)`,
        lastSeenAt: sql`greatest(experience.last_seen_at, excluded.last_seen_at)`,
      }),
    )
    .returning('experienceId')
    .executeTakeFirstOrThrow();
  await tables.insertInto('experienceSource').values(toRow({ sourceId, experienceId, taskId, attempt, rootCause, evidence, reward, createdAt })).execute();
  await tables
    .updateTable('experience')
    .set((row) => ({ timesSeen: row('timesSeen', '+', 1) }))
    .where('experienceId', '=', experienceId)
    .execute();
  return experienceId;
}

/** A lesson without a fix is told apart by its cause: two causes of one error are two lessons. Code in a fix keeps its white space. */
function mergeKeyOf({ agent, tenant, outcome, situation, errorType, fix, rootCause }: Experience): string {
  return sha256(JSON.stringify([agent, tenant, outcome, situation.replace(/\s+/g, ' ').trim(), errorType, fix, fix === null ? rootCause : null]));
}

function toExperience(row: Row<'experience'>): Experience {
  const { experienceId, agent, tenant, taskId, attempt, outcome, situation, stage, errorType, rootCause, fix, evidence, reward, confidence, verified, createdAt } = row;
  return {
    experienceId,
    agent,
    tenant,
    taskId,
    attempt,
    outcome,
    situation,
    stage,
    errorType,
    rootCause,
    fix,
    evidence,
    reward,
    confidence,
    verified,
    createdAt: createdAt.getTime(),
  };
}
