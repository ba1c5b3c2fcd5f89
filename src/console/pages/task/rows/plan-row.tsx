import type { PlanView } from '../../../../contracts/api/task-detail.ts';
import { Badge } from '../../../components/badge.tsx';
import { SafeText } from '../../../components/safe-text.tsx';
import { t } from '../../../i18n/index.ts';
import { Step } from './step.tsx';
import type { Fold } from './step-row.tsx';

export function PlanRow({ plan, unfolded, onToggle }: { plan: PlanView } & Fold) {
  const texts = t().task;
  return (
    <Step
      kind="plan"
      at={plan.at}
      head={
        <>
          <b>{texts.plan(plan.version)}</b>
          {!plan.accepted && <Badge tone="warn">{texts.planRefused}</Badge>}
          <span class="mono small cut">{plan.steps.map((step) => step.tool ?? texts.reply).join(' → ')}</span>
        </>
      }
      fold={{
        unfolded,
        onToggle,
        details: () => (
          <>
            <p>
              {texts.goal} <SafeText text={plan.goal} />
            </p>
            <ol class="points">
              {plan.steps.map((step) => (
                <li key={step.id}>
                  <span class="mono">{step.id}</span> <b class="mono">{step.tool ?? texts.reply}</b> <SafeText text={step.why} />
                  {step.dependsOn.length > 0 && <span class="muted"> {texts.after(step.dependsOn.join(', '))}</span>}
                </li>
              ))}
            </ol>
          </>
        ),
      }}
    >
      {plan.because !== null && (
        <p class="step-why">
          <SafeText text={plan.because} />
        </p>
      )}
    </Step>
  );
}
