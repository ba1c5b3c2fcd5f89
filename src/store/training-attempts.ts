import { sql } from 'kysely';
import type { Executor } from './database.ts';

/** An attempt that ended, with what people and the business made of its task. */
export interface TrainingAttempt {
  taskId: string;
  attempt: number;
  passed: boolean;
  /** It is the output that the task ended with. */
  isBest: boolean;
  outputHash: string | null;
  definitionHash: string | null;
  inputHash: string | null;
  /** A person, or the business, found it good. */
  confirmed: boolean;
  /** Somebody, or the business, found it bad. */
  contradicted: boolean;
}

/**
 * Attempts of ended tasks of an agent, oldest first. Left out: tasks of experiments. Confirmed by feedback (solved, a rating of 4 or 5), a business
 * outcome of 0.5 or more, an approved output, a human evaluator that passed it, or a person who took it at the end. Contradicted by feedback (not
 * solved, wrong answer, correction, a rating of 1 or 2, asked again, reopened, edited) or a business outcome below 0.5.
 */
export async function listTrainingAttempts(database: Executor, { tenant, agent, since }: { tenant: string; agent: string; since: Date }): Promise<TrainingAttempt[]> {
  const { rows } = await sql<Record<string, never>>`
    select a.task_id, a.attempt, a.passed, a.output_hash, t.definition_hash, t.input_hash, a.attempt = t.best_attempt as is_best,
      coalesce(f.good, false) or coalesce(b.good, false) or t.reason = 'accepted_by_person'
        or exists (select 1 from approval p where p.task_id = a.task_id and p.kind = 'output' and p.status = 'approved' and p.hash = a.output_hash)
        or exists (select 1 from verdict v where v.task_id = a.task_id and v.attempt = a.attempt and v.kind = 'human' and v.status = 'judged' and v.passed) as confirmed,
      coalesce(f.bad, false) or coalesce(b.bad, false) as contradicted
    from attempt a
    join task t using (task_id)
    left join lateral (
      select bool_or(kind = 'solved' or (kind = 'rating' and value >= 4)) as good,
        bool_or(kind in ('not_solved', 'wrong_answer', 'correction', 'asked_again', 'reopened', 'edited_output') or (kind = 'rating' and value <= 2)) as bad
      from feedback where task_id = a.task_id and (attempt is null or attempt = a.attempt)
    ) f on true
    left join lateral (select bool_or(value >= 0.5) as good, bool_or(value < 0.5) as bad from business_outcome where task_id = a.task_id) b on true
    where t.tenant = ${tenant} and t.agent = ${agent} and t.experiment_id is null and t.outcome is not null and t.started_at >= ${since}
    order by t.started_at, a.task_id, a.attempt`.execute(database);
  return (rows as Record<string, unknown>[]).map((row) => ({
    taskId: String(row['task_id']),
    attempt: Number(row['attempt']),
    passed: row['passed'] === true,
    isBest: row['is_best'] === true,
    outputHash: row['output_hash'] as string | null,
    definitionHash: row['definition_hash'] as string | null,
    inputHash: row['input_hash'] as string | null,
    confirmed: row['confirmed'] === true,
    contradicted: row['contradicted'] === true,
  }));
}

/** Where the conversation stood when an attempt answered, and the answer: its last draft. Null: it never answered. */
export async function draftOf(
  database: Executor,
  taskId: string,
  attempt: number,
): Promise<{ conversationId: string; sequence: number; headHash: string; content: string } | null> {
  const { rows } = await sql<{ conversation_id: string; sequence: number; hash: string; content: string }>`
    select h.conversation_id, h.sequence, h.hash, m.content
    from turn
    join conversation_node h on h.hash = turn.head_hash
    join conversation_node n on n.parent_hash = h.hash and n.conversation_id = h.conversation_id
    join message_body m on m.hash = n.body_hash and m.label = 'draft' and m.content is not null
    where turn.task_id = ${taskId} and turn.attempt = ${attempt} and turn.decision_type = 'answer'
    order by turn.turn desc, n.created_at desc limit 1`.execute(database);
  const [row] = rows;
  return row ? { conversationId: row.conversation_id, sequence: row.sequence, headHash: row.hash, content: row.content } : null;
}
