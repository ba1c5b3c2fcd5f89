import { useSignal } from '@preact/signals';
import type { ApprovalView } from '../../../contracts/api/approvals.ts';
import { path, post } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { FormField } from '../../components/form-field.tsx';
import { SafeText } from '../../components/safe-text.tsx';
import { Failure } from '../../components/states.tsx';
import { Countdown } from '../../components/time.tsx';
import { t } from '../../i18n/index.ts';

/** What the task waits for: a question is answered here, everything else in the inbox. */
export function WaitingView({ approval, onChanged }: { approval: ApprovalView; onChanged: () => void }) {
  const texts = t().chat;
  const answer = useSignal('');
  const error = useSignal<unknown>(null);
  const send = async (event?: Event): Promise<void> => {
    event?.preventDefault();
    if (answer.peek().trim() === '') return;
    try {
      await post(path`/v1/approvals/${approval.taskId}/${approval.id}`, { decision: 'respond', value: answer.peek().trim() });
      error.value = null;
      onChanged();
    } catch (problem) {
      error.value = problem;
    }
  };
  return (
    <article class="card card-body stack question">
      <p>
        <b>{approval.kind === 'question' ? texts.question : t().task.waitsFor[approval.kind]}</b> <Countdown to={approval.expiresAt} />
      </p>
      <p>
        <SafeText text={approval.summary} />
      </p>
      {approval.kind !== 'question' && (
        <a href={path`/inbox/${approval.taskId}/${approval.id}`} data-page>
          {t().task.openInInbox}
        </a>
      )}
      {approval.kind === 'question' && !approval.canDecide && <p class="muted">{approval.whyNot}</p>}
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
