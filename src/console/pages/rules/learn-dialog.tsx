import { useSignal } from '@preact/signals';
import { post } from '../../api.ts';
import { AgentTaskDialog } from '../../components/agent-task-dialog.tsx';
import { numberIn, NumberInput } from '../../components/number-input.tsx';
import { toast } from '../../components/toasts.tsx';
import { t } from '../../i18n/index.ts';

/** Starts a run of learning over the failures of some days. */
export function LearnDialog({ agent, onStarted, onClose }: { agent: string | null; onStarted: () => void; onClose: () => void }) {
  const texts = t().learning;
  const days = useSignal('7');
  const given = numberIn(days.value, 1, 365);
  const start = async (name: string): Promise<void> => {
    await post('/v1/learn', { agent: name, days: given });
    toast('good', texts.learnStarted);
    onStarted();
  };
  return (
    <AgentTaskDialog title={texts.learnTitle} action={texts.learn} hint={texts.learnHint} preferred={agent} disabled={given === null} onClose={onClose} onSubmit={start}>
      <NumberInput label={texts.days} problem={texts.daysProblem} value={days.value} fits={given !== null} onInput={(value) => (days.value = value)} />
    </AgentTaskDialog>
  );
}
