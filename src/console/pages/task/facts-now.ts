import type { TaskDetail, TaskFacts } from '../../../contracts/api/task-detail.ts';

/** The stored facts, and what only the running workflow knows yet: changes and refusals are stored when an attempt closes. */
export function factsNow({ view, state }: Pick<TaskDetail, 'view' | 'state'>): TaskFacts {
  if (state === null) return view;
  return {
    ...view,
    approvals: joined(view.approvals, state.approvals, (approval) => approval.id),
    tuneChanges: joined(view.tuneChanges, state.changes, (change) => `${change.field} ${change.at}`),
    refusals: joined(view.refusals, state.refusals, (refusal) => `${refusal.at} ${refusal.text}`),
  };
}

/** All of both, each once; what the stored ones say counts, but an approval that is pending there may be decided already. */
function joined<Item extends object>(stored: readonly Item[], live: readonly Item[], keyOf: (item: Item) => string): Item[] {
  const newest = new Map(live.map((item) => [keyOf(item), item]));
  const isOpen = (item: Item): boolean => 'status' in item && item.status === 'pending';
  const known = new Set(stored.map(keyOf));
  return [...stored.map((item) => (isOpen(item) ? (newest.get(keyOf(item)) ?? item) : item)), ...live.filter((item) => !known.has(keyOf(item)))];
}
