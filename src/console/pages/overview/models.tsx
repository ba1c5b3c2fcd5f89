import type { Overview } from '../../../contracts/api/overview.ts';
import { Badge } from '../../components/badge.tsx';
import { SafeText } from '../../components/safe-text.tsx';
import { Time } from '../../components/time.tsx';
import { t } from '../../i18n/index.ts';
import { number, percent } from '../../text/numbers.ts';

/** Whether models answer now. */
export function Models({ overview }: { overview: Overview }) {
  const texts = t().overview;
  return (
    <section class="card card-body stack">
      <h2>{texts.models}</h2>
      <p class="muted small">{texts.modelsHint}</p>
      {overview.breakers.length === 0 && <p class="muted">{texts.noModels}</p>}
      <ul class="stack">
        {overview.breakers.map((breaker) => (
          <li key={breaker.model}>
            <p class="row">
              <b>{breaker.model}</b>
              <Badge tone={breaker.open ? 'bad' : breaker.failures > 0 ? 'warn' : 'good'}>
                {breaker.open ? texts.open : breaker.failures > 0 ? texts.someFail : texts.answers}
              </Badge>
              <span class="muted numbers">
                {texts.failuresOf(number(breaker.failures), number(breaker.calls))}
                {breaker.failureRate !== null && breaker.failures > 0 && ` (${percent(breaker.failureRate)})`}
              </span>
            </p>
            {breaker.lastError !== null && (
              <p class="muted small">
                <SafeText text={breaker.lastError} />
                {breaker.lastErrorAt !== null && (
                  <>
                    {' · '}
                    <Time at={breaker.lastErrorAt} relative />
                  </>
                )}
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
