/** Every stage's timeouts and retry policy, in one place. Times in ms. */
import { ActivityCancellationType, proxyActivities, proxyLocalActivities, type ActivityOptions } from '@temporalio/workflow';
import type { AgentTaskActivities } from '../contracts/activities.ts';
import type { EvaluatorCheckActivities } from '../contracts/evaluator-check.ts';
import type { LearnActivities } from '../contracts/learn.ts';
import { FAILURE } from '../contracts/names.ts';

const NEVER_RETRIED = [FAILURE.invalidInput, FAILURE.unknownAgent, FAILURE.modelRejected, FAILURE.configuration];

/** Activities heartbeat every 200 ms by a timer; ten missed seconds mean the worker is gone. Cancellation waits for the activity's own facts. */
const ALIVE = { heartbeatTimeout: 10_000, cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED } as const;

/** Database steps: idempotent, so they are retried until the store is back. */
const STORE: ActivityOptions = {
  ...ALIVE,
  startToCloseTimeout: 15_000,
  retry: { initialInterval: 200, backoffCoefficient: 2, maximumInterval: 10_000, nonRetryableErrorTypes: NEVER_RETRIED },
};

/**
 * Tries of the other stages: some 4 minutes with the pauses, enough for a store that restarts or fails over, and an end for work that takes
 * its worker down each time. What fails for reasons of its own is given up earlier, by the activity: a model after 3 calls, a fault of code
 * after 3 tries.
 */
const TRIES = 15;

const MODEL_RETRY = { initialInterval: 500, backoffCoefficient: 2, maximumInterval: 30_000, maximumAttempts: TRIES, nonRetryableErrorTypes: NEVER_RETRIED };

/** A model stage may ask twice (one re-ask of an unusable structured answer), so an activity gets two whole-call deadlines and time for the store. */
export function modelStage(modelTimeoutMs: number, summary: string): ActivityOptions {
  return { ...ALIVE, startToCloseTimeout: 2 * modelTimeoutMs + 10_000, retry: MODEL_RETRY, summary };
}

/**
 * Retries of a tool are safe: the ledger knows what began and what finished. The activity ends the tool itself at `timeoutMs`; an idempotent
 * one may be run twice, and one that did not answer is asked what happened (5 s).
 */
export function toolStage(timeoutMs: number, summary: string): ActivityOptions {
  return {
    ...ALIVE,
    startToCloseTimeout: 2 * timeoutMs + 15_000,
    retry: { initialInterval: 200, backoffCoefficient: 2, maximumInterval: 30_000, maximumAttempts: TRIES, nonRetryableErrorTypes: NEVER_RETRIED },
    summary,
  };
}

export function evaluationStage(timeoutMs: number, summary: string): ActivityOptions {
  return { ...ALIVE, startToCloseTimeout: timeoutMs + 10_000, retry: MODEL_RETRY, summary };
}

export function storeStage(summary: string): ActivityOptions {
  return { ...STORE, summary };
}

export const activities = proxyActivities<AgentTaskActivities>(STORE);

/** Of `learn`: a large window takes its time to be read and compared, and the reflector is asked twice a tier. */
export const learnActivities = proxyActivities<LearnActivities>({ ...STORE, startToCloseTimeout: 300_000 });

/** Of `checkEvaluators`: one judge at a time, with its second round. */
export const evaluatorCheckActivities = proxyActivities<EvaluatorCheckActivities>({ ...STORE, startToCloseTimeout: 130_000, retry: MODEL_RETRY });

/**
 * Writing a decision down before it counts. A local activity, so that it costs one event; a store that is away for longer than some 10 s refuses the decision.
 * Pauses over 500 ms are timers: while a local activity runs, the task answers no query.
 */
export const { auditDecision } = proxyLocalActivities<Pick<AgentTaskActivities, 'auditDecision'>>({
  startToCloseTimeout: 3_000,
  scheduleToCloseTimeout: 10_000,
  localRetryThreshold: 500,
  retry: { initialInterval: 200, backoffCoefficient: 2, maximumInterval: 2_000 },
  summary: 'write a decision down',
});
