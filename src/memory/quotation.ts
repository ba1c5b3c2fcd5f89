/** Texts of earlier tasks, made safe to stand in a prompt: one line, no tags, no way out of the quotation marks. */

/** `&` stays as it is: code is full of it, and it opens no tag. */
const ESCAPES: Record<string, string> = { '\n': '\\n', '\t': '\\t', '"': '\\"', '\\': '\\\\' };
/** Characters that are read as the angle brackets of a tag. */
const LEFT = /[<＜﹤‹〈⟨]/u;
const RIGHT = /[>＞﹥›〉⟩]/u;
/** Controls, and marks that hide or reorder what is read; joiners inside emoji go too. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}]/u;

/** In quotation marks, at most `max` characters with them; what does not fit ends in an ellipsis. Line breaks and quotation marks are escaped as in JSON. */
export function quoted(text: string, max: number): string {
  const pieces = [
    ...text
      .toWellFormed()
      .replace(/\r\n?|[\u2028\u2029\u0085]/gu, '\n')
      .trim(),
  ].map(escaped);
  const room = max - 2;
  if (pieces.join('').length <= room) return `"${pieces.join('')}"`;
  let length = 1;
  const end = pieces.findIndex((piece) => (length += piece.length) > room);
  return `"${pieces.slice(0, end).join('')}…"`;
}

function escaped(character: string): string {
  if (LEFT.test(character)) return '&lt;';
  if (RIGHT.test(character)) return '&gt;';
  return ESCAPES[character] ?? (UNSEEN.test(character) ? '' : character);
}
