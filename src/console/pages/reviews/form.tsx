import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { ApiError, path, post } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { FormField } from '../../components/form-field.tsx';
import { numberIn, NumberInput } from '../../components/number-input.tsx';
import { Failure } from '../../components/states.tsx';
import { toast } from '../../components/toasts.tsx';
import { t } from '../../i18n/index.ts';

export interface ReviewFormProps {
  sampleId: string;
  /** The keyboard goes on here: it is not the first one. */
  focused: boolean;
  /** It is reviewed, by this person or another. */
  onDone: () => void;
  onSkip: () => void;
}

/** A person's own judgement of one output. */
export function ReviewForm({ sampleId, focused, onDone, onSkip }: ReviewFormProps) {
  const texts = t().learning;
  const passed = useSignal<boolean | null>(null);
  const score = useSignal('');
  const comment = useSignal('');
  const error = useSignal<unknown>(null);
  const sending = useSignal(false);
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (focused) first.current?.focus();
  }, []);
  const given = numberIn(score.value, 0, 100, { whole: false });
  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (sending.peek() || passed.peek() === null || given === null) return;
    sending.value = true;
    try {
      await post(path`/v1/reviews/${sampleId}`, { passed: passed.peek(), score: given, comment: comment.peek().trim() || null });
      toast('good', t().learning.reviewed);
      onDone();
    } catch (problem) {
      error.value = problem;
      // Somebody else was first: there is nothing left to say here.
      if (problem instanceof ApiError && problem.code === 'already_reviewed') {
        toast('warn', t().errors.byCode['already_reviewed']);
        onDone();
      }
    } finally {
      sending.value = false;
    }
  };
  return (
    <form class="card card-body stack review-form" noValidate onSubmit={(event) => void send(event)}>
      <fieldset class="field">
        <legend>{texts.wouldPass}</legend>
        <div class="row">
          {[true, false].map((value) => (
            <label key={String(value)} class="check">
              <input ref={value ? first : undefined} type="radio" name="passed" checked={passed.value === value} onChange={() => (passed.value = value)} />
              {value ? t().words.yes : t().words.no}
            </label>
          ))}
        </div>
      </fieldset>
      <NumberInput
        label={texts.score}
        hint={texts.scoreHint}
        problem={texts.scoreProblem}
        value={score.value}
        fits={score.value === '' || given !== null}
        onInput={(value) => (score.value = value)}
      />
      <FormField label={`${texts.comment} (${t().words.optional})`}>
        {(field) => <textarea {...field} class="input" dir="auto" maxLength={8_000} value={comment.value} onInput={(event) => (comment.value = event.currentTarget.value)} />}
      </FormField>
      {error.value !== null && <Failure error={error.value} />}
      <footer class="row">
        <Button type="submit" kind="primary" disabled={passed.value === null || given === null} busy={sending.value}>
          {texts.send}
        </Button>
        <Button onClick={onSkip}>{texts.skip}</Button>
      </footer>
    </form>
  );
}
