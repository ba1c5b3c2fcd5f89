import type { Approval, DecisionRecord } from '../contracts/approval.ts';
import type { Executor } from '../store/database.ts';
import type { Services } from './services.ts';
import { recordEvent } from './task-event.ts';

type Place = { taskId: string; attempt: number };

/** Everything that an approval, as it now is, has been through; what was told before is not told again. */
export async function recordApprovalEvents(services: Pick<Services, 'store'>, place: Place, approval: Approval, executor: Executor): Promise<void> {
  const { id, kind, risk, tool, status } = approval;
  const named = { approvalId: id, kind, tool };
  const { summary, expiresAt, onTimeout, approvers } = approval;
  await recordEvent(
    services,
    place,
    'approval_opened',
    `${id}.opened`,
    { ...named, risk, summary, expiresAt, onTimeout, roles: approvers.roles, quorum: approvers.quorum },
    executor,
  );
  for (const [index, vote] of approval.votes.entries())
    await recordEvent(services, place, 'approval_voted', `${id}.voted.${index + 1}`, { ...named, risk, ...decisionDetail(vote) }, executor);
  if (status === 'withdrawn') await recordEvent(services, place, 'approval_withdrawn', `${id}.withdrawn`, named, executor);
  else if (status === 'expired' || approval.decision?.via === 'timeout')
    await recordEvent(services, place, 'approval_expired', `${id}.expired`, { ...named, risk, onTimeout, status }, executor);
  else if (status !== 'pending')
    await recordEvent(services, place, 'approval_decided', `${id}.decided`, { ...named, risk, status, ...(approval.decision ? decisionDetail(approval.decision) : {}) }, executor);
}

function decisionDetail({ decision, by, reason, via, value }: DecisionRecord): Record<string, unknown> {
  return { decision, by, reason, via, ...(decision === 'respond' ? { answer: value } : {}) };
}
