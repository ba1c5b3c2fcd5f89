import type { TaskDetail } from '../../../contracts/api/task-detail.ts';
import type { ApprovalFields } from '../../../contracts/api/approvals.ts';
import { path } from '../../api.ts';
import { RiskBadge } from '../../components/badge.tsx';
import { Notice } from '../../components/notice.tsx';
import { SafeText } from '../../components/safe-text.tsx';
import { Countdown, Duration, Time } from '../../components/time.tsx';
import type { StreamState } from '../../events.ts';
import { t } from '../../i18n/index.ts';
import type { Draft } from './draft.ts';
import { DraftView } from './draft-view.tsx';

/** What a running task does now, or what it waits for. */
export function Now({ detail, draft, stream }: { detail: TaskDetail; draft: Draft | null; stream: StreamState | null }) {
  const texts = t().task;
  const { state } = detail;
  const waits = detail.view.approvals.filter((approval) => approval.status === 'pending');
  return (
    <section class="stack now" aria-label={texts.now}>
      {state?.stale && <Notice tone="warn">{texts.stale}</Notice>}
      {waits.map((approval) => (
        <Wait key={approval.id} taskId={detail.taskId} approval={approval} />
      ))}
      {state?.waitingActivities.map((activity) => (
        <Notice key={activity.activity} tone="warn">
          {texts.activityWaits(activity.activity, activity.attempt)}{' '}
          {activity.nextAttemptAt !== null && (
            <>
              {texts.nextTry} <Time at={activity.nextAttemptAt} relative />
              {' · '}
            </>
          )}
          {activity.lastFailure !== null && <SafeText text={activity.lastFailure} />}
        </Notice>
      ))}
      {state !== null && waits.length === 0 && !state.stale && (
        <p class="now-line" role="status">
          <span class="now-dot" aria-hidden="true" />
          <span>
            <b>{texts.place(state.attempt, state.turn)}</b> <SafeText text={state.detail} oneLine />
          </span>
        </p>
      )}
      {draft !== null && <DraftView draft={draft} stream={stream} />}
    </section>
  );
}

/** What is asked, of whom, and how long there is to answer. */
function Wait({ taskId, approval }: { taskId: string; approval: ApprovalFields }) {
  const texts = t().task;
  const { roles, people, quorum } = approval.approvers;
  return (
    <article class="card wait">
      <div class="grow">
        <h2 class="row">
          {texts.waitsFor[approval.kind]} {approval.kind === 'tool_call' && <RiskBadge risk={approval.risk} />}
        </h2>
        <p>
          <SafeText text={approval.summary} />
        </p>
        <p class="muted small">
          {texts.forWhom} {(people ?? roles).join(', ')}
          {quorum > 1 && ` · ${texts.votes(approval.votes.length, quorum)}`} · {texts.waitsSince} <Duration since={approval.createdAt} /> · <Countdown to={approval.expiresAt} />,{' '}
          {texts.onTimeout[approval.onTimeout]}
        </p>
      </div>
      <a class="button" data-kind="primary" href={path`/inbox/${taskId}/${approval.id}`} data-page>
        {texts.openInInbox}
      </a>
    </article>
  );
}
