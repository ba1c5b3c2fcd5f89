import type { CutText } from '../../../contracts/api/page.ts';
import { WholeText } from '../../components/whole-text.tsx';
import { t } from '../../i18n/index.ts';
import { number } from '../../text/numbers.ts';

/** A text with its name and length; the whole of a long one on demand. */
export function LabelledText({ taskId, text, label }: { taskId: string; text: CutText; label: string }) {
  return (
    <section class="labelled-text" aria-label={label}>
      <h4 class="row small">
        {label} <span class="muted">{t().task.characters(number(text.characters))}</span>
      </h4>
      <WholeText taskId={taskId} text={text} label={label} />
    </section>
  );
}
