import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { TaskDetail } from '../../../contracts/api/task-detail.ts';
import type { FeedbackBody, FeedbackView } from '../../../contracts/api/tasks.ts';
import { newKey, path, post } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { FormField } from '../../components/form-field.tsx';
import { SafeText } from '../../components/safe-text.tsx';
import { Failure } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { toast } from '../../components/toasts.tsx';
import { t } from '../../i18n/index.ts';

/** What people say of a task afterwards. */
export function Feedback({ detail, onChanged }: { detail: TaskDetail; onChanged: () => void }) {
  const texts = t().task;
  const text = useSignal('');
  const error = useSignal<unknown>(null);
  const key = useRef(newKey());
  const send = async (body: FeedbackBody): Promise<void> => {
    try {
      await post(path`/v1/tasks/${detail.taskId}/feedback`, body, { idempotencyKey: key.current });
      // The next one is another; the same one sent again after an error would have counted once.
      key.current = newKey();
      error.value = null;
      if (body.text) text.value = '';
      toast('good', t().task.feedbackThanks);
      onChanged();
    } catch (problem) {
      error.value = problem;
    }
  };
  return (
    <section class="card card-body stack" aria-label={texts.feedback}>
      <h2>{texts.feedback}</h2>
      <div class="row">
        <span>{texts.wasSolved}</span>
        <Button onClick={() => send({ kind: 'solved' })}>{texts.solved}</Button>
        <Button onClick={() => send({ kind: 'not_solved' })}>{texts.notSolved}</Button>
        <span class="push" />
        <span id="rating">{texts.rating}</span>
        <div class="segments" role="group" aria-labelledby="rating">
          {[1, 2, 3, 4, 5].map((value) => (
            <button key={value} type="button" aria-label={texts.ratingOf(value)} onClick={() => void send({ kind: 'rating', value })}>
              {value}
            </button>
          ))}
        </div>
      </div>
      <FormField label={texts.correctionText} hint={texts.correctionHint}>
        {(field) => <textarea {...field} class="input" maxLength={4_000} value={text.value} onInput={(event) => (text.value = event.currentTarget.value)} />}
      </FormField>
      <div class="row">
        <Button disabled={text.value.trim() === ''} onClick={() => send({ kind: 'correction', text: text.value.trim() })}>
          {texts.sendCorrection}
        </Button>
        <Button disabled={text.value.trim() === ''} onClick={() => send({ kind: 'wrong_answer', text: text.value.trim() })}>
          {texts.sendWrongAnswer}
        </Button>
        <Button disabled={text.value.trim() === ''} onClick={() => send({ kind: 'comment', text: text.value.trim() })}>
          {texts.sendComment}
        </Button>
      </div>
      {error.value !== null && <Failure error={error.value} />}
      {detail.view.feedback.length > 0 && (
        <ul class="points">
          {detail.view.feedback.map((each) => (
            <li key={each.feedbackId}>
              <b>{said(each)}</b> {each.text !== null && <SafeText text={each.text} />}{' '}
              <span class="muted small">
                {t().words.by(each.by)}, <Time at={each.at} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function said({ kind, value }: FeedbackView): string {
  const texts = t().task;
  if (kind === 'solved') return texts.solved;
  if (kind === 'not_solved') return texts.notSolved;
  if (kind === 'rating') return texts.ratingOf(value ?? 0);
  return texts.feedbackKinds[kind] ?? kind;
}
