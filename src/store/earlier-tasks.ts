import { sql } from 'kysely';
import type { Executor } from './database.ts';

/** The task before in a chat session, which had given an answer. */
export interface AnsweredBefore {
  taskId: string;
  bestAttempt: number | null;
  intent: string | null;
  entities: Record<string, unknown>;
  /** Message that began it. */
  text: string;
  /** Somebody said that it was solved, or the business did. */
  solved: boolean;
}

/** The newest task of the session that ended with an answer before this one began, and not longer before than `windowMs`; null: none. */
export async function answeredBefore(database: Executor, taskId: string, windowMs: number): Promise<AnsweredBefore | null> {
  const { rows } = await sql<AnsweredBefore>`
    select earlier.task_id as "taskId", earlier.best_attempt as "bestAttempt", earlier.intent,
      coalesce((
        select detail -> 'entities' from task_event where task_event.task_id = earlier.task_id and type = 'perceived' order by number desc limit 1
      ), '{}'::jsonb) as entities,
      coalesce((
        select chat_message.text from chat_message where chat_message.session_id = earlier.session_id and chat_message.task_id = earlier.task_id and way = 'start' limit 1
      ), '') as text,
      exists (select from feedback where feedback.task_id = earlier.task_id and kind = 'solved')
        or exists (select from business_outcome where business_outcome.task_id = earlier.task_id and value = 1) as solved
    from task join task earlier on earlier.session_id = task.session_id and earlier.tenant = task.tenant and earlier.task_id <> task.task_id
    where task.task_id = ${taskId} and earlier.ended_at <= task.started_at and earlier.ended_at > task.started_at - ${windowMs} * interval '1 ms'
      and earlier.outcome in ('passed', 'best_effort')
    order by earlier.ended_at desc limit 1`.execute(database);
  return rows[0] ?? null;
}
