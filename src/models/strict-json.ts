export type StrictResult = { ok: true; value: unknown } | { ok: false; reason: 'invalid' | 'duplicate_keys'; message: string };

/**
 * JSON as the standard has it, and no object with one key twice: `JSON.parse` keeps the last, other readers the first, so
 * such a text means two things and is refused.
 */
export function parseStrict(text: string): StrictResult {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { ok: false, reason: 'invalid', message: error instanceof Error ? error.message : String(error) };
  }
  const duplicate = duplicateKey(text);
  if (duplicate === TOO_DEEP) return { ok: false, reason: 'invalid', message: `nested deeper than ${MAX_DEPTH} levels` };
  return duplicate === null ? { ok: true, value } : { ok: false, reason: 'duplicate_keys', message: `the key ${JSON.stringify(duplicate)} is twice in one object` };
}

/** Deeper values parse here and overflow the stack of whoever walks them next. */
const MAX_DEPTH = 500;
const TOO_DEEP = Symbol('too deep');

/** The first key that is twice in one object of a valid JSON text, or null. Not recursive: depth is the text's choice. */
function duplicateKey(text: string): string | typeof TOO_DEEP | null {
  const open: (Set<string> | null)[] = [];
  const token = /"(?:[^"\\]|\\.)*"|[{}[\]]/gs;
  for (let match = token.exec(text); match; match = token.exec(text)) {
    const [piece] = match;
    if (piece === '{') open.push(new Set());
    else if (piece === '[') open.push(null);
    else if (piece === '}' || piece === ']') open.pop();
    if (open.length > MAX_DEPTH) return TOO_DEEP;
    if (piece.startsWith('"') && isKey(text, token.lastIndex)) {
      const keys = open.at(-1)!;
      const key = JSON.parse(piece) as string;
      if (keys.has(key)) return key;
      keys.add(key);
    }
  }
  return null;
}

/** In valid JSON a string before a colon is a key. */
function isKey(text: string, end: number): boolean {
  let index = end;
  while (/\s/.test(text[index] ?? '')) index += 1;
  return text[index] === ':';
}
