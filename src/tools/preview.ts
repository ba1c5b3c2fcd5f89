/** The beginning of a text, never half of a surrogate pair. `max` in UTF-16 code units. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const last = text.charCodeAt(max - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, Math.max(0, splitsPair ? max - 1 : max));
}

/** A value as one short line for an error message, with its true length when cut. Never throws. */
export function preview(value: unknown, max = 80): string {
  const text = asText(value);
  return text.length <= max ? text : `${cutText(text, max)}… (${text.length} characters)`;
}

function asText(value: unknown): string {
  if (value === undefined) return 'undefined';
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return Object.prototype.toString.call(value);
  }
}
