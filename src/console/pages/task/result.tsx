import type { TaskDetail } from '../../../contracts/api/task-detail.ts';
import { SafeText } from '../../components/safe-text.tsx';
import { t } from '../../i18n/index.ts';

/** How a task ended, and what its user was told. */
export function Result({ detail }: { detail: TaskDetail }) {
  const texts = t().task;
  return (
    <section class="card result" data-outcome={detail.outcome ?? 'none'} aria-label={texts.result}>
      <p class="muted">
        {detail.reason !== null && <b>{texts.reasons[detail.reason]}. </b>}
        {detail.explanation !== null && <SafeText text={detail.explanation} />}
      </p>
      {detail.text !== null && (
        <div class="result-text" lang={detail.language ?? undefined}>
          <SafeText text={detail.text} />
        </div>
      )}
    </section>
  );
}
