import type { Language } from '../run.ts';

/** A source text taken apart, so that a word in a comment is not mistaken for a call, nor one in code for a path. */
export interface Scanned {
  /** The lines without comments; the inside of plain strings is blank, that of templates is kept because it may hold expressions. */
  code: string[];
  strings: { line: number; text: string }[];
}

interface Opening {
  quote: string;
  template: boolean;
}

/** Good enough for a screen: what it takes wrongly for a string or a comment still meets the sandbox. Linear in the length of the text. */
export function scan(text: string, language: Language): Scanned {
  const code: string[] = [''];
  const strings: Scanned['strings'] = [];
  const write = (part: string) => {
    code[code.length - 1] += part;
  };
  let position = 0;
  let line = 1;
  /** Line ends keep their place, the rest is kept or blanked. */
  const advance = (end: number, keep: boolean) => {
    for (; position < end; position += 1) {
      const character = text[position] ?? '';
      if (character === '\n') {
        line += 1;
        code.push('');
      } else write(keep ? character : ' ');
    }
  };

  while (position < text.length) {
    const comment = commentEnd(text, position, language);
    if (comment !== null) {
      advance(comment, false);
      continue;
    }
    const opening = openingAt(text, position, language);
    if (opening === null) {
      advance(position + 1, true);
      continue;
    }
    advance(position + opening.quote.length, true);
    const end = stringEnd(text, position, opening);
    strings.push({ line, text: text.slice(position, end) });
    advance(end, opening.template);
    advance(Math.min(text.length, position + opening.quote.length), true);
  }
  return { code, strings };
}

function commentEnd(text: string, position: number, language: Language): number | null {
  const lineEnd = () => {
    const end = text.indexOf('\n', position);
    return end < 0 ? text.length : end;
  };
  if (language === 'python') return text[position] === '#' ? lineEnd() : null;
  if (text.startsWith('//', position)) return lineEnd();
  if (!text.startsWith('/*', position)) return null;
  const end = text.indexOf('*/', position + 2);
  return end < 0 ? text.length : end + 2;
}

function openingAt(text: string, position: number, language: Language): Opening | null {
  const character = text[position] ?? '';
  if (language === 'javascript') return `'"\``.includes(character) && character !== '' ? { quote: character, template: character === '`' } : null;
  if (character !== '"' && character !== "'") return null;
  const prefix = /[A-Za-z]{0,2}$/.exec(text.slice(Math.max(0, position - 2), position))?.[0].toLowerCase() ?? '';
  const quote = text.startsWith(character.repeat(3), position) ? character.repeat(3) : character;
  return { quote, template: prefix.includes('f') };
}

/** A string of one line that is not closed ends with its line. */
function stringEnd(text: string, start: number, { quote }: Opening): number {
  const manyLines = quote.length === 3 || quote === '`';
  for (let position = start; position < text.length; position += 1) {
    if (text[position] === '\\') position += 1;
    else if (text.startsWith(quote, position)) return position;
    else if (text[position] === '\n' && !manyLines) return position;
  }
  return text.length;
}
