import { useSignal } from '@preact/signals';
import type { TaskDetail } from '../../../contracts/api/task-detail.ts';
import { Button } from '../../components/button.tsx';
import { t } from '../../i18n/index.ts';
import { may } from '../../state/session.ts';
import { CancelDialog } from './cancel-dialog.tsx';
import { MessageDialog } from './message-dialog.tsx';
import { RestoreDialog } from './restore-dialog.tsx';
import { TuneDialog } from './tune-dialog.tsx';

/** What a person can do with a running task. */
export function Actions({ detail, onChanged }: { detail: TaskDetail; onChanged: () => void }) {
  const texts = t().task;
  const shown = useSignal<'message' | 'tune' | 'restore' | 'cancel' | null>(null);
  if (detail.status === 'closed') return null;
  const close = (): void => {
    shown.value = null;
    onChanged();
  };
  const restorable = detail.view.attempts.some((attempt) => attempt.closed && attempt.output !== null);
  return (
    <div class="row task-actions">
      {may('task.message') && <Button onClick={() => (shown.value = 'message')}>{texts.message}</Button>}
      {may('task.tune') && <Button onClick={() => (shown.value = 'tune')}>{texts.tune}</Button>}
      {restorable && may('task.restore') && <Button onClick={() => (shown.value = 'restore')}>{texts.restore}</Button>}
      {may('task.cancel') && <Button onClick={() => (shown.value = 'cancel')}>{texts.cancel}</Button>}
      {shown.value === 'message' && <MessageDialog taskId={detail.taskId} onClose={close} />}
      {shown.value === 'tune' && <TuneDialog detail={detail} onClose={close} />}
      {shown.value === 'restore' && <RestoreDialog detail={detail} onClose={close} />}
      {shown.value === 'cancel' && <CancelDialog taskId={detail.taskId} onClose={close} />}
    </div>
  );
}
