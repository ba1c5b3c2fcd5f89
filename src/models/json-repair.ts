import { jsonrepair } from 'jsonrepair';
import { commentEnd, scanBrackets } from './json-candidates.ts';
import { parseStrict } from './strict-json.ts';

export type RepairResult = { ok: true; value: unknown } | { ok: false; reason: 'incomplete' | 'invalid' | 'duplicate_keys'; message: string };

/** Longer texts are not repaired: it takes time and guesses too much. */
const MAX_REPAIR_CHARS = 500_000;

/**
 * The value that broken JSON was meant to be, where that is plain from the text: quotes, commas, brackets, comments,
 * literals of other languages. A text that breaks off inside a value is `incomplete`: what is missing can't be known.
 */
export function repairJson(text: string): RepairResult {
  if (text.length > MAX_REPAIR_CHARS) return { ok: false, reason: 'invalid', message: `broken JSON of ${text.length} characters is too long to repair` };
  const unescaped = unescapeWhole(text);
  if (unescaped !== null) return unescaped;
  if (breaksOff(text)) return { ok: false, reason: 'incomplete', message: 'the JSON breaks off inside a value' };
  const normal = normalise(text);
  if (normal.nan) return { ok: false, reason: 'invalid', message: 'NaN and Infinity are no JSON values' };
  let repaired: string;
  try {
    repaired = jsonrepair(normal.text);
  } catch (error) {
    return { ok: false, reason: 'invalid', message: error instanceof Error ? error.message : String(error) };
  }
  return parseStrict(repaired);
}

/** `{\"a\": 1,\n …}` with every quote escaped: a JSON string that lost its own quotes. */
function unescapeWhole(text: string): RepairResult | null {
  if (!/^[{[]\s*(?:\\[nrt]\s*)*(?:\\[nrt]|\\")/.test(text)) return null;
  try {
    const inner: unknown = JSON.parse(
      `"${text
        .replaceAll(/(?<!\\)((?:\\\\)*)"/g, '$1\\"')
        .replaceAll('\n', '\\n')
        .replaceAll('\r', '\\r')
        .replaceAll('\t', '\\t')}"`,
    );
    const result = typeof inner === 'string' ? parseStrict(inner) : null;
    return result?.ok || result?.reason === 'duplicate_keys' ? result : null;
  } catch {
    return null;
  }
}

/** True when the end of the text is inside a value or before one: not after a closing bracket or a whole string. */
function breaksOff(text: string): boolean {
  const scan = scanBrackets(text, 0);
  if (scan.closed || /[}\]｝］)]\s*(?:`{3,}\s*)?[;,]?\s*$/.test(text)) return false;
  return scan.inString || !/["'”’`}\]]/.test(scan.lastSignificant) || endsInKey(text);
}

/** `{"a": 1, "b"`: a key whose value never came. */
function endsInKey(text: string): boolean {
  return /[{,]\s*"(?:[^"\\]|\\.)*"\s*$/.test(text) && insideObject(text);
}

function insideObject(text: string): boolean {
  const open: string[] = [];
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]]/gs)) {
    if (token === '{' || token === '[') open.push(token);
    else if (token === '}' || token === ']') open.pop();
  }
  return open.at(-1) === '{';
}

const BRACKETS: Record<string, string> = { '｛': '{', '｝': '}', '［': '[', '］': ']' };
const SEPARATORS: Record<string, string> = { '：': ':', '，': ',', '；': ',', '、': ',' };
const QUOTES: Record<string, string> = { '“': '”', '”': '”', '„': '“', '«': '»', '「': '」', '『': '』' };

/**
 * What jsonrepair would misread: full-width punctuation between values, `#` comments, apostrophes in single-quoted strings, and
 * escapes that JSON has not (it drops their backslash, which turns paths and patterns into others).
 */
function normalise(text: string): { text: string; nan: boolean } {
  let output = '';
  let nan = false;
  let last = '';
  for (let index = 0; index < text.length;) {
    const character = text[index]!;
    const string = stringAt(text, index, last);
    if (string !== null) {
      output += string.text;
      index = string.end;
      last = '"';
      continue;
    }
    const comment = character === '#' ? commentEnd(text, index, last || '{') : null;
    if (comment !== null) {
      index = comment;
      continue;
    }
    if (/[:,[]/.test(last) && /^(?:-?Infinity|NaN|nan)(?![\w$])/.test(text.slice(index, index + 10))) nan = true;
    const plain = BRACKETS[character] ?? (isBetweenValues(text, index, last) ? SEPARATORS[character] : undefined) ?? character;
    output += plain;
    if (!/\s/.test(character)) last = plain;
    index += 1;
  }
  return { text: output, nan };
}

/** Full-width commas are text more often than syntax: only between what can be values are they the latter. */
function isBetweenValues(text: string, index: number, last: string): boolean {
  return /["'\d}\]a-z]/i.test(last) && /^\s*["'“\-\d{[｛［}\]tfnTFN]/.test(text.slice(index + 1, index + 40));
}

/** The string that starts here, as jsonrepair can read it; null where none does or it never ends. */
function stringAt(text: string, index: number, last: string): { text: string; end: number } | null {
  const open = text[index]!;
  if (open === '"') return doubleQuoted(text, index);
  if (last !== '' && !/[{[,:(=+]/.test(last)) return null;
  if (open === "'") return singleQuoted(text, index);
  const close = QUOTES[open];
  const end = close === undefined ? -1 : text.indexOf(close, index + 1);
  if (end === -1) return null;
  // Typographic quotes hold plain ones as text.
  return { text: `"${keepEscapes(text.slice(index + 1, end)).replaceAll(/(?<!\\)"/g, '\\"')}"`, end: end + 1 };
}

function doubleQuoted(text: string, index: number): { text: string; end: number } | null {
  if (text[index - 1] === '\\') return null;
  for (let end = index + 1; end < text.length; end += 1) {
    if (text[end] === '\\') end += 1;
    else if (text[end] === '"') return { text: keepEscapes(text.slice(index, end + 1)), end: end + 1 };
  }
  return null;
}

/** An escape that JSON has not is a backslash and a character. */
function keepEscapes(text: string): string {
  return text.replaceAll(/\\(u[\da-fA-F]{4}|[^])/g, (escape, after: string) => (/^(?:u.{4}|["\\/bfnrt'\n])$/s.test(after) ? escape : `\\${escape}`));
}

function singleQuoted(text: string, index: number): { text: string; end: number } | null {
  let inner = '';
  for (let end = index + 1; end < text.length; end += 1) {
    const character = text[end]!;
    if (character === '\\') {
      inner += text.slice(end, end + 2);
      end += 1;
      continue;
    }
    if (character !== "'") {
      inner += character;
      continue;
    }
    if (/\p{L}/u.test(text[end - 1] ?? '') && /\p{L}/u.test(text[end + 1] ?? '')) {
      inner += "\\'";
      continue;
    }
    return { text: `'${inner}'`, end: end + 1 };
  }
  return null;
}
