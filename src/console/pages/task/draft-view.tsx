import { Badge } from '../../components/badge.tsx';
import { Notice } from '../../components/notice.tsx';
import { SafeText } from '../../components/safe-text.tsx';
import type { StreamState } from '../../events.ts';
import { t } from '../../i18n/index.ts';
import { type Draft, readableDraft } from './draft.ts';

/** What a model is writing, marked as what it is: not judged, and not whole until the loop says so. */
export function DraftView({ draft, stream }: { draft: Draft; stream: StreamState | null }) {
  const texts = t().task;
  const { text, why } = readableDraft(draft.text);
  const interrupted = draft.broken || draft.gap || stream === 'reconnecting' || stream === 'failed';
  return (
    <article class="card draft" data-interrupted={interrupted}>
      <header class="row">
        <Badge tone={interrupted ? 'warn' : 'accent'}>{interrupted ? texts.draftInterrupted : texts.draft}</Badge>
        {!interrupted && <span class="muted small">{texts.draftHint}</span>}
        {draft.try > 1 && <span class="muted small">{texts.tryNumber(draft.try)}</span>}
      </header>
      {why !== null && (
        <p class="muted">
          <SafeText text={why} />
        </p>
      )}
      <div class="draft-text">
        <SafeText text={text} />
        {!interrupted && <span class="caret" aria-hidden="true" />}
      </div>
      {interrupted && <Notice tone="warn">{texts.draftBroken}</Notice>}
    </article>
  );
}
