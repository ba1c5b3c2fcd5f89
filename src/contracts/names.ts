/** Names that cross a process boundary. Free of zod, so that workflow code may import it. */

export const WORKFLOW_AGENT_TASK = 'agentTask';
export const WORKFLOW_CHECK_EVALUATORS = 'checkEvaluators';
export const WORKFLOW_LEARN = 'learn';
export const WORKFLOW_EXPERIMENT = 'experiment';
export const DEFAULT_TASK_QUEUE = 'loopwright';
/** Of installations that have only one. */
export const DEFAULT_TENANT = 'default';

/** Signals and Updates of `agentTask`. `decide` exists as both: the Update answers, the signal works from the Temporal UI. */
export const DECIDE = 'decide';
export const MESSAGE = 'message';
export const TUNE = 'tune';
export const CANCEL = 'cancel';
export const RESTORE = 'restore';
/** Query of `agentTask`. */
export const STATE = 'state';
/** Query of `experiment`. */
export const PROGRESS = 'progress';

/** Typed search attributes; none holds personal data. */
export const SEARCH_ATTRIBUTES = {
  agent: { name: 'LoopwrightAgent', type: 'KEYWORD' },
  phase: { name: 'LoopwrightPhase', type: 'KEYWORD' },
  outcome: { name: 'LoopwrightOutcome', type: 'KEYWORD' },
  score: { name: 'LoopwrightScore', type: 'DOUBLE' },
  attempt: { name: 'LoopwrightAttempt', type: 'INT' },
  awaitingApproval: { name: 'LoopwrightAwaitingApproval', type: 'BOOL' },
  costMicros: { name: 'LoopwrightCostMicros', type: 'INT' },
} as const;

/** `ApplicationFailure.type` of every typed error an activity throws. */
export const FAILURE = {
  /** The task's input does not fit the agent's schema. Not retried. */
  invalidInput: 'InvalidInput',
  /** No agent of that name is registered on this worker. Not retried. */
  unknownAgent: 'UnknownAgent',
  /** 429, 5xx, timeout or broken stream. Retried, after Retry-After where given. */
  modelUnavailable: 'ModelUnavailable',
  /** 400, 401, 403 and their like: asking again gives the same answer. Not retried. */
  modelRejected: 'ModelRejected',
  /** A configured value makes the call impossible (no key, unknown route). Not retried. */
  configuration: 'Configuration',
  /** A task of an experiment asked for a tool result that its case's cassette does not hold. Not retried. */
  unrecordedCall: 'UnrecordedCall',
  /** A task of an experiment has not closed yet. Asked again. */
  taskRuns: 'TaskRuns',
  /** A result too large for history. Not retried. */
  resultTooLarge: 'ResultTooLarge',
} as const;

/** The regression set of an agent: by its cases alone a rule comes to live traffic. */
export function regressionSetOf(agent: string): string {
  return `${agent}-regression`;
}
