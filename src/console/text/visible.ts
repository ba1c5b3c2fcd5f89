/** Texts of models, tools and users, made fit to be read by whoever decides about them. */
import { codePointName, HIDDEN_CHARACTERS } from '../../contracts/hidden-characters.ts';

export interface Piece {
  text: string;
  /** Stands for a character that would not be seen: its name, `U+202E`. */
  hidden: boolean;
}

/** Line breaks and tabs are layout and stay; `oneLine` shows them too. */
export function pieces(text: string, { oneLine = false } = {}): Piece[] {
  const found: Piece[] = [];
  let from = 0;
  for (const { 0: character, index } of text.matchAll(HIDDEN_CHARACTERS)) {
    if (!oneLine && (character === '\n' || character === '\t' || (character === '\r' && text[index + 1] === '\n'))) continue;
    if (index > from) found.push({ text: text.slice(from, index), hidden: false });
    found.push({ text: codePointName(character), hidden: true });
    from = index + character.length;
  }
  if (from < text.length) found.push({ text: text.slice(from), hidden: false });
  return found;
}

/** Whether anything in a JSON value, names of fields included, would not be seen. Line breaks and tabs are no trick. */
export function hasHidden(value: unknown): boolean {
  if (typeof value === 'string') return pieces(value).some((piece) => piece.hidden);
  if (Array.isArray(value)) return value.some(hasHidden);
  if (typeof value === 'object' && value !== null) return Object.entries(value).some(([name, inner]) => hasHidden(name) || hasHidden(inner));
  return false;
}

/** One line for places that take plain text alone (titles, labels): `⟨U+202E⟩`. */
export function plain(text: string): string {
  return pieces(text, { oneLine: true })
    .map((piece) => (piece.hidden ? `⟨${piece.text}⟩` : piece.text))
    .join('');
}

/** Indented JSON in which hidden characters are `\\u` escapes: it can be edited, and parses to the same value. */
export function visibleJson(value: unknown): string {
  const json = JSON.stringify(value ?? null, null, 2);
  // A line break that is left is layout: inside texts it is escaped already.
  return json.replace(HIDDEN_CHARACTERS, (found) =>
    found === '\n' ? found : Array.from({ length: found.length }, (_, index) => `\\u${found.charCodeAt(index).toString(16).padStart(4, '0')}`).join(''),
  );
}
