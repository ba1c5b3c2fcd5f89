import type { Approval, DecisionRecord } from '../contracts/approval.ts';
import { camelCase, type Executor } from './database.ts';
import { toRow } from './row.ts';
import type { Row } from './schema.ts';

/** An approval and the task it belongs to. */
export type StoredApproval = Approval & { taskId: string };
export type PendingApproval = StoredApproval & { agent: string };
export type Approvals = ReturnType<typeof createApprovals>;

export function createApprovals(database: Executor) {
  return {
    /** Records that a person is asked. Asking again under the same id changes nothing. */
    async open(taskId: string, approval: Approval, executor: Executor = database): Promise<void> {
      const { id, decision: _decision, ...rest } = approval;
      await camelCase(executor)
        .insertInto('approval')
        .values(toRow({ ...rest, taskId, approvalId: id }))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    /** Records how it ended; `decision` is null when it was withdrawn. Only a pending one changes: false when it had ended before. */
    async decide(
      taskId: string,
      approvalId: string,
      status: Exclude<Approval['status'], 'pending'>,
      decision: DecisionRecord | null,
      executor: Executor = database,
    ): Promise<boolean> {
      const change = {
        status,
        decision: decision?.decision ?? null,
        decidedBy: decision?.by ?? null,
        decidedAt: decision?.at ?? new Date(),
        decisionReason: decision?.reason ?? null,
        decisionValue: decision?.value ?? null,
        via: decision?.via ?? null,
        decisionRoles: decision?.roles ?? [],
        decisionToken: decision?.token ?? null,
      };
      const result = await camelCase(executor)
        .updateTable('approval')
        .set(toRow(change))
        .where('taskId', '=', taskId)
        .where('approvalId', '=', approvalId)
        .where('status', '=', 'pending')
        .executeTakeFirst();
      return result.numUpdatedRows === 1n;
    },

    /** Brings a pending one up to its votes, its reminder, and who may decide by now. One that has ended stays as it was. */
    async change(taskId: string, { id, votes, approvers, remindAt, escalation }: Approval, executor: Executor = database): Promise<void> {
      await camelCase(executor)
        .updateTable('approval')
        .set(toRow({ votes, approvers, remindAt, escalation }))
        .where('taskId', '=', taskId)
        .where('approvalId', '=', id)
        .where('status', '=', 'pending')
        .execute();
    },

    async get(taskId: string, approvalId: string, executor: Executor = database): Promise<StoredApproval | null> {
      const row = await camelCase(executor).selectFrom('approval').selectAll().where('taskId', '=', taskId).where('approvalId', '=', approvalId).executeTakeFirst();
      return row ? toApproval(row) : null;
    },

    /** Everything that waits for a person, across tasks that still run; what expires first comes first. */
    async pending(executor: Executor = database): Promise<PendingApproval[]> {
      const rows = await camelCase(executor)
        .selectFrom('approval')
        .innerJoin('task', 'task.taskId', 'approval.taskId')
        .selectAll('approval')
        .select('task.agent')
        .where('approval.status', '=', 'pending')
        .where('task.outcome', 'is', null)
        .orderBy('approval.expiresAt')
        .orderBy('approval.taskId')
        .orderBy('approval.approvalId')
        .execute();
      return rows.map((row) => ({ ...toApproval(row), agent: row.agent }));
    },

    /** In the order they were asked. */
    async listByTask(taskId: string, executor: Executor = database): Promise<StoredApproval[]> {
      const rows = await camelCase(executor).selectFrom('approval').selectAll().where('taskId', '=', taskId).orderBy('createdAt').orderBy('approvalId').execute();
      return rows.map(toApproval);
    },
  };
}

export function toApproval(row: Row<'approval'>): StoredApproval {
  return {
    taskId: row.taskId,
    id: row.approvalId,
    kind: row.kind,
    risk: row.risk,
    summary: row.summary,
    payload: row.payload,
    hash: row.hash,
    tool: row.tool,
    createdAt: row.createdAt.getTime(),
    expiresAt: row.expiresAt.getTime(),
    onTimeout: row.onTimeout,
    status: row.status,
    decision: row.decision && {
      decision: row.decision,
      by: row.decidedBy ?? '',
      at: row.decidedAt?.getTime() ?? 0,
      reason: row.decisionReason ?? '',
      via: row.via ?? 'update',
      value: row.decisionValue,
      roles: row.decisionRoles,
      token: row.decisionToken,
    },
    approvers: row.approvers,
    votes: row.votes,
    remindAt: row.remindAt?.getTime() ?? null,
    escalation: row.escalation,
  };
}
