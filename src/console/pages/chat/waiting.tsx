import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { ApprovalView } from '../../../contracts/api/approvals.ts';
import type { SessionMessageResult } from '../../../contracts/api/sessions.ts';
import { ApiError, newKey, path, post } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { FormField } from '../../components/form-field.tsx';
import { SafeText } from '../../components/safe-text.tsx';
import { Failure } from '../../components/states.tsx';
import { Countdown } from '../../components/time.tsx';
import { t } from '../../i18n/index.ts';
import { whyNotText } from '../../text/why-not.ts';

interface WaitingProps {
  sessionId: string;
  approval: ApprovalView;
  /** The question is among the messages already. */
  said: boolean;
  /** The answer went to this task. */
  onSent: (taskId: string) => void;
}

/** What the task waits for: a question is answered here, everything else in the inbox. */
export function WaitingView({ sessionId, approval, said, onSent }: WaitingProps) {
  const texts = t().chat;
  const answer = useSignal('');
  const key = useRef(newKey());
  const error = useSignal<unknown>(null);
  const send = async (event?: Event): Promise<void> => {
    event?.preventDefault();
    if (answer.peek().trim() === '') return;
    try {
      // As a message: so it is in the conversation, and the session brings it to the question.
      const { taskId } = await post<SessionMessageResult>(path`/v1/sessions/${sessionId}/messages`, { text: answer.peek().trim() }, { idempotencyKey: key.current });
      error.value = null;
      onSent(taskId);
    } catch (problem) {
      error.value = problem;
      if (problem instanceof ApiError && problem.status >= 400 && problem.status < 500) key.current = newKey();
    }
  };
  return (
    <article class="card card-body stack question">
      <p>
        <b>{approval.kind === 'question' ? texts.question : t().task.waitsFor[approval.kind]}</b> <Countdown to={approval.expiresAt} />
      </p>
      {!said && (
        <p>
          <SafeText text={approval.summary} />
        </p>
      )}
      {approval.kind !== 'question' && (
        <a href={path`/inbox/${approval.taskId}/${approval.id}`} data-page>
          {t().task.openInInbox}
        </a>
      )}
      {approval.kind === 'question' && !approval.canDecide && <p class="muted">{whyNotText(approval)}</p>}
      {approval.kind === 'question' && approval.canDecide && (
        <form class="stack" onSubmit={(event) => void send(event)}>
          <FormField label={texts.answer}>
            {(field) => <input {...field} class="input" value={answer.value} onInput={(event) => (answer.value = event.currentTarget.value)} />}
          </FormField>
          <div>
            <Button kind="primary" disabled={answer.value.trim() === ''} onClick={() => send()}>
              {texts.sendAnswer}
            </Button>
          </div>
        </form>
      )}
      {error.value !== null && <Failure error={error.value} />}
    </article>
  );
}
