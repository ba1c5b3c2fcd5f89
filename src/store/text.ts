import { createHash } from 'node:crypto';

/**
 * Postgres stores neither NUL nor lone surrogates: both become U+FFFD. Applied to every parameter of every query (`database.ts`),
 * and before anything is hashed, so that a hash always names the text that was stored.
 */
export function cleanText(text: string): string {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed();
  return wellFormed.includes('\0') ? wellFormed.replaceAll('\0', '\uFFFD') : wellFormed;
}

/** The same for every string and key inside a value that becomes JSON. `undefined` is left out, as JSON does. */
export function cleanJson(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (Array.isArray(value)) return value.map(cleanJson);
  if (value === null || typeof value !== 'object') return value;
  if ('toJSON' in value && typeof value.toJSON === 'function') return cleanJson(value.toJSON());
  // `fromEntries` defines own properties, so a key named `__proto__` stays data
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [cleanText(key), cleanJson(inner)]));
}

/** sha256, hex, of the UTF-8 bytes. */
export function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
