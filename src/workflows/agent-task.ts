import { allHandlersFinished, ApplicationFailure, CancellationScope, CancelledFailure, condition, continueAsNew, isCancellation, workflowInfo } from '@temporalio/workflow';
import { FAILURE } from '../contracts/names.ts';
import type { Outcome } from '../contracts/outcome.ts';
import type { TaskInput } from '../contracts/task-input.ts';
import { beginAttempt, closeAttempt, decideNext, keepBestOf, runAttempt } from './attempts.ts';
import { closeTask, handOff, type Ending } from './close.ts';
import { registerHandlers } from './handlers.ts';
import { asAttemptStop } from './model-stage.ts';
import { checkpointOf, loadSnapshot, openTask } from './open.ts';
import { activities, storeStage } from './stages.ts';
import { AttemptStop, RollOver } from './stop-signal.ts';
import { enter, newTask, type Task } from './task.ts';

/** Where the state of this run is stored for the next. */
interface Continuation {
  checkpoint: string;
}

/**
 * One piece of work for an agent: execute, evaluate, correct, until it passes or must stop. Read it from top to bottom:
 * load the snapshot → perceive, ask, plan → [ turns → review → evaluate → keep the best → stop or correct ]* → hand off → close.
 * It decides and waits; everything that touches the world is an activity.
 */
export async function agentTask(start: TaskInput): Promise<Outcome> {
  refuseMalformed(start);
  const task = newTask(start);
  registerHandlers(task);
  const ending = await CancellationScope.cancellable(async () => {
    const scope = CancellationScope.current();
    task.cancelScope = () => scope.cancel();
    if (task.cancelled) scope.cancel(); // a message that was there before the first step
    return runToEnding(task);
  }).catch((error: unknown) => endingOf(task, asAttemptStop(error)));
  if ('checkpoint' in ending) return continueAsNew<typeof agentTask>({ ...start, input: null, checkpoint: ending.checkpoint });
  return closeTask(task, ending);
}

/** Anybody may start a workflow from the Temporal UI; an error of ours would be tried for ever. */
function refuseMalformed(start: Partial<TaskInput> | null | undefined): void {
  if (typeof start?.agent === 'string' && start.agent !== '' && start.agent.length <= 200) return;
  throw ApplicationFailure.nonRetryable('A task is started with {"agent": "…", "input": …}; the name of an agent has at most 200 characters.', FAILURE.invalidInput);
}

/** @throws what `endingOf` turns into an ending. */
async function runToEnding(task: Task): Promise<Ending | Continuation> {
  try {
    return await runLoop(task);
  } catch (error) {
    if (error instanceof RollOver) return saveState(task);
    throw error;
  }
}

async function runLoop(task: Task): Promise<Ending> {
  await loadSnapshot(task);
  await openTask(task);
  for (;;) {
    beginAttempt(task);
    const end = await runAttempt(task);
    keepBestOf(task, end);
    const next = decideNext(task, end);
    await closeAttempt(task, end, next);
    if (next.action === 'continue' || next.action === 'cool') continue;
    const userText = end.problem?.userText ?? end.evaluated?.userText ?? null;
    return handOff(task, { reason: next.reason, explanation: next.explanation, userText });
  }
}

/** However the loop ended: every way out has a reason and a sentence. A fault of our own code passes through, so that Temporal retries it. */
function endingOf(task: Task, error: unknown): Ending {
  if (isCancellation(error) || (error instanceof AttemptStop && error.reason === 'cancelled')) {
    const { cancelled } = task;
    return { reason: 'cancelled', explanation: cancelled ? `Cancelled by ${cancelled.by}: ${cancelled.reason}` : 'Cancelled by a Temporal cancellation request.', userText: null };
  }
  if (error instanceof AttemptStop) return { reason: error.reason, explanation: error.message, userText: error.userText };
  throw error;
}

/** Rounds in which a refusal that arrives is saved too; a steady flood of them must not keep a run from ending. */
const MAX_ROUNDS_FOR_REFUSALS = 5;

/** Continue-as-new carries a few hundred bytes: the state is in the store. Every message is handled first. */
async function saveState(task: Task): Promise<Continuation> {
  enter(task, 'starting', 'continuing as new');
  const { runId } = workflowInfo();
  for (let round = 1; ; round += 1) {
    await condition(allHandlersFinished);
    const state = checkpointOf(task);
    const compared = (): string => checkpointOf(task, { refusals: round <= MAX_ROUNDS_FOR_REFUSALS });
    const before = compared();
    const { checkpoint } = await activities.saveCheckpoint.executeWithOptions(storeStage('save checkpoint'), [{ taskId: task.id, runId, state }]);
    // the next run would not know of it
    if (CancellationScope.current().consideredCancelled) throw new CancelledFailure('cancelled while the state was saved');
    if (before === compared()) return { checkpoint }; // nothing arrived meanwhile
  }
}
