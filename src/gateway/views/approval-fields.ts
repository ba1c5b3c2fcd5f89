import type { Approval, DecideResult, DecisionRecord } from '../../contracts/approval.ts';
import type { ApprovalFields, DecideResultView, DecisionView } from '../../contracts/api/approvals.ts';
import { rfc3339, rfc3339OrNull } from './time.ts';

function decisionView(decision: DecisionRecord): DecisionView {
  const { token } = decision;
  return { ...decision, at: rfc3339(decision.at), token: token && { ...token, expiresAt: rfc3339(token.expiresAt) } };
}

/** An approval with times as texts. */
export function approvalFields(approval: Approval): ApprovalFields {
  const { id, kind, risk, summary, payload, hash, tool, onTimeout, status, approvers } = approval;
  return {
    id,
    kind,
    risk,
    summary,
    payload,
    hash,
    tool,
    onTimeout,
    status,
    approvers,
    createdAt: rfc3339(approval.createdAt),
    expiresAt: rfc3339(approval.expiresAt),
    remindAt: rfc3339OrNull(approval.remindAt),
    escalation: approval.escalation && { at: rfc3339(approval.escalation.at), roles: approval.escalation.roles },
    decision: approval.decision && decisionView(approval.decision),
    votes: approval.votes.map(decisionView),
  };
}

export function decideResultView(result: DecideResult): DecideResultView {
  const { approvalId, status, decision, needs, repeated } = result;
  return { approvalId, status, decision: decisionView(decision), needs, repeated };
}
