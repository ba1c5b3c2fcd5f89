/** Whether what came out is what was expected. How they are compared follows from the expectation alone. */

/** Relative to the larger of the two, and absolute near zero. */
const TOLERANCE = 1e-9;

/** Numbers with a tolerance, all else by structure: the order of an object's keys makes no difference. */
export function equalValues(expected: unknown, actual: unknown): boolean {
  if (typeof expected === 'number' && typeof actual === 'number') return closeTo(expected, actual);
  if (Array.isArray(expected)) {
    return Array.isArray(actual) && actual.length === expected.length && expected.every((item, index) => equalValues(item, actual[index]));
  }
  if (isObject(expected)) {
    if (!isObject(actual)) return false;
    const names = Object.keys(expected);
    return Object.keys(actual).length === names.length && names.every((name) => Object.hasOwn(actual, name) && equalValues(expected[name], actual[name]));
  }
  return expected === actual;
}

/**
 * Whether a program printed what was expected. A text: the same text, white space at both ends aside. A number: the whole text is that number.
 * Any other JSON: the text is JSON of the same structure.
 */
export function matchesOutput(expected: unknown, printed: string): boolean {
  const text = printed.trim();
  if (typeof expected === 'string') return expected.trim().replaceAll('\r\n', '\n') === text.replaceAll('\r\n', '\n');
  if (typeof expected === 'number') return text !== '' && closeTo(expected, Number(text));
  const value = parsed(text);
  return value !== undefined && equalValues(expected, value);
}

function closeTo(expected: number, actual: number): boolean {
  // infinity is close to nothing: its own tolerance would be infinite
  return expected === actual || (Number.isFinite(actual) && Math.abs(expected - actual) <= TOLERANCE * Math.max(1, Math.abs(expected), Math.abs(actual)));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
