import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { SessionMessageResult } from '../../../contracts/api/sessions.ts';
import { ApiError, newKey, path, post } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { Failure } from '../../components/states.tsx';
import { t } from '../../i18n/index.ts';

/** Where one writes. Enter sends, Shift+Enter begins a line. The same message sent again after a lost answer counts once. */
export function Composer({ sessionId, running, onSent }: { sessionId: string; running: boolean; onSent: (taskId: string) => void }) {
  const texts = t().chat;
  const text = useSignal('');
  const sending = useSignal(false);
  const error = useSignal<unknown>(null);
  const key = useRef(newKey());
  const send = async (): Promise<void> => {
    if (text.peek().trim() === '' || sending.peek()) return;
    sending.value = true;
    try {
      const { taskId } = await post<SessionMessageResult>(path`/v1/sessions/${sessionId}/messages`, { text: text.peek().trim() }, { idempotencyKey: key.current });
      text.value = '';
      error.value = null;
      key.current = newKey();
      onSent(taskId);
    } catch (problem) {
      error.value = problem;
      if (problem instanceof ApiError && problem.status >= 400 && problem.status < 500) key.current = newKey();
    } finally {
      sending.value = false;
    }
  };
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {error.value !== null && <Failure error={error.value} />}
      <div class="composer-line">
        <textarea
          class="input"
          rows={2}
          dir="auto"
          aria-label={texts.message}
          placeholder={running ? texts.tellMore : texts.message}
          value={text.value}
          onInput={(event) => (text.value = event.currentTarget.value)}
          onKeyDown={(event) => {
            // While characters are being composed (Chinese), Enter takes them.
            if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            void send();
          }}
        />
        <Button kind="primary" busy={sending.value} disabled={text.value.trim() === ''} onClick={send}>
          {texts.send}
        </Button>
      </div>
    </form>
  );
}
