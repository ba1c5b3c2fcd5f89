import type { OutcomeKind } from '../contracts/reasons.ts';
import type { TaskFilter } from '../store/tasks.ts';

/** `running` means: without an outcome yet. */
export function outcomeFilter(outcome: OutcomeKind | 'running' | undefined): Pick<TaskFilter, 'outcome'> {
  if (outcome === undefined) return {};
  return { outcome: outcome === 'running' ? null : outcome };
}
