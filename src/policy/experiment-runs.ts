import type { ExperimentPlan } from '../contracts/learning.ts';
import type { ExperimentPlace } from '../contracts/task-input.ts';

/**
 * The runs of an experiment, in order: case by case, both arms of a repeat side by side and the first of them in turn, so that whatever changes
 * while the experiment runs meets both alike.
 */
export function plannedRuns(experimentId: string, { caseIds, repeats }: Pick<ExperimentPlan, 'caseIds' | 'repeats'>): ExperimentPlace[] {
  return caseIds.flatMap((caseId, index) =>
    Array.from({ length: repeats }, (_, at) => at + 1).flatMap((repeat) => {
      const arms = (index + repeat) % 2 === 0 ? (['base', 'candidate'] as const) : (['candidate', 'base'] as const);
      return arms.map((arm) => ({ experimentId, arm, caseId, repeat }));
    }),
  );
}

/** Id of the task that makes a run. */
export function runTaskId({ experimentId, caseId, arm, repeat }: ExperimentPlace): string {
  return `${experimentId}/${caseId}/${arm}/${repeat}`;
}
