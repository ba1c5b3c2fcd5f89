import type { AttemptView } from '../../../../contracts/api/task-detail.ts';
import { Badge } from '../../../components/badge.tsx';
import { Icon } from '../../../components/icons.tsx';
import { Money } from '../../../components/money.tsx';
import { Duration } from '../../../components/time.tsx';
import { t } from '../../../i18n/index.ts';
import { number } from '../../../text/numbers.ts';

/** The head of an attempt: how it went, in one line. */
export function AttemptRow({ attempt, open, best, onFold }: { attempt: AttemptView; open: boolean; best: boolean; onFold: () => void }) {
  const texts = t().task;
  const { closed, passed, score, startedAt, endedAt } = attempt;
  return (
    <div class="attempt-row">
      <button type="button" class="attempt-head" aria-expanded={open} onClick={onFold}>
        <span class="step-chevron" aria-hidden="true">
          <Icon name="chevron" />
        </span>
        <h3>{texts.attemptNumber(attempt.attempt)}</h3>
        {closed ? <Badge tone={passed ? 'good' : 'warn'}>{passed ? texts.passed : texts.notPassed}</Badge> : <Badge tone="accent">{t().words.running}</Badge>}
        {score !== null && <b class="numbers">{texts.points(number(score, 1))}</b>}
        {best && <Badge tone="note">{texts.best}</Badge>}
      </button>
      <p class="muted small">
        {texts.turns(attempt.turnCount)} · {texts.toolCalls(attempt.toolCallCount)} · {texts.tokenCount(number(attempt.inputTokens + attempt.outputTokens))} ·{' '}
        <Money micros={attempt.costMicros} />
        {startedAt !== null && (
          <>
            {' · '}
            {endedAt === null ? <Duration since={startedAt} /> : <Duration ms={Date.parse(endedAt) - Date.parse(startedAt)} />}
          </>
        )}
        {attempt.model !== null && ` · ${attempt.model}`}
        {attempt.parameters !== null && ` · ${texts.temperature(number(attempt.parameters.temperature, 2))}`}
        {attempt.stopReason !== null && ` · ${texts.reasons[attempt.stopReason]}`}
      </p>
    </div>
  );
}
