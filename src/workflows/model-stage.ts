import { ActivityFailure, ApplicationFailure, isCancellation, TimeoutFailure } from '@temporalio/workflow';
import type { ModelStage, ModelStageResult } from '../contracts/activities.ts';
import type { ModelProblem } from '../contracts/decision.ts';
import { FAILURE } from '../contracts/names.ts';
import type { Reason } from '../contracts/reasons.ts';
import type { ModelRoute } from '../contracts/snapshot.ts';
import type { Usage } from '../contracts/usage.ts';
import { addUsage, callWish, EMPTY_USAGE, reserve, settle } from '../policy/budget.ts';
import { AttemptStop } from './stop-signal.ts';
import { limitsOf, parametersOf, placeOf, snapshotOf, type Task } from './task.ts';

/**
 * Runs one stage that calls a model: reserves its tokens and money, gives it what waits to be appended, settles what it used.
 * @throws {AttemptStop} when a budget has nothing left, or the model can't be had.
 */
export async function callModel<Result extends ModelStageResult>(task: Task, key: string, run: (stage: ModelStage) => Promise<Result>): Promise<Result> {
  const { loop } = task;
  if (!loop.head) throw new Error('no conversation is open');
  const appends = loop.appends;
  const result = await withReservation(task, key, snapshotOf(task).writer, (reserved) =>
    run({
      ...placeOf(task),
      head: loop.head!,
      parameters: parametersOf(task),
      timeoutMs: limitsOf(task).modelTimeoutMs,
      reserved,
      appends,
    }),
  );
  loop.appends = loop.appends.slice(appends.length);
  loop.head = result.head;
  loop.contextTokens = result.contextTokens;
  return result;
}

/** Reserve, call, settle. `calls`: how many the step may make. A failure tells what its tries used; where it does not, closing the task counts them from their rows. */
export async function withReservation<Result extends { usage: Usage }>(
  task: Task,
  key: string,
  route: ModelRoute,
  run: (reserved: { tokens: number; costMicros: number }) => Promise<Result>,
  calls = 1,
): Promise<Result> {
  const { loop } = task;
  const limits = limitsOf(task);
  const wish = callWish(route, parametersOf(task));
  const granted = reserve(loop.ledger, key, limits, { tokens: wish.tokens * calls, costMicros: wish.costMicros * calls });
  if (!granted.ok) throw new AttemptStop(granted.reason, granted.explanation);
  loop.ledger = granted.ledger;
  try {
    const result = await run(granted.reserved);
    loop.ledger = settle(loop.ledger, key, result.usage);
    loop.attemptUsage = addUsage(loop.attemptUsage, result.usage);
    return result;
  } catch (error) {
    const usage = usageIn(error);
    loop.ledger = settle(loop.ledger, key, usage);
    loop.attemptUsage = addUsage(loop.attemptUsage, usage);
    throw asAttemptStop(error);
  }
}

function usageIn(error: unknown): Usage {
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  const [detail] = (cause instanceof ApplicationFailure ? cause.details : undefined) ?? [];
  return (detail as { usage?: Usage } | undefined)?.usage ?? EMPTY_USAGE;
}

/** An activity that gave up ends the attempt with a typed reason; anything else passes through. */
export function asAttemptStop(error: unknown): unknown {
  if (!(error instanceof ActivityFailure) || isCancellation(error)) return error;
  const { cause } = error;
  // what ran into an experiment's gap is counted by its words
  if (cause instanceof ApplicationFailure && cause.type === FAILURE.unrecordedCall) return new AttemptStop('unrecorded_call', cause.message);
  const explanation = `${error.activityType}: ${cause?.message ?? error.message}`;
  if (cause instanceof ApplicationFailure) return new AttemptStop(REASON_OF_FAILURE[cause.type ?? ''] ?? 'internal_error', explanation);
  if (cause instanceof TimeoutFailure) return new AttemptStop(error.activityType === 'callTool' ? 'internal_error' : 'model_unavailable', explanation);
  return error;
}

const REASON_OF_FAILURE: Record<string, Reason> = {
  [FAILURE.invalidInput]: 'invalid_input',
  [FAILURE.unknownAgent]: 'unknown_agent',
  [FAILURE.modelUnavailable]: 'model_unavailable',
  [FAILURE.modelRejected]: 'model_rejected',
  [FAILURE.configuration]: 'model_rejected',
};

/** @throws {AttemptStop} for problems that asking again would not change; returns the others. */
export function throwIfTerminal(problem: ModelProblem): ModelProblem {
  switch (problem.kind) {
    case 'refused':
      throw new AttemptStop('refused', `The model refused: ${problem.text}`, problem.text);
    case 'content_filter':
      throw new AttemptStop('content_filter', `The provider's content filter blocked the answer. ${problem.text}`.trim());
    case 'token_budget':
    case 'cost_budget':
    case 'context_limit':
      throw new AttemptStop(problem.kind, problem.text);
    case 'interrupted':
      throw new AttemptStop('cancelled', problem.text);
    case 'empty':
    case 'truncated':
    case 'invalid_output':
      return problem;
  }
}
