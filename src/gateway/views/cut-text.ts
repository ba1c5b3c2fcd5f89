import type { CutText } from '../../contracts/api/page.ts';

/** Characters of a text in a detail; the whole of it is read by its hash. */
const SHOWN_CHARS = 4_000;

/** @param characters of the whole, when `text` may be only its beginning */
export function cut(text: string | null | undefined, hash: string | null, { characters = text?.length ?? 0, shown = SHOWN_CHARS } = {}): CutText | null {
  if (text === null || text === undefined) return null;
  const isCut = characters > shown;
  return { text: isCut ? text.slice(0, shown).toWellFormed() : text, characters, cut: isCut, hash };
}
