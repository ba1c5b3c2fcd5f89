import type { ApprovalFields, DecisionView } from '../../../../contracts/api/approvals.ts';
import { path } from '../../../api.ts';
import { ApprovalStatusBadge, RiskBadge } from '../../../components/badge.tsx';
import { SafeText } from '../../../components/safe-text.tsx';
import { Time } from '../../../components/time.tsx';
import { t } from '../../../i18n/index.ts';
import { TextOrJson } from '../../../components/whole-text.tsx';
import { Step } from './step.tsx';
import type { Fold } from './step-row.tsx';

/** What a person was asked, and who decided what. */
export function ApprovalRow({ approval, taskId, unfolded, onToggle }: { approval: ApprovalFields; taskId: string } & Fold) {
  const texts = t().task;
  const { decision } = approval;
  return (
    <Step
      kind="person"
      at={approval.createdAt}
      head={
        <>
          <b>{texts.asked[approval.kind]}</b>
          {approval.tool !== null && <span class="mono cut">{approval.tool}</span>}
          {approval.kind === 'tool_call' && <RiskBadge risk={approval.risk} />}
          <ApprovalStatusBadge status={approval.status} />
        </>
      }
      fold={{
        unfolded,
        onToggle,
        details: () => (
          <>
            <TextOrJson text={approval.payload} label={texts.exactly} />
            <p class="muted small">
              <span class="mono">{approval.id}</span> · {texts.until} <Time at={approval.expiresAt} />, {texts.onTimeout[approval.onTimeout]} ·{' '}
              <a href={path`/inbox/${taskId}/${approval.id}`} data-page>
                {texts.openInInbox}
              </a>
            </p>
          </>
        ),
      }}
    >
      <p class="step-why">
        <SafeText text={approval.summary} />
      </p>
      {[...approval.votes.filter((vote) => vote.at !== decision?.at), ...(decision ? [decision] : [])].map((each) => (
        <Decided key={each.at + each.by} decision={each} />
      ))}
    </Step>
  );
}

function Decided({ decision }: { decision: DecisionView }) {
  const texts = t().task;
  return (
    <p class="step-why">
      <b>{t().words.decision[decision.decision]}</b> {decision.via === 'timeout' ? texts.byTimeout : t().words.by(decision.by)}
      {decision.roles.length > 0 && ` (${decision.roles.join(', ')})`}, <Time at={decision.at} />
      {decision.token !== null && <span class="muted small"> · {texts.signed}</span>}
      {decision.reason !== '' && (
        <>
          {': '}
          <SafeText text={decision.reason} />
        </>
      )}
      {decision.value !== null && <TextOrJson text={decision.value} label={texts.value} />}
    </p>
  );
}
