import {
  CancellationScope,
  ChildWorkflowFailure,
  continueAsNew,
  defineQuery,
  executeChild,
  ParentClosePolicy,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { ExperimentActivities, ExperimentProgress, OpenExperimentResult } from '../contracts/experiment-activities.ts';
import type { ExperimentStart } from '../contracts/experiment.ts';
import type { ExperimentPlan, ExperimentResult } from '../contracts/learning.ts';
import { PROGRESS, SEARCH_ATTRIBUTES, WORKFLOW_AGENT_TASK } from '../contracts/names.ts';
import type { ExperimentPlace, TaskInput } from '../contracts/task-input.ts';
import { plannedRuns, runTaskId } from '../policy/experiment-runs.ts';
import { storeStage } from './stages.ts';

const activities = proxyActivities<ExperimentActivities>(storeStage('experiment'));
const progressQuery = defineQuery<ExperimentProgress>(PROGRESS);

/** Tasks that one run of the workflow starts; their outcomes are in its history, so the rest is for the next run. */
const TASKS_A_RUN = 120;

interface PlannedRun {
  place: ExperimentPlace;
  plan: ExperimentPlan;
}

/**
 * Compares two variants over a dataset: plan → tasks of both arms, side by side → the gate. It starts tasks and waits; the plan, the runs and the decision are
 * in the store, so that a run that comes after (continue-as-new, or a start under the same id after a termination) does what is left.
 */
export async function experiment(start: ExperimentStart): Promise<ExperimentResult> {
  const { workflowId: experimentId, startTime } = workflowInfo();
  const progress: ExperimentProgress = { experimentId, phase: 'opening', planned: 0, running: 0, ended: 0, excluded: 0 };
  setHandler(progressQuery, () => progress);
  const opened = await activities.openExperiment.executeWithOptions(storeStage('fix the plan'), [{ experimentId, start, startedAt: startTime.getTime() }]);
  const result = await runAndDecide(opened, progress).catch(async (error: unknown) => {
    progress.phase = 'cancelled';
    const why = CancellationScope.current().consideredCancelled ? 'It was cancelled.' : `It failed: ${causeOf(error)}`;
    await CancellationScope.nonCancellable(() => activities.abandonExperiment.executeWithOptions(storeStage('give up'), [{ experimentId, why, endedAt: Date.now() }]));
    throw error;
  });
  return result ?? continueAsNew<typeof experiment>(start);
}

/** Null: the next run goes on. */
async function runAndDecide(opened: OpenExperimentResult, progress: ExperimentProgress): Promise<ExperimentResult | null> {
  const { experimentId } = progress;
  if (!(await runPlan(opened, progress))) return null;
  progress.phase = 'deciding';
  const result = await CancellationScope.nonCancellable(() => activities.decideExperiment.executeWithOptions(storeStage('decide'), [{ experimentId, endedAt: Date.now() }]));
  progress.phase = 'decided';
  return result;
}

/** Runs what is left of the plan, so many tasks at a time. False: the next run goes on. */
async function runPlan({ plan, recorded }: OpenExperimentResult, progress: ExperimentProgress): Promise<boolean> {
  const planned = plannedRuns(progress.experimentId, plan);
  const isRecorded = new Set(recorded.map(({ run }) => run));
  const left = planned.filter((_, run) => !isRecorded.has(run));
  Object.assign(progress, { phase: 'running', planned: planned.length, ended: recorded.length, excluded: recorded.filter(({ excluded }) => excluded).length });
  const input = caseReader(progress.experimentId);
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < Math.min(left.length, TASKS_A_RUN) && !workflowInfo().continueAsNewSuggested) {
      const place = left[next]!;
      next += 1;
      progress.running += 1;
      const { excluded } = await runTask({ place, plan }, input).finally(() => (progress.running -= 1));
      progress.ended += 1;
      if (excluded !== null) progress.excluded += 1;
    }
  };
  await Promise.all(Array.from({ length: plan.concurrency }, lane));
  return next === left.length;
}

/** Each case is read once a run. */
function caseReader(experimentId: string): (caseId: string) => Promise<unknown> {
  const read = new Map<string, Promise<{ input: unknown }>>();
  return async (caseId) => {
    const reading = read.get(caseId) ?? activities.readCase.executeWithOptions(storeStage(`read case • ${caseId}`), [{ experimentId, caseId }]);
    read.set(caseId, reading);
    return (await reading).input;
  };
}

/** A task of this id that runs or ended already is taken up: its facts are what is recorded. */
async function runTask({ place, plan }: PlannedRun, inputOf: (caseId: string) => Promise<unknown>): Promise<{ excluded: string | null }> {
  const taskId = runTaskId(place);
  const input = await inputOf(place.caseId);
  const failure = await startTask(taskId, taskInput(place, plan, input));
  return activities.recordRun.executeWithOptions(storeStage(`record • ${place.caseId} ${place.arm} ${place.repeat}`), [{ place, taskId, failure }]);
}

/** Waits for its end. @returns why there is none @throws when the experiment is cancelled */
async function startTask(taskId: string, start: TaskInput): Promise<string | null> {
  try {
    await executeChild(WORKFLOW_AGENT_TASK, {
      workflowId: taskId,
      args: [start],
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      // what runs when the experiment is terminated is taken up when it is started again
      parentClosePolicy: ParentClosePolicy.ABANDON,
      staticSummary: `${start.agent} task of an experiment`,
      typedSearchAttributes: [{ key: SEARCH_ATTRIBUTES.agent, value: start.agent }],
    });
    return null;
  } catch (error) {
    if (CancellationScope.current().consideredCancelled) throw error;
    if (error instanceof Error && error.name === 'WorkflowExecutionAlreadyStartedError') return null;
    if (error instanceof ChildWorkflowFailure) return `the task ended without an outcome: ${causeOf(error)}`;
    throw error;
  }
}

function taskInput(place: ExperimentPlace, { agent, tenant }: ExperimentPlan, input: unknown): TaskInput {
  return {
    agent,
    tenant,
    input,
    channel: 'preview',
    startedBy: 'experiment',
    approvers: null,
    sessionId: null,
    experiment: place,
    limits: {},
    parameters: {},
  };
}

function causeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}
