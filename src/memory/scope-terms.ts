/** Words that tell the tasks of a cluster from the agent's others. */

/** So many tasks must be compared, or a word that they share is chance. */
const MIN_TASKS = 5;
const MIN_OTHERS = 10;
/** Share of the cluster's tasks that have the term, at least; of the others, at most. */
const COMMON = 0.9;
const RARE = 0.05;
const MAX_TERMS = 8;

/**
 * Terms that nearly every task of the cluster has and hardly another one: a rule for the cluster needs to apply to those alone. Empty when there are none,
 * or when too few tasks are known to say so. The most telling first, equal ones in order of their text.
 * @param cluster terms of each task's situation
 */
export function scopeTermsOf(cluster: readonly (readonly string[])[], others: readonly (readonly string[])[]): string[] {
  if (cluster.length < MIN_TASKS || others.length < MIN_OTHERS) return [];
  const [inside, outside] = [shares(cluster), shares(others)];
  const telling = [...inside].filter(([term, share]) => share >= COMMON && (outside.get(term) ?? 0) <= RARE);
  // longer ones say more: of a pair of Han characters and its two single ones the pair
  return telling
    .map(([term, share]) => ({ term, lead: share - (outside.get(term) ?? 0) }))
    .toSorted((left, right) => right.lead - left.lead || right.term.length - left.term.length || (left.term < right.term ? -1 : 1))
    .slice(0, MAX_TERMS)
    .map(({ term }) => term);
}

function shares(tasks: readonly (readonly string[])[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const terms of tasks) for (const term of new Set(terms)) counts.set(term, (counts.get(term) ?? 0) + 1);
  return new Map([...counts].map(([term, count]) => [term, count / tasks.length]));
}
