import type { RuleView } from '../../../contracts/api/learning.ts';
import { path } from '../../api.ts';
import { SafeText } from '../../components/safe-text.tsx';
import { t } from '../../i18n/index.ts';

/** Attempts that a rule was learned from, with what stands word for word in each. */
export function Sources({ rule: { sources } }: { rule: RuleView }) {
  const texts = t().learning;
  return (
    <section class="card card-body stack tight">
      <h2>{texts.sources}</h2>
      {sources.length === 0 && <p class="muted">{texts.noSources}</p>}
      <ul class="stack tight">
        {sources.map(({ taskId, attempt, quote }) => (
          <li key={`${taskId} ${attempt} ${quote}`}>
            <blockquote class="quote">
              <SafeText text={quote} />
            </blockquote>
            <p class="small muted cut">
              {texts.sourceOf(attempt)}{' '}
              <a href={path`/tasks/${taskId}`} data-page class="mono">
                {taskId}
              </a>
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
