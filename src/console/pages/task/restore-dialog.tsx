import { useSignal } from '@preact/signals';
import type { TaskDetail } from '../../../contracts/api/task-detail.ts';
import { path, post } from '../../api.ts';
import { FormDialog } from '../../components/form-dialog.tsx';
import { FormField } from '../../components/form-field.tsx';
import { SafeText } from '../../components/safe-text.tsx';
import { toast } from '../../components/toasts.tsx';
import { t } from '../../i18n/index.ts';
import { number } from '../../text/numbers.ts';

/** Makes an earlier attempt's output the current one. */
export function RestoreDialog({ detail, onClose }: { detail: TaskDetail; onClose: () => void }) {
  const texts = t().task;
  const attempts = detail.view.attempts.filter((attempt) => attempt.closed && attempt.output !== null);
  const chosen = useSignal(attempts[0]?.attempt ?? 1);
  const reason = useSignal('');
  const restore = async (): Promise<void> => {
    await post(path`/v1/tasks/${detail.taskId}/restore`, { attempt: chosen.value, reason: reason.value.trim() });
    toast('good', t().task.restored(chosen.value));
  };
  const output = attempts.find((attempt) => attempt.attempt === chosen.value)?.output;
  return (
    <FormDialog title={texts.restoreTitle} action={texts.restore} disabled={reason.value.trim() === ''} onSubmit={restore} onClose={onClose}>
      <p>{texts.restoreHint}</p>
      <FormField label={texts.attempt}>
        {(field) => (
          <select {...field} class="input" value={chosen.value} onChange={(event) => (chosen.value = Number(event.currentTarget.value))}>
            {attempts.map((attempt) => (
              <option key={attempt.attempt} value={attempt.attempt}>
                {texts.attemptWithScore(attempt.attempt, attempt.score === null ? null : number(attempt.score, 1))}
              </option>
            ))}
          </select>
        )}
      </FormField>
      {output && (
        <pre class="code" tabIndex={0} role="region" aria-label={texts.output}>
          <SafeText text={output.text} />
        </pre>
      )}
      <FormField label={texts.reason}>
        {(field) => <textarea {...field} class="input" maxLength={1_000} value={reason.value} onInput={(event) => (reason.value = event.currentTarget.value)} />}
      </FormField>
    </FormDialog>
  );
}
