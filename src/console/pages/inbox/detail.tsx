import type { ApprovalView } from '../../../contracts/api/approvals.ts';
import type { DecisionKind } from '../../../contracts/reasons.ts';
import { path } from '../../api.ts';
import { ApprovalStatusBadge, Badge, RiskBadge } from '../../components/badge.tsx';
import { Icon } from '../../components/icons.tsx';
import { Notice } from '../../components/notice.tsx';
import { SafeText } from '../../components/safe-text.tsx';
import { Countdown, Time } from '../../components/time.tsx';
import { TextOrJson } from '../../components/whole-text.tsx';
import { t } from '../../i18n/index.ts';
import { Actions } from './actions.tsx';
import { Asked } from './asked.tsx';
import { Evidence } from './evidence.tsx';
import { hasRisk } from './row.tsx';
import { Decided, WhoDecides } from './who-decides.tsx';
import { whyNotText } from '../../text/why-not.ts';

/** Everything that a person needs to decide one approval. */
export function Detail({ approval, onDecide }: { approval: ApprovalView; onDecide: (kind: DecisionKind) => unknown }) {
  const texts = t().inbox;
  const pending = approval.status === 'pending';
  return (
    <article class="card approval-detail" aria-labelledby="approval-title" lang={approval.language ?? undefined}>
      <header class="card-body stack tight">
        <div class="row">
          <ApprovalStatusBadge status={approval.status} />
          <Badge>{t().words.approvalKind[approval.kind]}</Badge>
          {hasRisk(approval) && <RiskBadge risk={approval.risk} />}
          {pending && approval.approvers.quorum === 2 && <Badge tone="note">{texts.votesOf(approval.votes.length, 2)}</Badge>}
          {pending && (
            <span class="row push deadline">
              <Icon name="clock" />
              <Countdown to={approval.expiresAt} />
            </span>
          )}
        </div>
        <h2 id="approval-title">
          <SafeText text={approval.summary} code={approval.kind === 'tool_call'} />
        </h2>
        <div class="row small">
          <a href={path`/tasks/${approval.taskId}`} data-page>
            {texts.openTask}
          </a>
          <span class="muted cut">
            <SafeText text={approval.taskId} oneLine /> · <SafeText text={approval.id} oneLine />
          </span>
        </div>
      </header>
      {approval.decision !== null && <Settled approval={approval} />}
      {pending && !approval.canDecide && (
        <div class="card-body">
          <Notice tone="warn">
            <SafeText text={whyNotText(approval)} />
          </Notice>
        </div>
      )}
      <Asked approval={approval} />
      <Evidence approval={approval} />
      <section class="card-body columns">
        <dl class="facts">
          {approval.tool !== null && (
            <>
              <dt>{texts.tool}</dt>
              <dd>
                <code>
                  <SafeText text={approval.tool} oneLine />
                </code>
              </dd>
            </>
          )}
          <dt>{texts.agent}</dt>
          <dd>
            <SafeText text={approval.agent} oneLine />
          </dd>
          <dt>{texts.requestedBy}</dt>
          <dd>
            <SafeText text={approval.startedBy} oneLine />
          </dd>
          <dt>{texts.requested}</dt>
          <dd>
            <Time at={approval.createdAt} />
          </dd>
          <dt>{texts.timeLimit}</dt>
          <dd>
            <Time at={approval.expiresAt} />
          </dd>
          {pending && (
            <>
              <dt>{texts.whenTimeIsUp}</dt>
              <dd>{texts.onTimeout[approval.onTimeout]}</dd>
            </>
          )}
        </dl>
        <WhoDecides approval={approval} />
      </section>
      {pending && approval.canDecide && <Actions approval={approval} onDecide={onDecide} />}
    </article>
  );
}

/** How it ended. */
function Settled({ approval }: { approval: ApprovalView }) {
  const { decision } = approval;
  if (!decision) return null;
  return (
    <section class="card-body settled">
      <Decided decision={decision} />
      {decision.value !== null && <TextOrJson text={decision.value} label={decision.decision === 'respond' ? t().inbox.answer : t().inbox.decidedValue} />}
    </section>
  );
}
