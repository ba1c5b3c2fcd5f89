/** How Python and V8 say that they got no more memory, when the limit is met inside them and not by a kill. */
const MESSAGES = /^MemoryError\b|JavaScript heap out of memory|Array buffer allocation failed|^# Fatal process out of memory/m;

export function saysOutOfMemory(stderr: string): boolean {
  return MESSAGES.test(stderr);
}
