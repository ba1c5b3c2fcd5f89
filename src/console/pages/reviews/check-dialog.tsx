import { useSignal } from '@preact/signals';
import { post } from '../../api.ts';
import { AgentTaskDialog } from '../../components/agent-task-dialog.tsx';
import { numberIn, NumberInput } from '../../components/number-input.tsx';
import { toast } from '../../components/toasts.tsx';
import { t } from '../../i18n/index.ts';

/** Draws outputs for review and measures the evaluators, now. */
export function CheckDialog({ onClose }: { onClose: () => void }) {
  const texts = t().learning;
  const samples = useSignal('20');
  const given = numberIn(samples.value, 0, 200);
  const start = async (agent: string): Promise<void> => {
    await post('/v1/evaluators/checks', { agent, samples: given });
    toast('good', texts.checkStarted);
  };
  return (
    <AgentTaskDialog title={texts.checkTitle} action={texts.check} hint={texts.checkHint} preferred={null} disabled={given === null} onClose={onClose} onSubmit={start}>
      <NumberInput label={texts.samples} problem={texts.samplesProblem} value={samples.value} fits={given !== null} onInput={(value) => (samples.value = value)} />
    </AgentTaskDialog>
  );
}
