import type { AttemptView } from '../../../../contracts/api/task-detail.ts';
import { SafeText } from '../../../components/safe-text.tsx';
import { t } from '../../../i18n/index.ts';
import { Step } from './step.tsx';
import type { Fold } from './step-row.tsx';

/** What the next attempt was told: to change, to keep, and what the model learned of its failure. */
export function CorrectionRow({ attempt, unfolded, onToggle }: { attempt: AttemptView } & Fold) {
  const texts = t().task;
  const correction = attempt.correction!;
  const { reflection } = correction;
  return (
    <Step
      kind="correction"
      at={attempt.endedAt}
      head={
        <>
          <b>{texts.correction}</b>
          <span class="muted">{texts.toChange(correction.change.length)}</span>
        </>
      }
      fold={{
        unfolded,
        onToggle,
        details: () => (
          <>
            {correction.keep.length > 0 && <List title={texts.keep} items={correction.keep} />}
            {reflection && (
              <dl class="facts small">
                <dt>{texts.errorType}</dt>
                <dd>
                  <SafeText text={reflection.error_type} />
                </dd>
                <dt>{texts.evidence}</dt>
                <dd>
                  <SafeText text={reflection.evidence} />
                </dd>
                <dt>{texts.improvedRule}</dt>
                <dd>
                  <SafeText text={reflection.improved_rule} />
                </dd>
              </dl>
            )}
          </>
        ),
      }}
    >
      <List items={correction.change.map((change) => (change.fix ? `${change.message} → ${change.fix}` : change.message))} />
      {correction.strategy !== null && (
        <p class="step-why">
          {texts.strategy} <SafeText text={correction.strategy} />
        </p>
      )}
      {reflection && (
        <p class="step-why">
          {texts.reflection} <SafeText text={`${reflection.root_cause} → ${reflection.fix_suggestion}`} />
        </p>
      )}
    </Step>
  );
}

function List({ title, items }: { title?: string; items: readonly string[] }) {
  return (
    <div class="step-why">
      {title}
      <ul class="points">
        {items.map((item, index) => (
          <li key={index}>
            <SafeText text={item} />
          </li>
        ))}
      </ul>
    </div>
  );
}
