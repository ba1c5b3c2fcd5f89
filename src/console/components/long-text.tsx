import { t } from '../i18n/index.ts';
import { chunksOf } from '../text/chunks.ts';
import { SafeText } from './safe-text.tsx';
import { VirtualList } from './virtual-list.tsx';

/** Above so many characters only what is seen of a text is put into the page. */
export const LONG_CHARS = 20_000;

/** A text of any length, in pieces of which only those in sight are in the page. */
export function LongText({ text, label }: { text: string; label: string }) {
  const chunks = chunksOf(text);
  const save = (): void => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
    link.download = `${label}.txt`;
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return (
    <div class="long-text">
      <VirtualList
        class="code long-text-lines"
        label={label}
        count={chunks.length}
        estimate={(index) => 20 * Math.ceil(chunks[index]!.length / 90)}
        render={(index) => <SafeText text={chunks[index]!} />}
      />
      <button type="button" class="button" data-kind="plain" data-size="small" onClick={save}>
        {t().task.download}
      </button>
    </div>
  );
}
