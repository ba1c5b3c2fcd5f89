import { sql } from 'kysely';
import { lockFor } from './lock.ts';
import type { Executor } from './database.ts';

/** Seen again, an older one may stand for a newer one, so that only what was seen earlier or as late is changed. */
const SAME_SITUATION = sql<boolean>`old.agent = new.agent and old.tenant = new.tenant and old.situation_key = new.situation_key
  and old.experience_id <> new.experience_id and old.superseded_by is null and old.last_seen_at <= new.last_seen_at`;

/**
 * Puts a new experience in relation to those of the same situation. A success supersedes one with another fix for the same error that is worse:
 * not verified where it is, with a lower reward, or by the same person earlier. A failure of a fix contradicts the success that it had been; what
 * a person wrote contradicts what only passed. Contradictions stay beside each other.
 * @param contradicts experiences that the caller knows it contradicts
 */
export async function relate(experienceId: string, contradicts: readonly string[], transaction: Executor): Promise<void> {
  const { rows } = await sql<{ name: string; successes: boolean }>`
    select agent || ' ' || tenant || ' ' || situation_key as name,
      exists (select 1 from experience as old where ${SAME_SITUATION} and old.outcome = 'success') as successes
    from experience as new where experience_id = ${experienceId}`.execute(transaction);
  const [{ name, successes } = { name: '', successes: false }] = rows;
  if (!successes && contradicts.length === 0) return;
  await lockFor(transaction, 'situation', name);
  await sql`
    update experience as old set superseded_by = new.experience_id
    from experience as new
    where new.experience_id = ${experienceId} and ${SAME_SITUATION}
      and old.outcome = 'success' and new.outcome = 'success' and new.superseded_by is null
      and old.error_type is not distinct from new.error_type and old.fix is distinct from new.fix and new.fix is not null
      and (new.verified and not old.verified
        or old.verified = new.verified and old.written_by is not distinct from new.written_by and (new.written_by is not null or new.reward > old.reward))`.execute(transaction);
  await sql`
    update experience as old set contradicted_by = new.experience_id
    from experience as new
    where new.experience_id = ${experienceId} and old.agent = new.agent and old.tenant = new.tenant and old.experience_id <> new.experience_id
      and (old.experience_id = any(${[...contradicts]}::text[])
        or ${SAME_SITUATION} and old.outcome = 'success'
          and (new.outcome = 'failure' and old.fix = new.fix or new.written_by is not null and old.written_by is distinct from new.written_by and old.fix is distinct from new.fix))`.execute(
    transaction,
  );
}

/**
 * Help and harm from facts alone: the k-th ended task that an experience was put before, paired with the k-th that it was left out of at random. Pairs
 * whose first attempts both passed or both failed say nothing. Counted anew each time, so that a retry changes nothing.
 */
export async function creditExperiences(database: Executor, experienceIds: readonly string[]): Promise<void> {
  if (experienceIds.length === 0) return;
  await sql`
    with shown as (
      select item_id, arm, passed, row_number() over (partition by item_id, arm order by ended.ended_at, ended.task_id) as k
      from attempt_context
      join (select task_id, tenant, ended_at from task where ended_at is not null and experiment_id is null) as ended using (task_id)
      join (select task_id, passed from attempt where attempt = 1) as first_attempt using (task_id)
      where attempt_context.attempt = 1 and item_kind = 'experience' and item_id = any(${[...experienceIds]}::text[]) and arm in ('live', 'left_out')
    ), pair as (
      select with_it.item_id, with_it.passed as with_passed, without.passed as without_passed
      from shown as with_it join shown as without on without.item_id = with_it.item_id and without.k = with_it.k and without.arm = 'left_out'
      where with_it.arm = 'live'
    ), counted as (
      select item_id, count(*) filter (where with_passed and not without_passed) as helped, count(*) filter (where without_passed and not with_passed) as harmed
      from pair group by item_id
    )
    update experience set helped = counted.helped, harmed = counted.harmed from counted where experience_id = item_id
      and (experience.helped, experience.harmed) is distinct from (counted.helped::integer, counted.harmed::integer)`.execute(database);
}

/** Kind of the failure that an attempt's gravest verdict names; null: it has none, or is not closed. */
export async function firstSignature(database: Executor, taskId: string, attempt: number): Promise<string | null> {
  const { rows } = await sql<{ signature: string }>`
    select signature from issue where task_id = ${taskId} and attempt = ${attempt} and signature is not null
    order by case severity when 'high' then 0 when 'medium' then 1 else 2 end, evaluator, position limit 1`.execute(database);
  return rows[0]?.signature ?? null;
}
