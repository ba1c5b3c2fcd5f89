import type { Limits, ModelParameters } from '../contracts/limits.ts';
import type { OutcomeKind, Reason } from '../contracts/reasons.ts';
import type { Usage } from '../contracts/usage.ts';
import { exhausted } from './budget.ts';
import type { Combined } from './score.ts';

export interface StopInput {
  limits: Limits;
  /** The attempt that has just ended, from 1. */
  attempt: number;
  /** Null when the attempt was not evaluated. */
  combined: Combined | null;
  used: Usage;
  /** Run time of the task, ms, waits for people not counted. */
  runMs: number;
  repeatedIssue: string | null;
  oscillation: string | null;
  triedCooling: boolean;
  /** What ended the attempt before its time, if anything. */
  attemptProblem: { reason: Reason; explanation: string } | null;
}

export type StopDecision =
  | { action: 'pass'; reason: Reason; explanation: string }
  | { action: 'stop'; reason: Reason; explanation: string }
  | { action: 'cool'; explanation: string }
  | { action: 'continue' };

/**
 * Whether to try again. In this order: the output passed; the attempt met something that another try can't mend; a budget is
 * used up; the same issue twice; oscillation (once: cool down and try again); no attempts left. After attempt
 * `maxAttempts` it always stops.
 */
export function decideStop(input: StopInput): StopDecision {
  const { limits, attempt, combined, attemptProblem } = input;
  if (combined?.passed) {
    return {
      action: 'pass',
      reason: 'quality_reached',
      explanation: `Attempt ${attempt} scored ${combined.score} of at least ${limits.passScore} and passed every hard evaluator.`,
    };
  }
  const attemptsLeft = attempt < limits.maxAttempts;
  if (attemptProblem && isTerminal(attemptProblem.reason)) return { action: 'stop', ...attemptProblem };
  const budget = exhausted(limits, input.used, input.runMs);
  if (budget) return { action: 'stop', ...budget };
  if (input.repeatedIssue !== null) return { action: 'stop', reason: 'same_issue_twice', explanation: input.repeatedIssue };
  if (input.oscillation !== null) {
    if (!input.triedCooling && attemptsLeft) return { action: 'cool', explanation: `${input.oscillation} The temperature is lowered and the seed fixed before giving up.` };
    return { action: 'stop', reason: 'oscillation', explanation: input.oscillation };
  }
  if (attemptsLeft) return { action: 'continue' };
  return { action: 'stop', ...(attemptProblem ?? { reason: 'max_attempts', explanation: attemptsSpent(input) }) };
}

function attemptsSpent({ attempt, limits, combined }: StopInput): string {
  const spent = `All ${limits.maxAttempts} attempts were used`;
  if (!combined) return `${spent}; attempt ${attempt} was not evaluated.`;
  if (combined.hardFailed) return `${spent}; the last failed a hard evaluator (score ${combined.score}).`;
  if (combined.score === null || combined.judgeFailed) return `${spent}; an evaluator gave no usable verdict on the last.`;
  return `${spent}; the last scored ${combined.score}, below ${limits.passScore}.`;
}

/** Whether another attempt can't mend what ended this one. */
export function isTerminal(reason: Reason): boolean {
  switch (reason) {
    // A new attempt, told what went wrong, may do better. When attempts run out, this stays the reason.
    case 'max_turns':
    case 'truncated':
    case 'invalid_output':
    // These are decided after an attempt, not met within it.
    case 'max_attempts':
    case 'same_issue_twice':
    case 'oscillation':
      return false;
    case 'quality_reached':
    case 'accepted_by_person':
    case 'answered_by_person':
    case 'token_budget':
    case 'cost_budget':
    case 'time_budget':
    case 'context_limit':
    case 'no_progress':
    case 'asked_for_person':
    case 'question_unanswered':
    case 'rejected_by_person':
    case 'indeterminate_side_effect':
    case 'cancelled':
    case 'refused':
    case 'content_filter':
    case 'model_unavailable':
    case 'model_rejected':
    case 'invalid_input':
    case 'unknown_agent':
    case 'unrecorded_call':
    case 'internal_error':
      return true;
  }
}

const COOL_TEMPERATURE = 0.2;
const FIXED_SEED = 1;

/** Half of the temperature, which counts as at most 0.2, and a fixed seed: less chance between attempts. */
export function coolParameters(parameters: ModelParameters): ModelParameters {
  return { ...parameters, temperature: Math.min(parameters.temperature, COOL_TEMPERATURE) / 2, seed: parameters.seed ?? FIXED_SEED };
}

/**
 * How a task ends for a reason. What stopped short of passing goes to a person when escalation is on; else the best output is
 * returned, and without any output it has failed.
 */
export function closingOutcome(reason: Reason, hasBest: boolean, escalationAfterFail: boolean): OutcomeKind {
  switch (reason) {
    case 'quality_reached':
    case 'accepted_by_person':
    case 'answered_by_person':
      return 'passed';
    case 'rejected_by_person':
      return 'rejected';
    case 'cancelled':
      return 'cancelled';
    case 'refused':
    case 'content_filter':
    case 'model_unavailable':
    case 'model_rejected':
    case 'invalid_input':
    case 'unknown_agent':
    case 'unrecorded_call':
    case 'internal_error':
      return 'failed';
    // Asked for in words or left open by a side effect: a person is needed whatever the setting.
    case 'asked_for_person':
    case 'indeterminate_side_effect':
      return 'handed_off';
    case 'max_attempts':
    case 'max_turns':
    case 'token_budget':
    case 'cost_budget':
    case 'time_budget':
    case 'context_limit':
    case 'same_issue_twice':
    case 'oscillation':
    case 'no_progress':
    case 'truncated':
    case 'invalid_output':
    case 'question_unanswered':
      if (escalationAfterFail) return 'handed_off';
      return hasBest ? 'best_effort' : 'failed';
  }
}
