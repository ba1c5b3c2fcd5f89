import { HIDDEN_CHARACTERS } from './hidden-characters.ts';

/**
 * How the loop itself begins what it says in a prompt: `[notice from the system]`, `[summary of 3 earlier messages]`, `<correction>`,
 * `<tool_result …>`, `<experience …>`, `<knowledge …>`. Whoever else writes one is shown as writing about it.
 */
const NOTICES = /\[+(?=noticefromthesystem|summaryof\d+earlier)/g;
const TAGS = /<\/?(?:(toolresult)|correction|experience|knowledge)/g;
/** What may stand for an angle or square bracket, besides what compatibility folding makes one. */
const LOOKALIKES: Record<string, string> = { '\u2039': '<', '\u3008': '<', '\u27e8': '<', '\u300a': '<', '\u3010': '[', '\u3014': '[', '\u301a': '[', '\u27e6': '[' };

const BRACKETS = new RegExp(`[[<\\uff3b\\uff1c\\ufe64\\u2329${Object.keys(LOOKALIKES).join('')}]`, 'u');

/** A text of somebody else, unable to speak as the loop: brackets of imitated markers are written out, however spaced, cased, disguised or hidden. */
export function withoutMarkers(text: string): string {
  const { bones, places } = skeleton(text);
  const changed = new Map<number, string>();
  for (const { 0: brackets, index } of bones.matchAll(NOTICES)) for (let at = 0; at < brackets.length; at += 1) changed.set(places[index + at]!, '(');
  for (const { 0: tag, 1: always, index } of bones.matchAll(TAGS)) {
    const last = places[index + tag.length - 1]!;
    // `if (x<correction.max)` is no tag
    if (always || /^(?:[\s/>\uff1e\u203a\u3009\u27e9]|$)/u.test(text.slice(last + 1, last + 3).replace(HIDDEN_CHARACTERS, ''))) changed.set(places[index]!, '&lt;');
  }
  if (changed.size === 0) return text;
  let result = '';
  let from = 0;
  for (const [place, replacement] of [...changed].toSorted(([one], [two]) => one - two)) {
    result += text.slice(from, place) + replacement;
    from = place + 1;
  }
  return result + text.slice(from);
}

/** The text as a reader takes it, without spaces, hidden characters and what parts words; and where each of its characters stands. */
function skeleton(text: string): { bones: string; places: number[] } {
  let bones = '';
  const places: number[] = [];
  if (!BRACKETS.test(text)) return { bones, places };
  let place = 0;
  for (const character of text) {
    const plain = character < '\u0080' ? plainAscii(character) : plainOf(character);
    for (let at = 0; at < plain.length; at += 1) places.push(place);
    bones += plain;
    place += character.length;
  }
  return { bones, places };
}

function plainAscii(character: string): string {
  return character <= ' ' || character === '_' || character === '-' || character === '\u007f' ? '' : character.toLowerCase();
}

function plainOf(character: string): string {
  return (
    LOOKALIKES[character] ??
    character
      .normalize('NFKC')
      .toLowerCase()
      .replace(HIDDEN_CHARACTERS, '')
      .replace(/[\s_-]/gu, '')
  );
}
