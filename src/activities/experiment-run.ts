import { ApplicationFailure } from '@temporalio/common';
import type { RecordRunInput, RecordRunResult } from '../contracts/experiment-activities.ts';
import type { ExperimentPlan, ExperimentRun } from '../contracts/learning.ts';
import { FAILURE } from '../contracts/names.ts';
import type { Reason } from '../contracts/reasons.ts';
import { cutText } from '../policy/text.ts';
import { camelCase } from '../store/database.ts';
import { planOf as storedPlan } from '../store/learned.ts';
import type { TaskRow } from '../store/tasks.ts';
import { canonicalJson } from '../tools/canonical-json.ts';
import type { Services } from './services.ts';

/** The input of one case, as of the plan. */
export function createReadCase({ store }: Services) {
  return async function readCase({ experimentId, caseId }: { experimentId: string; caseId: string }): Promise<{ input: unknown }> {
    const { tenant, dataset, datasetAsOf } = await planOf({ store }, experimentId);
    const [found] = await store.datasets.casesAsOf(tenant, dataset, datasetAsOf, { split: 'gate', caseId });
    if (!found) throw ApplicationFailure.nonRetryable(`Case ${caseId} of ${dataset} is not in the store.`, FAILURE.invalidInput);
    return { input: found.input };
  };
}

/**
 * Writes down how one task ended, from its facts. Told twice, the first time counts.
 * @throws ApplicationFailure `TaskRuns` while the task has not closed: tried again
 */
export function createRecordRun({ store }: Services) {
  return async function recordRun({ place, taskId, failure }: RecordRunInput): Promise<RecordRunResult> {
    const { experimentId, caseId, repeat, arm } = place;
    const { measure } = await planOf({ store }, experimentId);
    const task = await store.tasks.get(taskId);
    if (failure === null && task?.phase !== 'closed') throw ApplicationFailure.retryable(`Task ${taskId} has not closed yet.`, FAILURE.taskRuns);
    const first = await camelCase(store.database).selectFrom('attempt').select('passed').where('taskId', '=', taskId).where('attempt', '=', 1).executeTakeFirst();
    const passed = task?.outcome === 'passed';
    const firstAttemptPassed = first?.passed ?? false;
    const excluded = failure ?? whyOther(task, place) ?? whyExcluded(task);
    const counts: Record<ExperimentPlan['measure'], boolean> = { first_attempt_passed: firstAttemptPassed, passed };
    const run: ExperimentRun = {
      caseId,
      repeat,
      arm,
      taskId,
      value: excluded === null ? Number(counts[measure]) : null,
      passed,
      firstAttemptPassed,
      score: task?.score ?? null,
      corrections: Math.max(0, (task?.attempts ?? 0) - 1),
      costMicros: task?.costMicros ?? 0,
      durationMs: task?.endedAt ? task.endedAt.getTime() - task.startedAt.getTime() : 0,
      excluded,
    };
    const stored = await store.experiments.putRun(experimentId, run);
    return { excluded: stored.excluded };
  };
}

/** Whoever knows the plan knows the ids of its tasks: one that was begun under such an id before says nothing of the variant. */
function whyOther(task: TaskRow | null, place: RecordRunInput['place']): string | null {
  return task && canonicalJson(task.experiment) !== canonicalJson(place) ? 'the task was not begun by this experiment' : null;
}

/** Endings that say nothing of the variant: what was not recorded, and faults of ours and of others. */
const NO_EVIDENCE: readonly Reason[] = ['unrecorded_call', 'model_unavailable', 'model_rejected', 'unknown_agent', 'invalid_input', 'internal_error', 'cancelled'];
const MAX_REASON_CHARS = 300;

function whyExcluded(task: TaskRow | null): string | null {
  if (!task?.reason) return 'the task left no outcome';
  if (!NO_EVIDENCE.includes(task.reason)) return null;
  return cutText(`${task.reason.replaceAll('_', ' ')}: ${task.explanation ?? 'no reason given'}`, MAX_REASON_CHARS);
}

/** @throws ApplicationFailure `InvalidInput` */
async function planOf({ store }: Pick<Services, 'store'>, experimentId: string): Promise<ExperimentPlan> {
  const plan = await storedPlan(store.database, experimentId);
  if (!plan) throw ApplicationFailure.nonRetryable(`There is no experiment ${experimentId}.`, FAILURE.invalidInput);
  return plan;
}
