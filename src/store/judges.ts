/** Outputs that people judge blind, and what the evaluators are worth by them. */
import { sql } from 'kysely';
import { camelCase, type Executor } from './database.ts';
import { lockFor } from './lock.ts';
import type { NewRow, Row } from './schema.ts';
import type { AuditActor } from './secret.ts';
import type { Store } from './store.ts';

export type ReviewSampleRow = Row<'reviewSample'>;
export type EvaluatorHealthRow = Row<'evaluatorHealth'>;

export interface SampleDraw {
  tenant: string;
  agent: string;
  /** Outputs that passed, in the week before `until`. */
  count: number;
  /** Outputs that did not pass, as controls. */
  controls: number;
  /** Unix ms: the end of the week. */
  until: number;
}

const WEEK_MS = 7 * 24 * 3_600_000;

/**
 * Draws outputs of the week that were not drawn before, by the hash of their task: at random, and the same when it is done again. Counts those
 * that the week has already. @returns how many are new
 */
export async function drawSamples(database: Executor, { tenant, agent, count, controls, until }: SampleDraw): Promise<number> {
  return database.transaction().execute(async (transaction) => {
    await lockFor(transaction, 'review_sample', `${tenant}/${agent}`);
    const from = new Date(until - WEEK_MS);
    let drawn = 0;
    for (const [highScore, wanted] of [
      [true, count],
      [false, controls],
    ] as const) {
      const { rows } = await sql<{ n: number }>`
        with had as (
          select count(*) as n from review_sample where tenant = ${tenant} and agent = ${agent} and high_score = ${highScore} and sampled_at > ${from} and sampled_at <= ${new Date(until)}
        ), candidate as (
          select md5(task_id || '/' || attempt) as sample_id, task_id, attempt from attempt join task using (task_id)
          where task.tenant = ${tenant} and task.agent = ${agent} and task.experiment_id is null and task.channel = 'live' and task.ended_at > ${from} and task.ended_at <= ${new Date(until)}
            and attempt.output_hash is not null and attempt.score is not null and attempt.passed = ${highScore} and (not ${highScore} or attempt.attempt = task.best_attempt)
            and not exists (select 1 from review_sample where review_sample.task_id = attempt.task_id)
        ), drawn as (
          insert into review_sample (sample_id, tenant, agent, task_id, attempt, high_score, sampled_at)
          select sample_id, ${tenant}, ${agent}, task_id, attempt, ${highScore}, ${new Date(until)} from candidate
          order by sample_id limit greatest(0, ${wanted} - (select n from had))
          on conflict do nothing returning 1
        ) select count(*) as n from drawn`.execute(transaction);
      drawn += rows[0]?.n ?? 0;
    }
    return drawn;
  });
}

/** Oldest first: those that wait for a person, or all. */
export async function listSamples(database: Executor, filter: { tenant: string; agent?: string; pending?: boolean; limit?: number }): Promise<ReviewSampleRow[]> {
  let query = camelCase(database).selectFrom('reviewSample').selectAll().where('tenant', '=', filter.tenant);
  if (filter.agent !== undefined) query = query.where('agent', '=', filter.agent);
  if (filter.pending) query = query.where('reviewedAt', 'is', null);
  return query
    .orderBy('sampledAt')
    .orderBy('sampleId')
    .limit(filter.limit ?? 200)
    .execute();
}

/** What a reviewer is shown: the request and the output, and nothing that an evaluator said. */
export async function readSample(database: Executor, tenant: string, sampleId: string): Promise<(ReviewSampleRow & { input: string | null; output: string | null }) | null> {
  const tables = camelCase(database);
  const row = await tables
    .selectFrom('reviewSample')
    .innerJoin('attempt', (join) => join.onRef('attempt.taskId', '=', 'reviewSample.taskId').onRef('attempt.attempt', '=', 'reviewSample.attempt'))
    .innerJoin('task', 'task.taskId', 'reviewSample.taskId')
    .leftJoin('blob as input', 'input.hash', 'task.inputHash')
    .leftJoin('blob as output', 'output.hash', 'attempt.outputHash')
    .selectAll('reviewSample')
    .select(['input.content as input', 'output.content as output'])
    .where('reviewSample.tenant', '=', tenant)
    .where('sampleId', '=', sampleId)
    .executeTakeFirst();
  return row ?? null;
}

