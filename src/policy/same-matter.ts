/** What somebody wrote about, as it was understood. */
export interface Matter {
  intent: string | null;
  /** By name: order ids and the like. */
  entities: Readonly<Record<string, unknown>>;
  /** Distinct terms of the text. */
  terms: readonly string[];
}

/** Shared terms of all terms, 0..1, from which two texts say the same: where nothing else is known of them, and where their intent is one. */
const SAME_TEXT = 0.5;
const SAME_INTENT_TEXT = 0.2;

/**
 * Whether a later message is about the same matter as an earlier one, so that the answer to that did not help. Another order of the same intent is another matter;
 * another intent about the same order is too.
 */
export function isSameMatter(before: Matter, after: Matter): boolean {
  const named = Object.keys(before.entities).filter((name) => isValue(before.entities[name]) && isValue(after.entities[name]));
  if (named.some((name) => before.entities[name] !== after.entities[name])) return false;
  const alike = overlap(before.terms, after.terms);
  if (before.intent === null || after.intent === null) return alike >= SAME_TEXT;
  return before.intent === after.intent && (named.length > 0 || alike >= SAME_INTENT_TEXT);
}

function isValue(entity: unknown): boolean {
  return entity !== null && entity !== undefined && entity !== '';
}

/** Jaccard's index; 0 of nothing. */
function overlap(one: readonly string[], other: readonly string[]): number {
  const all = new Set([...one, ...other]);
  const known = new Set(one);
  const shared = new Set(other.filter((term) => known.has(term)));
  return all.size === 0 ? 0 : shared.size / all.size;
}
