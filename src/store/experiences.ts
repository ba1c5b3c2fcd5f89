import { sql } from 'kysely';
import type { Experience } from '../contracts/experience.ts';
import { createAudit } from './audit.ts';
import { camelCase, type Executor } from './database.ts';
import { toExperience } from './experience-row.ts';
import { creditExperiences, relate } from './experience-relations.ts';
import { findCandidates, readRanked, type CandidateQuery } from './experience-candidates.ts';
import { searchExperiences, type ExperienceQuery } from './experience-search.ts';
import { lockFor } from './lock.ts';
import { toRow } from './row.ts';
import { arrayLiteral } from './vectors.ts';
import type { AuditActor } from './secret.ts';
import { sha256 } from './text.ts';

/** `score`: the weights of the terms it shares with the query, summed. */
/** Whoever waits longer for a table that somebody has locked tries again later: a waiting connection is one fewer for everybody, ms. */
const LOCK_TIMEOUT_MS = 2_000;

export type FoundExperience = Experience & { score: number; timesSeen: number };
export type Experiences = ReturnType<typeof createExperiences>;

/** An experience as it is written: with what it is found by. */
export type KeptExperience = Experience & {
  terms: string[];
  /** Vector of its situation and error, of length 1; absent: made when it is searched. */ embedding?: number[] | null;
  embedder?: string | null;
  /** evaluator|type|tool|error code of the failure that it is about. */ signature?: string | null;
  /** Person whose edit or correction it is. */ writtenBy?: string | null;
  /** Unix ms; null or absent: it does not expire. */ validTo?: number | null;
  /** Experiences that it says otherwise than: each is shown with it from now on. */ contradicts?: readonly string[];
};

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
    async put(experience: KeptExperience, executor?: Executor): Promise<string> {
      if (executor) return putOne(experience, executor);
      return database.transaction().execute(async (transaction) => {
        await sql`set local lock_timeout = ${sql.raw(String(LOCK_TIMEOUT_MS))}`.execute(transaction);
        return putOne(experience, transaction);
      });
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

    /** Returns when experiences can be written. @throws an error of code 55P03 when somebody keeps them locked for longer: then it is to be tried again later */
    async awaitLock(timeoutMs = LOCK_TIMEOUT_MS): Promise<void> {
      await database.transaction().execute(async (transaction) => {
        await sql`set local lock_timeout = ${sql.raw(String(timeoutMs))}`.execute(transaction);
        await sql`lock table experience in row exclusive mode`.execute(transaction);
      });
    },

    /** Whatever may fit a new task, before it is ranked. */
    candidates: (query: CandidateQuery, executor: Executor = database) => findCandidates(executor, query),

    /** With what they are ranked by, by id; only those that count now. */
    ranked: (experienceIds: readonly string[], executor: Executor = database) => readRanked(executor, experienceIds),

    /** Counts again which of the ended tasks each helped and harmed. */
    credit: (experienceIds: readonly string[], executor: Executor = database) => creditExperiences(executor, experienceIds),

    /** Without a vector of this embedder, newest first. */
    async listUnembedded(embedder: string, limit: number, executor: Executor = database): Promise<Pick<Experience, 'experienceId' | 'situation' | 'errorType'>[]> {
      return camelCase(executor)
        .selectFrom('experience')
        .select(['experienceId', 'situation', 'errorType'])
        .where('embedder', 'is distinct from', embedder)
        .orderBy('createdAt', 'desc')
        .orderBy('experienceId')
        .limit(limit)
        .execute();
    },

    async setEmbedding(experienceId: string, embedding: number[], embedder: string, executor: Executor = database): Promise<void> {
      await camelCase(executor).updateTable('experience').set({ embedding, embedder }).where('experienceId', '=', experienceId).execute();
    },

    /** Recalled no more, from the next task on. In the audit. @returns false when there is none of this id in the tenant */
    retire(experienceId: string, tenant: string, actor: AuditActor): Promise<boolean> {
      return change(database, { experienceId, tenant, action: 'experience.retired', set: { retiredAt: new Date() } }, actor);
    },

    /** A person vouches for it. In the audit. @returns false when there is none of this id in the tenant */
    verify(experienceId: string, tenant: string, actor: AuditActor): Promise<boolean> {
      return change(database, { experienceId, tenant, action: 'experience.verified', set: { verified: true } }, actor);
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

async function putOne({ contradicts = [], ...experience }: KeptExperience, executor: Executor): Promise<string> {
  const { experienceId: sourceId, taskId, attempt, rootCause, evidence, reward, createdAt } = experience;
  const tables = camelCase(executor);
  await lockFor(executor, 'experience', sourceId);
  const known = await tables.selectFrom('experienceSource').select('experienceId').where('sourceId', '=', sourceId).executeTakeFirst();
  if (known) return known.experienceId;

  const { experienceId } = await tables
    .insertInto('experience')
    .values({
      ...toRow({ ...experience, mergeKey: mergeKeyOf(experience), lastSeenAt: createdAt }),
      validTo: experience.validTo == null ? null : new Date(experience.validTo),
      embedding: experience.embedding ? sql`${arrayLiteral(experience.embedding)}::real[]` : null,
    })
    .onConflict((conflict) =>
      conflict.column('mergeKey').doUpdateSet({
        confidence: sql`greatest(experience.confidence, excluded.confidence)`,
        verified: sql`experience.verified or excluded.verified`,
        rootCause: sql`coalesce(experience.root_cause, excluded.root_cause)`,
        evidence: sql`coalesce(experience.evidence, excluded.evidence)`,
        lastSeenAt: sql`greatest(experience.last_seen_at, excluded.last_seen_at)`,
        validTo: sql`greatest(experience.valid_to, excluded.valid_to)`,
        signature: sql`coalesce(experience.signature, excluded.signature)`,
        embedding: sql`coalesce(experience.embedding, excluded.embedding)`,
        embedder: sql`coalesce(experience.embedder, excluded.embedder)`,
        writtenBy: sql`coalesce(experience.written_by, excluded.written_by)`,
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
  if (experienceId === sourceId) await relate(experienceId, contradicts, executor);
  return experienceId;
}

/** A lesson without a fix is told apart by its cause: two causes of one error are two lessons. Code in a fix keeps its white space. */
function mergeKeyOf({ agent, tenant, outcome, situation, errorType, fix, rootCause }: Experience): string {
  return sha256(JSON.stringify([agent, tenant, outcome, situation.replace(/\s+/g, ' ').trim(), errorType, fix, fix === null ? rootCause : null]));
}

interface PersonsChange {
  experienceId: string;
  tenant: string;
  action: 'experience.retired' | 'experience.verified';
  set: { retiredAt: Date } | { verified: true };
}

async function change(database: Executor, { experienceId, tenant, action, set }: PersonsChange, { by, via }: AuditActor): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    const row = await camelCase(transaction)
      .updateTable('experience')
      .set(set)
      .where('experienceId', '=', experienceId)
      .where('tenant', '=', tenant)
      .returning('agent')
      .executeTakeFirst();
    if (!row) return false;
    const key = `${action}/${experienceId}/${Date.now()}`;
    await createAudit(transaction).append({ tenant, key, actor: by, actorVia: via, action, target: experienceId, after: { agent: row.agent } }, transaction);
    return true;
  });
}
