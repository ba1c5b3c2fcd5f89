import { sql } from 'kysely';
import type { Risk } from '../contracts/reasons.ts';
import { toApproval, type StoredApproval } from './approvals.ts';
import { readCursor, writeCursor } from './cursor.ts';
import { camelCase, type Executor } from './database.ts';

/** An approval with what a person must know of its task. */
export type ListedApproval = StoredApproval & { agent: string; startedBy: string; language: string | null; definitionHash: string | null; taskClosed: boolean };

export interface ApprovalPageFilter {
  tenant: string;
  /** Only those that name one of the roles (and the person, where they name people), and with `own` those of tasks that the person started; null: all. */
  visibleTo: { subject: string; own: boolean; roles: string[] } | null;
  status: 'pending' | 'decided' | 'all';
  taskId?: string;
  agent?: string;
  risk?: Risk;
  cursor?: string;
  limit: number;
}

/** Pending ones: what expires first comes first. Others: newest first. @throws {InvalidCursorError} */
export async function listApprovalPage(database: Executor, filter: ApprovalPageFilter): Promise<{ items: ListedApproval[]; next: string | null }> {
  const pending = filter.status === 'pending';
  const column = pending ? ('expiresAt' as const) : ('createdAt' as const);
  let query = selectListed(database, filter.tenant);
  if (pending) query = query.where('approval.status', '=', 'pending').where('task.outcome', 'is', null);
  // what was open when its task ended by force is no longer waiting
  if (filter.status === 'decided') query = query.where((where) => where.or([where('approval.status', '!=', 'pending'), where('task.outcome', 'is not', null)]));
  if (filter.taskId !== undefined) query = query.where('approval.taskId', '=', filter.taskId);
  if (filter.agent !== undefined) query = query.where('task.agent', '=', filter.agent);
  if (filter.risk !== undefined) query = query.where('approval.risk', '=', filter.risk);
  if (filter.visibleTo !== null) query = query.where(isVisible(filter.visibleTo));
  if (filter.cursor !== undefined) {
    const [at, [taskId, approvalId]] = readCursor(filter.cursor, 2);
    const place = sql`(${sql.ref(`approval.${column}`)}, approval.task_id, approval.approval_id)`;
    const ended = sql`(${new Date(at)}, ${String(taskId)}, ${String(approvalId)})`;
    query = query.where(pending ? sql<boolean>`${place} > ${ended}` : sql<boolean>`${place} < ${ended}`);
  }
  const direction = pending ? 'asc' : 'desc';
  const rows = await query
    .orderBy(`approval.${column}`, direction)
    .orderBy('approval.taskId', direction)
    .orderBy('approval.approvalId', direction)
    .limit(filter.limit + 1)
    .execute();
  const last = rows.length > filter.limit ? rows[filter.limit - 1] : undefined;
  return { items: rows.slice(0, filter.limit).map(toListed), next: last ? writeCursor(last[column], [last.taskId, last.approvalId]) : null };
}

/** One of them, whoever may see it; null when the tenant has none of these ids. */
export async function getListedApproval(database: Executor, tenant: string, taskId: string, approvalId: string): Promise<ListedApproval | null> {
  const row = await selectListed(database, tenant).where('approval.taskId', '=', taskId).where('approval.approvalId', '=', approvalId).executeTakeFirst();
  return row ? toListed(row) : null;
}

function selectListed(database: Executor, tenant: string) {
  return camelCase(database)
    .selectFrom('approval')
    .innerJoin('task', 'task.taskId', 'approval.taskId')
    .selectAll('approval')
    .select(['task.agent', 'task.startedBy', 'task.language', 'task.definitionHash', 'task.outcome'])
    .where('task.tenant', '=', tenant);
}

function isVisible({ subject, own, roles }: NonNullable<ApprovalPageFilter['visibleTo']>) {
  const held = sql`array[${sql.join(roles)}]::text[]`;
  const named = sql`jsonb_typeof(approval.approvers->'people') is distinct from 'array' or jsonb_exists(approval.approvers->'people', ${subject})`;
  const addressed = sql`(jsonb_exists_any(approval.approvers->'roles', ${held}) or coalesce(jsonb_exists_any(approval.escalation->'roles', ${held}) and (approval.escalation->>'at')::numeric <= ${Date.now()}, false)) and (${named})`;
  return sql<boolean>`((${own} and task.started_by = ${subject}) or (${roles.length === 0 ? sql`false` : addressed}))`;
}

type Selected = Awaited<ReturnType<ReturnType<typeof selectListed>['execute']>>[number];

function toListed(row: Selected): ListedApproval {
  return { ...toApproval(row), agent: row.agent, startedBy: row.startedBy, language: row.language, definitionHash: row.definitionHash, taskClosed: row.outcome !== null };
}
