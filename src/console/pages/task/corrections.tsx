import { useSignal } from '@preact/signals';
import type { AttemptView, TaskDetail } from '../../../contracts/api/task-detail.ts';
import { Diff } from '../../components/diff.tsx';
import { Empty, Failure, Skeleton } from '../../components/states.tsx';
import { useLoad } from '../../components/use-load.ts';
import { t } from '../../i18n/index.ts';
import { number } from '../../text/numbers.ts';
import { CorrectionRow } from './rows/correction-row.tsx';
import { textForDiff, wholeText } from './whole-text.ts';

/** What each attempt changed in the output of the one before. */
export function Corrections({ detail }: { detail: TaskDetail }) {
  const texts = t().task;
  const attempts = detail.view.attempts.filter((attempt) => attempt.output !== null);
  const pairs = attempts.slice(1).map((attempt, index) => ({ before: attempts[index]!, after: attempt }));
  if (pairs.length === 0) {
    return (
      <Empty title={texts.noCorrections}>
        <p>{texts.noCorrectionsHint}</p>
      </Empty>
    );
  }
  return (
    <div class="stack">
      {pairs.map(({ before, after }) => (
        <Pair key={after.attempt} taskId={detail.taskId} before={before} after={after} />
      ))}
    </div>
  );
}

function Pair({ taskId, before, after }: { taskId: string; before: AttemptView; after: AttemptView }) {
  const texts = t().task;
  const unfolded = useSignal(false);
  const key = `${taskId} ${before.output!.hash ?? before.output!.text} ${after.output!.hash ?? after.output!.text}`;
  const both = useLoad(key, async (signal) => {
    const [left, right] = await Promise.all([wholeText(taskId, before.output!, signal), wholeText(taskId, after.output!, signal)]);
    return { left: textForDiff(left), right: textForDiff(right) };
  });
  const label = texts.fromTo(before.attempt, after.attempt);
  const score = (attempt: AttemptView): string => (attempt.score === null ? '–' : number(attempt.score, 1));
  return (
    <section class="card pair" aria-label={label}>
      <header class="row">
        <h3>{label}</h3>
        <span class="muted numbers">
          {score(before)} → {texts.points(score(after))}
        </span>
      </header>
      {before.correction && <CorrectionRow attempt={before} unfolded={unfolded.value} onToggle={() => (unfolded.value = !unfolded.peek())} />}
      {both.error !== null && <Failure error={both.error} onRetry={both.reload} />}
      {both.data === null && both.error === null && <Skeleton lines={3} />}
      {both.data &&
        (both.data.left === both.data.right ? <p class="muted card-body">{texts.sameOutput}</p> : <Diff before={both.data.left} after={both.data.right} label={label} />)}
    </section>
  );
}