/** The first review stays: another one changes nothing. It is in the audit. @returns the row as it is; null when there is no such sample */
export async function reviewSample(
  { audit, database, transaction: within }: Pick<Store, 'audit' | 'database' | 'transaction'>,
  tenant: string,
  sampleId: string,
  { via, by, ...judged }: { passed: boolean; score: number; comment: string | null } & AuditActor,
): Promise<{ row: ReviewSampleRow; recorded: boolean } | null> {
  const changed = await within(async (transaction) => {
    const row = await camelCase(transaction)
      .updateTable('reviewSample')
      .set({ ...judged, reviewedBy: by, reviewedAt: new Date() })
      .where('tenant', '=', tenant)
      .where('sampleId', '=', sampleId)
      .where('reviewedAt', 'is', null)
      .returningAll()
      .executeTakeFirst();
    if (!row) return null;
    const { passed, score } = judged;
    const what = { taskId: row.taskId, action: 'output.reviewed', target: sampleId, after: { passed, score } };
    await audit.append({ tenant, key: `output.reviewed/${sampleId}`, actor: by, actorVia: via, ...what }, transaction);
    return row;
  });
  if (changed) return { row: changed, recorded: true };
  const row = await camelCase(database).selectFrom('reviewSample').selectAll().where('tenant', '=', tenant).where('sampleId', '=', sampleId).executeTakeFirst();
  return row ? { row, recorded: false } : null;
}

/** Kept once; asked again after a crash, the first answer stays. */
export async function putRepeat(database: Executor, repeat: NewRow<'judgeRepeat'>): Promise<void> {
  await camelCase(database)
    .insertInto('judgeRepeat')
    .values(repeat)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** One evaluator's verdict beside a person's, of one output. */
export interface RatedOutput {
  evaluator: string;
  kind: string;
  evaluatorPassed: boolean;
  evaluatorScore: number;
  personPassed: boolean;
  personScore: number;
}

export async function readRatings(database: Executor, tenant: string, agent: string): Promise<RatedOutput[]> {
  const { rows } = await sql<RatedOutput>`
    select evaluator, kind, verdict.passed as "evaluatorPassed", verdict.score as "evaluatorScore", review_sample.passed as "personPassed", review_sample.score as "personScore"
    from review_sample join verdict using (task_id, attempt)
    where tenant = ${tenant} and agent = ${agent} and reviewed_at is not null and verdict.status = 'judged' and verdict.score is not null
    order by evaluator, sample_id`.execute(database);
  return rows;
}

/** Scores of one output by one judge, asked again and again. */
export async function readRepeats(database: Executor, tenant: string, agent: string): Promise<{ evaluator: string; scores: number[] }[]> {
  const { rows } = await sql<{ evaluator: string; scores: number[] }>`
    select evaluator, array_agg(judge_repeat.score order by repeat) as scores
    from judge_repeat join review_sample using (sample_id)
    where tenant = ${tenant} and agent = ${agent} and judge_repeat.score is not null
    group by evaluator, sample_id having count(*) > 1 order by evaluator, sample_id`.execute(database);
  return rows;
}

/** An evaluator's score and what became of the output, of tasks with a business outcome. */
export async function readOutcomePairs(database: Executor, tenant: string, agent: string): Promise<{ evaluator: string; score: number; value: number }[]> {
  const { rows } = await sql<{ evaluator: string; score: number; value: number }>`
    select evaluator, score, value from score_and_outcome where tenant = ${tenant} and agent = ${agent} order by evaluator, task_id`.execute(database);
  return rows;
}

/** The newest measurement of each evaluator. */
export async function readHealth(database: Executor, tenant: string, agent?: string): Promise<EvaluatorHealthRow[]> {
  let query = camelCase(database).selectFrom('evaluatorHealth').selectAll().distinctOn(['agent', 'evaluator']).where('tenant', '=', tenant);
  if (agent !== undefined) query = query.where('agent', '=', agent);
  return query.orderBy('agent').orderBy('evaluator').orderBy('seq', 'desc').execute();
}

export async function recordHealth(database: Executor, health: NewRow<'evaluatorHealth'>): Promise<void> {
  await camelCase(database).insertInto('evaluatorHealth').values(health).execute();
}

/** Names of evaluators that have no vote. */
export async function quarantinedEvaluators(database: Executor, tenant: string, agent: string): Promise<string[]> {
  return (await readHealth(database, tenant, agent)).filter(({ status }) => status === 'quarantined').map(({ evaluator }) => evaluator);
}

/** A person gives an evaluator its vote back. @returns how it stands now; null when it is not quarantined */
export async function releaseEvaluator(
  { audit, transaction: within }: Pick<Store, 'audit' | 'transaction'>,
  { tenant, agent, evaluator, reason, actor, actorVia }: { tenant: string; agent: string; evaluator: string; reason: string; actor: string; actorVia: string },
): Promise<EvaluatorHealthRow | null> {
  return within(async (transaction) => {
    await lockFor(transaction, 'evaluator_health', `${tenant}/${agent}`);
    const known = (await readHealth(transaction, tenant, agent)).find((row) => row.evaluator === evaluator);
    if (known?.status !== 'quarantined') return null;
    const { seq, at: _at, ...measured } = known;
    await recordHealth(transaction, { ...measured, status: 'active', reason: `Released by ${actor}: ${reason}`, actor });
    const key = `evaluator.released/${tenant}/${agent}/${evaluator}/${seq}`;
    await audit.append({ tenant, key, actor, actorVia, action: 'evaluator.released', target: `${agent}/${evaluator}`, after: { reason } }, transaction);
    return (await readHealth(transaction, tenant, agent)).find((row) => row.evaluator === evaluator) ?? null;
  });
}
