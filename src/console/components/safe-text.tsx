import { t } from '../i18n/index.ts';
import { hasHidden, pieces } from '../text/visible.ts';
import { Notice } from './notice.tsx';

/**
 * Text that we did not write. Characters that would not be seen are shown by name; text that runs from right to left stays readable and
 * turns nothing around it.
 */
export function SafeText({ text, oneLine = false }: { text: string; oneLine?: boolean }) {
  return (
    <bdi class={oneLine ? undefined : 'text'}>
      {pieces(text, { oneLine }).map((piece, index) =>
        piece.hidden ? (
          <span key={index} class="hidden-character" title={t().words.hiddenCharacter}>
            {piece.text}
          </span>
        ) : (
          piece.text
        ),
      )}
    </bdi>
  );
}

/** Says that a value holds characters that would not be seen; nothing when it holds none. */
export function HiddenWarning({ value }: { value: unknown }) {
  return hasHidden(value) ? <Notice tone="warn">{t().words.hiddenWarning}</Notice> : null;
}
