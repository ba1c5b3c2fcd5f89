import type { ComponentChildren } from 'preact';
import type { TaskDetail } from '../../../contracts/api/task-detail.ts';
import { path } from '../../api.ts';
import { Icon } from '../../components/icons.tsx';
import { Live } from '../../components/live.tsx';
import { Money } from '../../components/money.tsx';
import { PhaseBadge } from '../../components/phase-badge.tsx';
import { SafeText } from '../../components/safe-text.tsx';
import { Duration, Time } from '../../components/time.tsx';
import type { StreamState } from '../../events.ts';
import { t } from '../../i18n/index.ts';
import { number } from '../../text/numbers.ts';
import { Actions } from './actions.tsx';

/** What a task is, how it stands, and what can be done with it. */
export function TaskHead({ detail, stream, onChanged }: { detail: TaskDetail; stream: StreamState | null; onChanged: () => void }) {
  const texts = t().task;
  const { usage } = detail.state ?? { usage: null };
  const phase = detail.state?.phase ?? detail.phase;
  const took = detail.endedAt === null ? null : Date.parse(detail.endedAt) - Date.parse(detail.startedAt);
  return (
    <header class="task-header">
      <nav aria-label={texts.path} class="small">
        <a href="/tasks" data-page>
          {t().tasks.title}
        </a>{' '}
        <span class="muted">/</span> <span class="mono muted">{detail.taskId}</span>
      </nav>
      <div class="page-head">
        <h1 class="task-heading">{detail.title === '' ? t().tasks.untitled : <SafeText text={detail.title} oneLine />}</h1>
        <PhaseBadge outcome={detail.outcome} phase={phase} waits={detail.pendingApprovals > 0} />
        {stream !== null && <Live state={stream} />}
      </div>
      <dl class="task-facts">
        <Fact name={texts.agent}>
          <a href={path`/agents/${detail.agent}`} data-page>
            {detail.agent}
          </a>{' '}
          <span class="muted">{detail.agentVersion}</span>
        </Fact>
        <Fact name={texts.score}>{detail.score === null ? bestSoFar(detail) : texts.points(number(detail.score, 1))}</Fact>
        <Fact name={texts.attempts}>
          {number(Math.max(detail.attempts, detail.state?.attempt ?? 0))} <span class="muted">· {texts.turns(Math.max(detail.turns, turnsOf(detail)))}</span>
        </Fact>
        <Fact name={texts.cost}>
          <Money micros={usage?.costMicros ?? detail.costMicros} />
        </Fact>
        <Fact name={texts.tokens}>
          <span class="numbers" title={texts.tokensHint}>
            {number(usage?.inputTokens ?? detail.inputTokens)} + {number(usage?.outputTokens ?? detail.outputTokens)}
          </span>
        </Fact>
        <Fact name={texts.duration}>
          {took === null ? <Duration since={detail.startedAt} /> : <Duration ms={took} />}
          {detail.waitedMs > 0 && (
            <span class="muted">
              {' '}
              {texts.ofWhichWaited} <Duration ms={detail.waitedMs} />
            </span>
          )}
        </Fact>
        <Fact name={texts.started}>
          <Time at={detail.startedAt} /> <span class="muted">{t().words.by(detail.startedBy)}</span>
        </Fact>
        {detail.sessionId !== null && (
          <Fact name={texts.session}>
            <a href={path`/chat/${detail.sessionId}`} data-page>
              {texts.openSession}
            </a>
          </Fact>
        )}
        {detail.temporalUrl !== null && (
          <Fact name="Temporal">
            <a href={detail.temporalUrl} target="_blank" rel="noreferrer noopener" class="row">
              {texts.openInTemporal} <Icon name="open" />
            </a>
          </Fact>
        )}
      </dl>
      {/* Not at the right end of the head: messages appear there, and would cover it. */}
      <Actions detail={detail} onChanged={onChanged} />
    </header>
  );
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function bestSoFar(detail: TaskDetail): string {
  const best = detail.state?.best;
  return best ? t().task.bestSoFar(number(best.score, 1), best.attempt) : '–';
}

function turnsOf(detail: TaskDetail): number {
  return detail.view.attempts.reduce((sum, attempt) => sum + attempt.turnCount, 0);
}
