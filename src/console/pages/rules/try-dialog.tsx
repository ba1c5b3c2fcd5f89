import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { RuleView } from '../../../contracts/api/learning.ts';
import { newKey, post } from '../../api.ts';
import { FormDialog } from '../../components/form-dialog.tsx';
import { numberIn, NumberInput } from '../../components/number-input.tsx';
import { toast } from '../../components/toasts.tsx';
import { t } from '../../i18n/index.ts';

/** Starts the experiment that a rule in preview needs. */
export function TryDialog({ rule: { ruleId, version }, onClose, onStarted }: { rule: RuleView; onClose: () => void; onStarted: () => void }) {
  const texts = t().learning;
  const repeats = useSignal('3');
  const key = useRef(newKey());
  const given = numberIn(repeats.value, 1, 20);
  const start = async (): Promise<void> => {
    await post('/v1/experiments', { rule: { ruleId, version }, repeats: given }, { idempotencyKey: key.current });
    toast('good', texts.tried);
    onStarted();
  };
  return (
    <FormDialog title={texts.moves.try} action={texts.moves.try} disabled={given === null} onClose={onClose} onSubmit={start}>
      <p class="muted">{texts.tryHint}</p>
      <NumberInput label={texts.repeats} problem={texts.repeatsProblem} value={repeats.value} fits={given !== null} onInput={(value) => (repeats.value = value)} />
    </FormDialog>
  );
}
