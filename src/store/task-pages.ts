import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely';
import type { OutcomeKind } from '../contracts/reasons.ts';
import { readCursor, writeCursor } from './cursor.ts';
import { camelCase, type Executor } from './database.ts';
import type { TaskRow } from './tasks.ts';

/** A task as lists show it. */
export type ListedTask = Omit<TaskRow, 'snapshot' | 'situation'> & {
  /** Beginning of the input's JSON; null before the task has read it. */
  inputText: string | null;
  pendingApprovals: number;
};

export interface TaskPageFilter {
  tenant: string;
  /** Only what this person started; null: everybody's. */
  startedBy: string | null;
  agent?: string;
  outcome?: OutcomeKind;
  status?: 'running' | 'closed';
  /** In the task id, the input or the answer, whatever the case of the letters. */
  q?: string;
  /** Tasks of this experiment; left out: real work alone. */
  experimentId?: string;
  cursor?: string;
  limit: number;
}

/** Characters of the input that lists look at for a title. */
const TITLE_SOURCE = 2_000;

/** Tasks of a tenant, newest first; without those of experiments, unless one is named. @throws {InvalidCursorError} */
export async function listTaskPage(database: Executor, filter: TaskPageFilter): Promise<{ items: ListedTask[]; next: string | null }> {
  let query = selectListed(database).where('task.tenant', '=', filter.tenant);
  query = filter.experimentId === undefined ? query.where('task.experimentId', 'is', null) : query.where('task.experimentId', '=', filter.experimentId);
  if (filter.startedBy !== null) query = query.where('task.startedBy', '=', filter.startedBy);
  if (filter.agent !== undefined) query = query.where('task.agent', '=', filter.agent);
  if (filter.outcome !== undefined) query = query.where('task.outcome', '=', filter.outcome);
  if (filter.status !== undefined) query = query.where('task.outcome', filter.status === 'running' ? 'is' : 'is not', null);
  if (filter.q !== undefined && filter.q.trim() !== '') query = query.where(contains(filter.q.trim()));
  if (filter.cursor !== undefined) {
    const [at, [taskId]] = readCursor(filter.cursor, 1);
    query = query.where(sql<boolean>`(task.started_at, task.task_id) < (${new Date(at)}, ${String(taskId)})`);
  }
  const rows = await query
    .orderBy('task.startedAt', 'desc')
    .orderBy('task.taskId', 'desc')
    .limit(filter.limit + 1)
    .execute();
  const items = rows.slice(0, filter.limit);
  const last = items.at(-1);
  return { items, next: rows.length > filter.limit && last ? writeCursor(last.startedAt, [last.taskId]) : null };
}

/** One of them, or null when the tenant has no such task. */
export async function getListedTask(database: Executor, tenant: string, taskId: string): Promise<ListedTask | null> {
  const row = await selectListed(database).where('task.tenant', '=', tenant).where('task.taskId', '=', taskId).executeTakeFirst();
  return row ?? null;
}

/** Without what is large and no list shows. */
const COLUMNS = [
  'task.taskId',
  'task.agent',
  'task.agentVersion',
  'task.definitionHash',
  'task.channel',
  'task.tenant',
  'task.approvers',
  'task.sessionId',
  'task.experimentId',
  'task.experiment',
  'task.lastEvent',
  'task.conversationId',
  'task.runId',
  'task.inputHash',
  'task.language',
  'task.intent',
  'task.startedBy',
  'task.phase',
  'task.outcome',
  'task.reason',
  'task.explanation',
  'task.text',
  'task.outputHash',
  'task.score',
  'task.bestAttempt',
  'task.attempts',
  'task.waitedMs',
  'task.askedPerson',
  'task.oscillated',
  'task.failureStage',
  'task.startedAt',
  'task.endedAt',
  'task.updatedAt',
] as const;

function selectListed(database: Executor) {
  return camelCase(database)
    .selectFrom('task')
    .leftJoin('blob', 'blob.hash', 'task.inputHash')
    .select(COLUMNS)
    .select([
      soFar('turns', sql`(select count(*)::int from turn where turn.task_id = task.task_id)`).as('turns'),
      soFar('tool_calls', sql`(select count(*)::int from tool_call where tool_call.task_id = task.task_id and tool_call.status <> 'denied')`).as('toolCalls'),
      soFar('input_tokens', ofModelCalls('input_tokens')).as('inputTokens'),
      soFar('output_tokens', ofModelCalls('output_tokens')).as('outputTokens'),
      soFar('cost_micros', ofModelCalls('cost_micros')).as('costMicros'),
      sql<string | null>`left(blob.content, ${sql.lit(TITLE_SOURCE)})`.as('inputText'),
      sql<number>`(select count(*)::int from approval where approval.task_id = task.task_id and approval.status = 'pending' and task.outcome is null)`.as('pendingApprovals'),
    ]);
}

/** A task's own figure is written when an attempt ends; while it runs, its facts so far say more. */
function soFar(column: string, facts: Expression<unknown>): RawBuilder<number> {
  const own = sql.ref(`task.${column}`);
  return sql<number>`case when task.outcome is null then greatest(${own}, ${facts}) else ${own} end`;
}

function ofModelCalls(column: string): RawBuilder<unknown> {
  return sql`(select coalesce(sum(${sql.ref(`model_call.${column}`)}), 0)::bigint from model_call where model_call.task_id = task.task_id)`;
}

function contains(text: string): Expression<SqlBool> {
  const pattern = `%${text.replaceAll(/[\\%_]/g, (special) => `\\${special}`)}%`;
  return sql<boolean>`(task.task_id ilike ${pattern} or task.text ilike ${pattern} or blob.content ilike ${pattern})`;
}
