import type { ApprovalView, DecisionView } from '../../../contracts/api/approvals.ts';
import { DecisionBadge } from '../../components/badge.tsx';
import { SafeText } from '../../components/safe-text.tsx';
import { Time } from '../../components/time.tsx';
import { t } from '../../i18n/index.ts';

/** Who may decide, who has so far, and when others are asked. */
export function WhoDecides({ approval }: { approval: ApprovalView }) {
  const texts = t().inbox;
  const { approvers, votes, remindAt, escalation, needs } = approval;
  const rules = [
    texts.withRole(approvers.roles.join(', ')),
    ...(approvers.people === null ? [] : [texts.onlyPeople(approvers.people.join(', '))]),
    ...(approvers.excludeRequester ? [texts.notRequester] : []),
  ];
  return (
    <dl class="facts">
      <dt>{texts.whoDecides}</dt>
      <dd>
        {approvers.quorum === 2 ? texts.quorumTwo : texts.quorumOne}
        <ul class="small muted">
          {rules.map((rule) => (
            <li key={rule}>
              <SafeText text={rule} oneLine />
            </li>
          ))}
        </ul>
      </dd>
      {(approvers.quorum === 2 || votes.length > 0) && (
        <>
          <dt>{texts.approvalsSoFar}</dt>
          <dd class="stack tight">
            {votes.length === 0 && texts.noVotes}
            {votes.map((vote) => (
              <Decided key={`${vote.by} ${vote.at}`} decision={vote} />
            ))}
            {approval.status === 'pending' && needs > 0 && <strong>{texts.needsMore(needs)}</strong>}
          </dd>
        </>
      )}
      {remindAt !== null && approval.status === 'pending' && (
        <>
          <dt>{texts.reminder}</dt>
          <dd>
            <Time at={remindAt} />
          </dd>
        </>
      )}
      {escalation !== null && approval.status === 'pending' && (
        <>
          <dt>{texts.escalation}</dt>
          <dd>
            <Time at={escalation.at} /> ({texts.escalationTo(escalation.roles.join(', '))})
          </dd>
        </>
      )}
    </dl>
  );
}

/** Who decided what, when, why and how it is proven. */
export function Decided({ decision }: { decision: DecisionView }) {
  const texts = t().inbox;
  return (
    <div class="decided">
      <div class="row">
        <DecisionBadge decision={decision.decision} />
        {decision.via === 'timeout' ? texts.decidedByTime : <SafeText text={t().words.by(decision.by)} oneLine />}
        <Time at={decision.at} />
      </div>
      {decision.reason !== '' && (
        <p>
          <SafeText text={decision.reason} />
        </p>
      )}
      {decision.via !== 'timeout' && (
        <p class="small muted">
          {decision.roles.length > 0 && `${texts.roles}: ${decision.roles.join(', ')} · `}
          {decision.token ? `${texts.signed} ${texts.signedBy(decision.token.keyId)}` : texts.notSigned}
        </p>
      )}
    </div>
  );
}
