/**
 * The terms that a text is found by. Chinese has no spaces, so it gives single characters and pairs: every two-character word is found
 * (DESIGN §7: pairs found 100%, word segmentation 86%). Japanese kana and Thai are treated alike.
 */

const MAX_TERMS = 256;
/** Beyond this, nothing is read: a text of megabytes has its 256 terms by then. */
const MAX_TEXT = 20_000;
/** The term index holds no longer ones; nobody searches for them. */
const MAX_TERM = 64;

const WORD = /[\p{L}\p{N}\p{M}]+(?:[-_.][\p{L}\p{N}\p{M}]+)*/gu;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー]+/gu;
/** `getHTTPResponse2` → get, HTTP, Response, 2 */
const PARTS = /\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|\p{N}+/gu;
/** In nearly every English text, so that they would make any two alike. */
const STOP_WORDS = new Set([
  'the',
  'and',
  'for',
  'that',
  'this',
  'with',
  'are',
  'was',
  'of',
  'to',
  'in',
  'is',
  'it',
  'on',
  'an',
  'as',
  'at',
  'be',
  'by',
  'or',
  'you',
  'its',
  'has',
  'have',
  'will',
]);

/** Distinct, NFKC, lower case, at most 256, in order of first appearance. Punctuation, emoji and single letters give none. */
export function termsOf(text: string): string[] {
  const terms = new Set<string>();
  const readable = text
    .slice(0, MAX_TEXT)
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '');
  for (const [word] of readable.matchAll(WORD)) {
    for (const [run] of word.matchAll(UNSPACED)) addUnspaced(terms, run);
    for (const spaced of word.split(UNSPACED)) addWord(terms, spaced.replace(/^[-_.]+|[-_.]+$/g, ''));
    if (terms.size >= MAX_TERMS) break;
  }
  return [...terms].slice(0, MAX_TERMS);
}

function addUnspaced(terms: Set<string>, run: string): void {
  const characters = [...run];
  for (const [index, character] of characters.entries()) {
    terms.add(character);
    const next = characters[index + 1];
    if (next !== undefined) terms.add(character + next);
    if (terms.size >= MAX_TERMS) return;
  }
}

/** The word as it is, and what it is made of: `gen-itgc` is also `gen` and `itgc`, `KeyError` also `key` and `error`. */
function addWord(terms: Set<string>, word: string): void {
  const pieces = word.split(/[-_.]/);
  const parts = pieces.flatMap((piece) => piece.match(PARTS) ?? []);
  for (const term of [word, ...pieces, ...parts]) {
    const lower = term.toLowerCase();
    const length = lower.length;
    if (length >= 2 && length <= MAX_TERM && !STOP_WORDS.has(lower)) terms.add(lower);
  }
}
