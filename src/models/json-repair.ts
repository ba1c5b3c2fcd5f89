import { jsonrepair } from 'jsonrepair';
import { scanBrackets } from './json-candidates.ts';
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
  try { repaired = jsonrepair(normal.text); } catch (error) { return { ok: false, reason: 'invalid', message: error instanceof Error ? error.message : String(error) }; }
  return parseStrict(repaired);
}

/** `{\"a\": 1,\n …}` with every quote escaped: a JSON string that lost its own quotes. */
function unescapeWhole(text: string): RepairResult | null {
  if (!/^[{[]\s*(?:\\[nrt]\s*)*(?:\\[nrt]|\\")/.test(text)) return null;
  try {
    const inner: unknown = JSON.parse(`"${text.replaceAll(/(?<!\\)((?:\\\\)*)"/g, '$1\\"').replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')}"`);
    const result = typeof inner === 'string' ? parseStrict(inner) : null;
    return result?.ok || result?.reason === 'duplicate_keys' ? result : null;
  } catch { return null; }
}

/** True when the end of the text is inside a value or before one: not after a closing bracket or a whole string. */
function breaksOff(text: string): boolean {
  const scan = scanBrackets(text, 0);
  if (scan.closed || /[}\]｝］)]\s*(?:`{3,}\s*)?[;,]?\s*$/.test(text)) return false;
  return scan.inString || !/["'”’`{[}\]]/.test(scan.lastSignificant) || endsInKey(text);
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

const FULL_WIDTH: Record<string, string> = { '｛': '{', '｝': '}', '［': '[', '］': ']', '：': ':', '，': ',', '；': ',', '、': ',' };
const QUOTES: Record<string, string> = { '"': '"', '“': '”', '”': '”', '„': '“', '«': '»', '「': '」', '『': '』' };

/** Outside strings: full-width punctuation becomes JSON's, comments of `#` go. Inside single-quoted ones an apostrophe between letters is text. */
function normalise(text: string): { text: string; nan: boolean } {
  let output = '';
  let nan = false;
  let last = '';
  for (let index = 0; index < text.length; ) {
    const character = text[index]!;
    const string = stringAt(text, index, last);
    if (string !== null) { output += string.text; index = string.end; last = '"'; continue; }
    const word = /^(?:-?Infinity|NaN|nan)(?![\w$])/.exec(text.slice(index, index + 10));
    if (word && /[:,[：，［]/.test(last)) nan = true;
    if (character === '#' && (last === '' || /[\s,{[}\]]/.test(text[index - 1] ?? ' '))) {
      const end = text.indexOf('\n', index);
      index = end === -1 ? text.length : end;
      continue;
    }
    output += FULL_WIDTH[character] ?? character;
    if (!/\s/.test(character)) last = character;
    index += 1;
  }
  return { text: output, nan };
}

/** The string that starts here, as jsonrepair can read it; null where none does or it never ends. */
function stringAt(text: string, index: number, last: string): { text: string; end: number } | null {
  const open = text[index]!;
  const atStart = last === '' || /[{[,:(=+｛［，：；]/.test(last);
  if (open === "'" && atStart) return singleQuoted(text, index);
  const close = QUOTES[open];
  if (close === undefined) return null;
  for (let end = index + 1; end < text.length; end += 1) {
    if (text[end] === '\\') end += 1;
    else if (text[end] === close) {
      const inner = text.slice(index + 1, end);
      // Typographic quotes hold plain ones as text.
      return { text: open === '"' ? text.slice(index, end + 1) : `"${inner.replaceAll(/(?<!\\)"/g, '\\"')}"`, end: end + 1 };
    }
  }
  return null;
}

function singleQuoted(text: string, index: number): { text: string; end: number } | null {
  let inner = '';
  for (let end = index + 1; end < text.length; end += 1) {
    const character = text[end]!;
    if (character === '\\') { inner += text.slice(end, end + 2); end += 1; continue; }
    if (character !== "'") { inner += character; continue; }
    if (/\p{L}/u.test(text[end - 1] ?? '') && /\p{L}/u.test(text[end + 1] ?? '')) { inner += "\\'"; continue; }
    return { text: `'${inner}'`, end: end + 1 };
  }
  return null;
}
