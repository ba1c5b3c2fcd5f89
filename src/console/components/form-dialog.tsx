import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { t } from '../i18n/index.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Failure } from './states.tsx';

interface FormDialogProps {
  title: string;
  /** Of the button that does it. */
  action: string;
  danger?: boolean;
  /** This is a step on the way: it stays open. */
  keepOpen?: boolean;
  disabled?: boolean;
  /** Closes the dialog when it succeeds; what it throws is shown. */
  onSubmit: () => Promise<unknown>;
  onClose: () => void;
  /** Shown instead of an error that a field shows itself. */
  showError?: (error: unknown) => boolean;
  children: ComponentChildren;
}

/** Asks for something, does it, and says what went wrong. */
export function FormDialog({ title, action, danger = false, keepOpen = false, disabled = false, onSubmit, onClose, showError = () => true, children }: FormDialogProps) {
  const running = useSignal(false);
  const error = useSignal<unknown>(null);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (running.peek() || disabled) return;
    running.value = true;
    error.value = null;
    try {
      await onSubmit();
      if (!keepOpen) onClose();
    } catch (problem) {
      error.value = problem;
    } finally {
      running.value = false;
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="stack" noValidate onSubmit={(event) => void submit(event)}>
        {children}
        {error.value !== null && showError(error.value) && <Failure error={error.value} />}
        <footer>
          <Button onClick={onClose}>{t().words.cancel}</Button>
          <Button type="submit" kind={danger ? 'danger' : 'primary'} disabled={disabled} busy={running.value}>
            {action}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
