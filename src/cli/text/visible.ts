import { HIDDEN_CHARACTERS, withHiddenNamed } from '../../contracts/hidden-characters.ts';

/** One line of text fit for a terminal: what is hidden becomes `⟨U+202E⟩`, a line break `⏎`, a tab a space. */
export function visible(text: string): string {
  return withHiddenNamed(text.replace(/\r\n?|\n/g, '⏎').replaceAll('\t', ' '));
}

/** JSON in which the same characters are `\u` escapes: it parses to the same value. */
export function visibleJson(value: unknown, indent = 0): string {
  const json = JSON.stringify(value, null, indent) ?? 'null';
  // What JSON.stringify itself writes as line breaks is layout; inside strings it escapes them.
  return json.replace(HIDDEN_CHARACTERS, (found) =>
    found === '\n' ? found : Array.from({ length: found.length }, (_, index) => `\\u${found.charCodeAt(index).toString(16).padStart(4, '0')}`).join(''),
  );
}
