import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { newKey, path, post } from '../../api.ts';
import { FormDialog } from '../../components/form-dialog.tsx';
import { FormField } from '../../components/form-field.tsx';
import { toast } from '../../components/toasts.tsx';
import { t } from '../../i18n/index.ts';

/** Tells a running task something. Sent twice it counts once. */
export function MessageDialog({ taskId, onClose }: { taskId: string; onClose: () => void }) {
  const texts = t().task;
  const text = useSignal('');
  const id = useRef(newKey());
  const send = async (): Promise<void> => {
    await post(path`/v1/tasks/${taskId}/messages`, { text: text.value.trim(), id: id.current });
    toast('good', t().task.messageSent);
  };
  return (
    <FormDialog title={texts.messageTitle} action={texts.send} disabled={text.value.trim() === ''} onSubmit={send} onClose={onClose}>
      <FormField label={texts.messageText} hint={texts.messageHint}>
        {(field) => <textarea {...field} class="input" value={text.value} onInput={(event) => (text.value = event.currentTarget.value)} />}
      </FormField>
    </FormDialog>
  );
}
