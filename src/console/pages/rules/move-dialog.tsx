import { useSignal } from '@preact/signals';
import type { RuleView } from '../../../contracts/api/learning.ts';
import { path, post } from '../../api.ts';
import { FormDialog } from '../../components/form-dialog.tsx';
import { numberIn, NumberInput } from '../../components/number-input.tsx';
import { ReasonField } from '../../components/reason-field.tsx';
import { SafeText } from '../../components/safe-text.tsx';
import { toast } from '../../components/toasts.tsx';
import { t } from '../../i18n/index.ts';
import { type StepName, TARGETS } from './moves.ts';

interface MoveDialogProps {
  rule: RuleView;
  step: StepName;
  /** That it passed; for a canary alone. */
  experimentId: string | null;
  onClose: () => void;
  onMoved: () => void;
}

/** Asks why, and takes the step. */
export function MoveDialog({ rule, step, experimentId, onClose, onMoved }: MoveDialogProps) {
  const texts = t().learning;
  const reason = useSignal('');
  const share = useSignal('');
  const pairs = useSignal('');
  const watched = step === 'accept' || step === 'force';
  const shareGiven = numberIn(share.value, Number.MIN_VALUE, 0.9, { whole: false });
  const pairsGiven = numberIn(pairs.value, 1, 10_000);
  const [shareFits, pairsFit] = [share.value === '' || shareGiven !== null, pairs.value === '' || pairsGiven !== null];
  const move = async (): Promise<void> => {
    const body = {
      to: TARGETS[step],
      reason: reason.value.trim(),
      ...(step === 'force' && { force: true }),
      ...(step === 'accept' && { experimentId }),
      ...(watched && shareGiven !== null && { share: shareGiven }),
      ...(watched && pairsGiven !== null && { pairs: pairsGiven }),
    };
    const moved = await post<RuleView>(path`/v1/rules/${rule.ruleId}/${rule.version}/moves`, body);
    toast('good', texts.moved(texts.status[moved.status]));
    onMoved();
  };
  return (
    <FormDialog
      title={texts.moves[step]}
      action={texts.moves[step]}
      danger={step === 'reject' || step === 'rollback' || step === 'force'}
      disabled={reason.value.trim() === '' || !shareFits || !pairsFit}
      onClose={onClose}
      onSubmit={move}
    >
      <blockquote class="quote">
        <SafeText text={rule.content} />
      </blockquote>
      <p class="muted">{texts.moveHints[step]}</p>
      {step === 'accept' && experimentId !== null && (
        <p class="small">
          {texts.experiment}: <span class="mono">{experimentId}</span>
        </p>
      )}
      <ReasonField value={reason.value} onInput={(value) => (reason.value = value)} />
      {watched && (
        <div class="field-pair">
          <NumberInput
            label={texts.shareField}
            hint={texts.shareHint}
            problem={texts.shareProblem}
            value={share.value}
            fits={shareFits}
            onInput={(value) => (share.value = value)}
          />
          <NumberInput
            label={texts.pairsField}
            hint={texts.pairsHint}
            problem={texts.pairsProblem}
            value={pairs.value}
            fits={pairsFit}
            onInput={(value) => (pairs.value = value)}
          />
        </div>
      )}
    </FormDialog>
  );
}
