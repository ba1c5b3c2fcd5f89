/**
 * What a terminal must never be given as it came: control characters (they move the cursor, hide text, set titles), bidirectional
 * controls (they make "A001" read as something else) and characters that show nothing. A joiner or one variation selector inside an
 * emoji stays.
 */
const HIDDEN =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\ufff9-\ufffb]|(?!\u200d|[\ufe00-\ufe0f])\p{Default_Ignorable_Code_Point}|(?<=[\ufe00-\ufe0f])[\ufe00-\ufe0f]|(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d/gu;

/** One line of text fit for a terminal: what is hidden becomes `⟨U+202E⟩`, a line break `⏎`, a tab a space. */
export function visible(text: string): string {
  return text
    .replace(/\r\n?|\n/g, '⏎')
    .replaceAll('\t', ' ')
    .replace(HIDDEN, (found) => `⟨U+${codeOf(found)}⟩`);
}

/** JSON in which the same characters are `\u` escapes: it parses to the same value. */
export function visibleJson(value: unknown, indent = 0): string {
  const json = JSON.stringify(value, null, indent) ?? 'null';
  // What JSON.stringify itself writes as line breaks is layout; inside strings it escapes them.
  return json.replace(HIDDEN, (found) =>
    found === '\n' ? found : Array.from({ length: found.length }, (_, index) => `\\u${found.charCodeAt(index).toString(16).padStart(4, '0')}`).join(''),
  );
}

function codeOf(character: string): string {
  return character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
}
