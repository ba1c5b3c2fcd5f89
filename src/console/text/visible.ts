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

/** Letters of scripts that run from right to left, with the spaces between their words. */
const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]+(?: +[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]+)*/gu;

/** A text in parts that each run one way: kept apart, words of one direction don't move brackets, numbers and words of the other. */
export function directions(text: string): { text: string; rightToLeft: boolean }[] {
  const found: { text: string; rightToLeft: boolean }[] = [];
  let from = 0;
  for (const { 0: run, index } of text.matchAll(RIGHT_TO_LEFT)) {
    if (index > from) found.push({ text: text.slice(from, index), rightToLeft: false });
    found.push({ text: run, rightToLeft: true });
    from = index + run.length;
  }
  if (from < text.length) found.push({ text: text.slice(from), rightToLeft: false });
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
