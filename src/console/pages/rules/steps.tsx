import type { RuleDetail } from '../../../contracts/api/learning.ts';
import { SafeText } from '../../components/safe-text.tsx';
import { Time } from '../../components/time.tsx';
import { TextOrJson } from '../../components/whole-text.tsx';
import { t } from '../../i18n/index.ts';
import { actorName, StatusBadge } from './badges.tsx';

/** How it got where it stands: who, why, when, and by which experiment. Newest first. */
export function Steps({ steps }: { steps: RuleDetail['steps'] }) {
  const texts = t().learning;
  return (
    <section class="card card-body stack tight">
      <h2>{texts.steps}</h2>
      <ol class="rule-steps">
        {steps.toReversed().map((step, index) => (
          <li key={`${step.at} ${index}`}>
            <p class="row">
              {step.from === null ? <span class="muted">{texts.proposedStep}</span> : <StatusBadge status={step.from} />}
              <span aria-hidden="true">→</span>
              <StatusBadge status={step.to} />
              <span class="muted small">{texts.version(step.version)}</span>
            </p>
            <p>
              <SafeText text={step.reason} />
            </p>
            <p class="muted small">
              <SafeText text={t().words.by(actorName(step.actor))} oneLine /> · <Time at={step.at} />
              {step.experimentId !== null && (
                <>
                  {' · '}
                  {texts.byExperiment} <span class="mono">{step.experimentId}</span>
                </>
              )}
            </p>
            {step.detail !== null && (
              <details class="small">
                <summary>{texts.figures}</summary>
                <TextOrJson text={JSON.stringify(step.detail)} label={texts.figures} />
              </details>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
