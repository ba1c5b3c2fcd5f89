import { useSignal } from '@preact/signals';
import type { EvaluatorHealthView } from '../../../contracts/api/reviews.ts';
import { get, path, post } from '../../api.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { FigureTable } from '../../components/figure-table.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { ReasonField } from '../../components/reason-field.tsx';
import { SafeText } from '../../components/safe-text.tsx';
import { Failure } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { toast } from '../../components/toasts.tsx';
import { useLoad } from '../../components/use-load.ts';
import { t } from '../../i18n/index.ts';
import { may } from '../../state/session.ts';
import { number } from '../../text/numbers.ts';

/** What each evaluator was last measured at, and whether it has a vote. */
export function Evaluators() {
  const texts = t().learning;
  const evaluators = useLoad('evaluators', (signal) => get<{ items: EvaluatorHealthView[] }>('/v1/evaluators', { signal }));
  const released = useSignal<EvaluatorHealthView | null>(null);
  if (evaluators.error !== null) return <Failure error={evaluators.error} onRetry={evaluators.reload} />;
  if (evaluators.data === null) return null;
  return (
    <>
      <FigureTable
        title={texts.evaluators}
        hint={texts.evaluatorsHint}
        empty={texts.evaluatorsNone}
        first={texts.evaluator}
        columns={[texts.agent, texts.vote, texts.kappa, texts.deviation, texts.variance, texts.correlation, texts.measured]}
        words={2}
        rows={evaluators.data.items.map((each) => ({
          key: `${each.agent} ${each.evaluator}`,
          name: (
            <div class="sentence">
              <span class="mono">{each.evaluator}</span>
              <br />
              <span class="muted small">
                <SafeText text={each.reason} />
              </span>
            </div>
          ),
          cells: [
            each.agent,
            <Vote evaluator={each} onRelease={() => (released.value = each)} />,
            <Measured value={each.kappa} of={texts.ratings(number(each.ratings))} />,
            figure(each.deviation, 1),
            <Measured value={each.variance} of={texts.repeated(number(each.repeats))} />,
            <Measured value={each.correlation} of={texts.ofTasks(number(each.correlationTasks))} />,
            <Time at={each.at} relative />,
          ],
        }))}
      />
      {released.value !== null && <ReleaseDialog evaluator={released.value} onClose={() => (released.value = null)} onReleased={evaluators.reload} />}
    </>
  );
}

function Vote({ evaluator: { status }, onRelease }: { evaluator: EvaluatorHealthView; onRelease: () => void }) {
  const texts = t().learning;
  return (
    <>
      <Badge tone={status === 'active' ? 'good' : 'bad'}>{texts.votes[status]}</Badge>{' '}
      {status === 'quarantined' && may('rule.review') && (
        <Button size="small" onClick={onRelease}>
          {texts.release}
        </Button>
      )}
    </>
  );
}

function Measured({ value, of }: { value: number | null; of: string }) {
  return (
    <>
      {figure(value, 2)}
      <br />
      <span class="muted small nowrap">{of}</span>
    </>
  );
}

const figure = (value: number | null, digits: number): string => (value === null ? '–' : number(value, digits));

function ReleaseDialog({ evaluator: { agent, evaluator }, onClose, onReleased }: { evaluator: EvaluatorHealthView; onClose: () => void; onReleased: () => void }) {
  const texts = t().learning;
  const reason = useSignal('');
  const release = async (): Promise<void> => {
    await post(path`/v1/evaluators/${agent}/${evaluator}/release`, { reason: reason.value.trim() });
    toast('good', texts.released);
    onReleased();
  };
  return (
    <FormDialog title={texts.releaseTitle(evaluator)} action={texts.release} disabled={reason.value.trim() === ''} onClose={onClose} onSubmit={release}>
      <ReasonField value={reason.value} onInput={(value) => (reason.value = value)} />
    </FormDialog>
  );
}
