import type { ModelStage, ModelStageResult } from '../contracts/activities.ts';
import type { ModelProblem } from '../contracts/decision.ts';
import { contextLimit } from '../policy/budget.ts';
import { callModel, throwIfTerminal } from './model-stage.ts';
import { activities, modelStage } from './stages.ts';
import { AttemptStop } from './stop-signal.ts';
import { enter, limitsOf, parametersOf, snapshotOf, type Task } from './task.ts';

const MAX_FAILED_COMPACTIONS = 3;
/** A call that still does not fit after this many summaries never will. */
const MAX_COMPACTIONS_PER_CALL = 3;

/**
 * Runs a stage that calls a model with the conversation; where it does not fit the window, the middle is summarised and the call made again.
 * @throws {AttemptStop} `context_limit` when it can't be made to fit; whatever {@link callModel} throws.
 */
export async function callInWindow<Result extends ModelStageResult>(task: Task, key: string, run: (stage: ModelStage) => Promise<Result>): Promise<Result> {
  for (let compactions = 0; ; compactions += 1) {
    const result = await callModel(task, key, run);
    if (result.problem?.kind !== 'context_limit' || compactions >= MAX_COMPACTIONS_PER_CALL) return result;
    await makeRoom(task, result.problem.text);
  }
}

/** Summarises the middle of a long conversation before it no longer fits. */
export async function compactIfLong(task: Task): Promise<void> {
  const { loop } = task;
  const limit = limitOf(task);
  if (loop.contextTokens > limit) await makeRoom(task, `The conversation has ${loop.contextTokens} tokens, more than ${limit}.`);
}

/** A failed summary keeps the original; after some failures the task ends rather than forgets. */
async function makeRoom(task: Task, why: string): Promise<void> {
  const { loop, live } = task;
  const { phase, detail } = live;
  enter(task, 'compacting', why);
  const failure = await compact(task);
  loop.failedCompactions = failure === null ? 0 : loop.failedCompactions + 1;
  if (failure !== null && loop.failedCompactions >= MAX_FAILED_COMPACTIONS) {
    throw new AttemptStop('context_limit', `The conversation is too long and could not be summarised in ${MAX_FAILED_COMPACTIONS} tries: ${failure} ${why}`);
  }
  enter(task, phase, detail);
}

/** @returns why it failed, or null. */
async function compact(task: Task): Promise<string | null> {
  const { loop } = task;
  loop.compactions += 1;
  try {
    const result = await callModel(task, `compact.${loop.compactions}`, (stage) =>
      activities.compact.executeWithOptions(modelStage(stage.timeoutMs, `compact • ${stage.head.sequence} messages`), [
        { ...stage, round: loop.compactions, contextTokens: limitOf(task) },
      ]),
    );
    return result.problem ? throwIfBudget(result.problem) : null;
  } catch (error) {
    if (error instanceof AttemptStop && (error.reason === 'model_unavailable' || error.reason === 'model_rejected')) return error.message;
    throw error;
  }
}

function throwIfBudget(problem: ModelProblem): string {
  if (problem.kind === 'token_budget' || problem.kind === 'cost_budget' || problem.kind === 'interrupted') throwIfTerminal(problem);
  return problem.text;
}

function limitOf(task: Task): number {
  return contextLimit(snapshotOf(task).writer, parametersOf(task), limitsOf(task).contextTokens);
}
