import { useSignal } from '@preact/signals';
import { path, post } from '../../api.ts';
import { FormDialog } from '../../components/form-dialog.tsx';
import { FormField } from '../../components/form-field.tsx';
import { t } from '../../i18n/index.ts';

export function CancelDialog({ taskId, onClose }: { taskId: string; onClose: () => void }) {
  const texts = t().task;
  const reason = useSignal('');
  return (
    <FormDialog
      title={texts.cancelTitle}
      action={texts.cancel}
      danger
      disabled={reason.value.trim() === ''}
      onSubmit={() => post(path`/v1/tasks/${taskId}/cancel`, { reason: reason.value.trim() })}
      onClose={onClose}
    >
      <p>{texts.cancelHint}</p>
      <FormField label={texts.reason}>
        {(field) => <textarea {...field} class="input" maxLength={1_000} value={reason.value} onInput={(event) => (reason.value = event.currentTarget.value)} />}
      </FormField>
    </FormDialog>
  );
}
