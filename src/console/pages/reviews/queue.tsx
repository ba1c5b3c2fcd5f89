import { useSignal } from '@preact/signals';
import type { ReviewView } from '../../../contracts/api/reviews.ts';
import { get, path, withQuery } from '../../api.ts';
import { Empty, Failure, Skeleton } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useLoad } from '../../components/use-load.ts';
import { TextOrJson } from '../../components/whole-text.tsx';
import { t } from '../../i18n/index.ts';
import { ReviewForm, type ReviewFormProps } from './form.tsx';

type Waiting = Omit<ReviewView, 'input' | 'output'>;

/** One output at a time. What was skipped comes again when nothing else is left. */
export function ReviewQueue() {
  const texts = t().learning;
  const list = useLoad('reviews', (signal) => get<{ items: Waiting[] }>(withQuery('/v1/reviews', { limit: 200 }), { signal }));
  const done = useSignal<ReadonlySet<string>>(new Set());
  const skipped = useSignal<readonly string[]>([]);
  const waiting = list.data?.items.filter(({ sampleId }) => !done.value.has(sampleId)) ?? null;
  const next = waiting?.toSorted((left, right) => skipped.value.indexOf(left.sampleId) - skipped.value.indexOf(right.sampleId))[0];
  const reviewed = (sampleId: string): void => {
    done.value = new Set([...done.peek(), sampleId]);
    // more may wait than were listed
    if (waiting?.length === 1) list.reload();
  };
  return (
    <section class="stack tight">
      <p class="muted small">{texts.reviewsHint}</p>
      {list.error !== null && <Failure error={list.error} onRetry={list.reload} />}
      {waiting === null && list.error === null && <Skeleton />}
      {waiting?.length === 0 && (
        <Empty title={texts.reviewNone}>
          <p>{texts.reviewNoneHint}</p>
        </Empty>
      )}
      {next !== undefined && (
        <>
          <p class="row">
            <b>{texts.waiting(waiting!.length)}</b>
            <span class="muted small">
              {next.agent} · {texts.drawn} <Time at={next.sampledAt} />
            </span>
          </p>
          <Sample
            key={next.sampleId}
            sampleId={next.sampleId}
            focused={done.value.size > 0 || skipped.value.length > 0}
            onDone={() => reviewed(next.sampleId)}
            onSkip={() => (skipped.value = [...skipped.peek().filter((id) => id !== next.sampleId), next.sampleId])}
          />
        </>
      )}
    </section>
  );
}

function Sample({ sampleId, ...form }: ReviewFormProps) {
  const texts = t().learning;
  const sample = useLoad(sampleId, (signal) => get<ReviewView>(path`/v1/reviews/${sampleId}`, { signal }));
  if (sample.error !== null) return <Failure error={sample.error} onRetry={sample.reload} />;
  if (sample.data === null) return <Skeleton />;
  const { input, output } = sample.data;
  return (
    <div class="review">
      <div class="stack">
        <section class="stack tight">
          <h2>{texts.request}</h2>
          {input === null ? <p class="muted">{texts.gone}</p> : <TextOrJson text={input} label={texts.request} />}
        </section>
        <section class="stack tight">
          <h2>{texts.output}</h2>
          {output === null ? <p class="muted">{texts.gone}</p> : <TextOrJson text={output} label={texts.output} />}
        </section>
      </div>
      <ReviewForm sampleId={sampleId} {...form} />
    </div>
  );
}
