import './reviews.css';
import { useSignal } from '@preact/signals';
import { Button } from '../../components/button.tsx';
import { t } from '../../i18n/index.ts';
import { may } from '../../state/session.ts';
import { CheckDialog } from './check-dialog.tsx';
import { Evaluators } from './evaluators.tsx';
import { ReviewQueue } from './queue.tsx';

/** Outputs that people judge without seeing what the evaluators said, and what the evaluators are worth by that. */
export default function ReviewsPage() {
  const texts = t().learning;
  const checking = useSignal(false);
  const reviews = may('rule.review');
  return (
    <>
      <header class="page-head">
        <h1>{texts.reviews}</h1>
        <span class="push" />
        {reviews && <Button onClick={() => (checking.value = true)}>{texts.check}</Button>}
      </header>
      <div class="stack review-sections">
        {reviews && <ReviewQueue />}
        <Evaluators />
      </div>
      {checking.value && <CheckDialog onClose={() => (checking.value = false)} />}
    </>
  );
}
