import { parseStrict } from './strict-json.ts';

/** The object or array that a text holds as JSON, encoded once or more; null when it holds none. */
export function unwrapText(text: string): object | null {
  let current = text;
  for (let depth = 0; depth < 4; depth += 1) {
    const result = parseStrict(current);
    if (!result.ok) return null;
    if (typeof result.value === 'object') return result.value;
    if (typeof result.value !== 'string') return null;
    current = result.value;
  }
  return null;
}
