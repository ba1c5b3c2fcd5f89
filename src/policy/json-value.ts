/** Reading payloads that anybody may have typed: nothing here throws, whatever the value. */

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An own property, or undefined; null counts as left out. */
export function own(value: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(value, key) ? (value[key] ?? undefined) : undefined;
}

/** Names of properties that are not among `known`. */
export function unknownKeys(value: Record<string, unknown>, known: readonly string[]): string[] {
  return Object.keys(value).filter((key) => !known.includes(key));
}

const MAX_DEPTH = 64;

/**
 * JSON text with keys in order, so that equal values have equal text; null when the value is no JSON, is nested more than
 * 64 deep, or has more than `maxChars` characters.
 */
export function canonicalText(value: unknown, maxChars: number): string | null {
  let size = 0;
  const write = (current: unknown, depth: number): string | null => {
    const leaf = leafText(current, maxChars);
    if (leaf !== undefined) {
      size += leaf?.length ?? 0;
      return size > maxChars ? null : leaf;
    }
    size += 2;
    if (depth >= MAX_DEPTH || size > maxChars) return null;
    const isList = Array.isArray(current);
    const entries: [string, unknown][] = isList
      ? Array.from(current, (item, index) => [String(index), item])
      : Object.entries(current as object).toSorted(([a], [b]) => (a < b ? -1 : 1));
    const parts: string[] = [];
    for (const [key, item] of entries) {
      const text = write(item, depth + 1);
      if (text === null) return null;
      size += key.length + 1;
      parts.push(isList ? text : `${JSON.stringify(key)}:${text}`);
    }
    return isList ? `[${parts.join(',')}]` : `{${parts.join(',')}}`;
  };
  return write(value, 0);
}

/** Text of a scalar; null for what is no JSON; undefined for lists and objects. */
function leafText(value: unknown, maxChars: number): string | null | undefined {
  switch (typeof value) {
    case 'string':
      return value.length > maxChars ? null : JSON.stringify(value);
    case 'number':
      return Number.isFinite(value) ? JSON.stringify(value) : null;
    case 'boolean':
      return String(value);
    case 'object':
      return value === null ? 'null' : undefined;
    default:
      return null;
  }
}
