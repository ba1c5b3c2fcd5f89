const MARK = '…';

/** At most `max` UTF-16 units, the mark of the cut included; never ends in half a surrogate pair. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  if (max < 1) return '';
  const end = max - MARK.length;
  const last = text.charCodeAt(end - 1);
  const splitsPair = end > 0 && last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, splitsPair ? end - 1 : end) + MARK;
}

/** The text on one line (runs of white space and control characters become one space), at most `max` UTF-16 units. */
export function oneLine(text: string, max: number): string {
  // A cut before the replacement bounds the work on very long texts.
  return cutText(
    cutText(text, max * 8 + 64)
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim(),
    max,
  );
}
