import { t } from '../i18n/index.ts';
import { directions, hasHidden, type Piece, pieces } from '../text/visible.ts';
import { Notice } from './notice.tsx';

interface SafeTextProps {
  text: string;
  /** Line breaks and tabs are shown as what they are. */
  oneLine?: boolean;
  /** What a program reads: everything stands in the order that the program reads it, and only words of scripts that run from right to left do so. */
  code?: boolean;
}

/**
 * Text that we did not write. Characters that would not be seen are shown by name; text that runs from right to left stays readable and
 * turns nothing around it.
 */
export function SafeText({ text, oneLine = false, code = false }: SafeTextProps) {
  return (
    <bdi class={oneLine ? undefined : 'text'} dir={code ? 'ltr' : undefined}>
      {pieces(text, { oneLine }).map((piece, index) => (piece.hidden ? <Hidden key={index} piece={piece} /> : code ? <CodeText key={index} text={piece.text} /> : piece.text))}
    </bdi>
  );
}

function Hidden({ piece }: { piece: Piece }) {
  return (
    <span class="hidden-character" title={t().words.hiddenCharacter}>
      {piece.text}
    </span>
  );
}

function CodeText({ text }: { text: string }) {
  return <>{directions(text).map((part, index) => (part.rightToLeft ? <bdi key={index}>{part.text}</bdi> : part.text))}</>;
}

/** Says that a value holds characters that would not be seen; nothing when it holds none. */
export function HiddenWarning({ value }: { value: unknown }) {
  return hasHidden(value) ? <Notice tone="warn">{t().words.hiddenWarning}</Notice> : null;
}
