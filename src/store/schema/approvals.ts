/** Questions to people and their answers. */
import type { ColumnType } from 'kysely';
import type { Approval, DecisionRecord } from '../../contracts/approval.ts';
import type { ApprovalKind, DecisionKind, Risk } from '../../contracts/reasons.ts';
import type { Time, OptionalTime } from './columns.ts';

export const APPROVAL_STATUSES = ['pending', 'approved', 'rejected', 'edited', 'responded', 'expired', 'withdrawn'] as const satisfies readonly Approval['status'][];

export interface ApprovalTable {
  taskId: string;
  approvalId: string;
  kind: ApprovalKind;
  risk: Risk;
  summary: string;
  payload: string;
  hash: string | null;
  tool: string | null;
  status: Approval['status'];
  onTimeout: Approval['onTimeout'];
  createdAt: Time;
  expiresAt: Time;
  decidedAt: OptionalTime;
  decidedBy: string | null;
  decision: DecisionKind | null;
  decisionReason: string | null;
  decisionValue: string | null;
  via: 'update' | 'signal' | 'timeout' | null;
  approvers: Approval['approvers'];
  votes: Approval['votes'];
  remindAt: OptionalTime;
  escalation: Approval['escalation'];
  decisionRoles: ColumnType<string[], string[] | undefined, string[]>;
  decisionToken: DecisionRecord['token'];
}
