import type { Page } from '../../../contracts/api/page.ts';
import type { TaskSummary } from '../../../contracts/api/tasks.ts';

/** The list after its beginning was read again: what was read, and after it what is older and was loaded before. */
export function withNewer(known: readonly TaskSummary[], fresh: Page<TaskSummary>): readonly TaskSummary[] {
  const last = fresh.items.at(-1);
  // The last page holds everything there is.
  if (fresh.next === null || !last) return fresh.items;
  const read = new Set(fresh.items.map((task) => task.taskId));
  const older = known.filter((task) => !read.has(task.taskId) && Date.parse(task.startedAt) <= Date.parse(last.startedAt));
  return [...fresh.items, ...older];
}
