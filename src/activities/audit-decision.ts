import type { AuditDecisionInput, AuditDecisionResult } from '../contracts/activities.ts';
import type { Approval, DecisionRecord } from '../contracts/approval.ts';
import { held } from '../policy/approval-change.ts';
import type { AuditEntry } from '../store/audit.ts';
import type { Services } from './services.ts';

/**
 * The last step before a decision counts: its key must not have been revoked since the task started, and it must be in the audit. A local activity, so
 * it is short; telling it the same decision again changes nothing.
 */
export function createAuditDecision({ store }: Services) {
  return function auditDecision({ taskId, tenant, before, after, record }: AuditDecisionInput): Promise<AuditDecisionResult> {
    return store.transaction(async (transaction) => {
      const kept = held(record);
      if (kept.valueHash !== undefined && record.value !== null) await store.blobs.put(record.value, transaction);
      const key = record.token ? await store.signingKeys.get(record.token.keyId, transaction) : null;
      const revoked = record.token !== null && (key === null || key.revokedAt !== null);
      const decision = { approvalId: before.id, ...kept };
      const entry: AuditEntry = {
        tenant,
        key: `decision/${taskId}/${before.id}/${record.token?.tokenId ?? record.by}/${record.at}`,
        actor: record.by,
        actorVia: record.token ? 'token' : 'unsigned',
        action: revoked ? 'decision.refused' : after.status === 'pending' ? 'approval.voted' : 'approval.decided',
        taskId,
        approvalId: before.id,
        before: stateOf(before),
        after: revoked ? { code: 'revoked_key', decision } : { ...stateOf(after), decision },
        at: record.at,
      };
      await store.audit.append(entry, transaction);
      return { revoked };
    });
  };
}

/** What of an approval a decision is about and can change. */
function stateOf({ status, hash, tool, risk, kind, approvers, votes }: Approval) {
  return { kind, tool, risk, hash, status, approvers, votes: votes.map(voteOf) };
}

function voteOf({ by, at, decision }: DecisionRecord) {
  return { by, at, decision };
}
