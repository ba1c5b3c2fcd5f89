/** Closed lists of how things end. Free of zod, so that workflow code may import it. */

export const OUTCOMES = ['passed', 'best_effort', 'handed_off', 'rejected', 'cancelled', 'failed'] as const;
export type OutcomeKind = (typeof OUTCOMES)[number];

/** Why a task ended. Every outcome carries exactly one. */
export const REASONS = [
  // passed
  'quality_reached', // the draft met every hard evaluator and the passing score
  'accepted_by_person', // an approver took the output as it is
  'answered_by_person', // an approver wrote the output
  // stopped by a limit (best_effort, or handed_off when escalation is on)
  'max_attempts',
  'max_turns',
  'token_budget',
  'cost_budget',
  'time_budget',
  'context_limit', // the conversation can't be made to fit the model's window
  'same_issue_twice',
  'oscillation',
  'no_progress', // the same call, the same error or an empty answer again and again
  'truncated', // the answer was cut at the token limit each time
  'invalid_output', // the answer never fitted the output schema
  // people
  'asked_for_person', // the model, or a rule, chose to hand off
  'question_unanswered',
  'rejected_by_person',
  'indeterminate_side_effect', // nobody could say whether a tool's effect happened
  'cancelled',
  // failures
  'refused', // the model refused
  'content_filter', // the provider's filter blocked the answer
  'model_unavailable',
  'model_rejected',
  'invalid_input',
  'unknown_agent',
  'unrecorded_call', // an experiment asked a tool for what its case's cassette does not hold: it does not count
  'internal_error',
] as const;
export type Reason = (typeof REASONS)[number];

export const PHASES = [
  'starting',
  'perceiving',
  'planning',
  'deciding',
  'calling_tools',
  'waiting_for_person',
  'reviewing',
  'evaluating',
  'correcting',
  'compacting',
  'closing',
  'closed',
] as const;
export type Phase = (typeof PHASES)[number];

export const RISKS = ['read', 'write', 'dangerous'] as const;
export type Risk = (typeof RISKS)[number];

/** How a tool call ended. `denied`: not run. `indeterminate`: nobody can say whether its effect happened. */
export const TOOL_CALL_STATUSES = ['success', 'failure', 'timeout', 'partial', 'denied', 'indeterminate'] as const;
export type ToolCallStatus = (typeof TOOL_CALL_STATUSES)[number];

/** Which part of the loop a failure belongs to. */
export const FAILURE_STAGES = ['understanding', 'planning', 'tool_call', 'result_parsing', 'external_change'] as const;
export type FailureStage = (typeof FAILURE_STAGES)[number];

/** Why a call was not run, or how it failed. Shown to the model with a sentence. */
export const CALL_PROBLEM_CODES = [
  'unknown_tool',
  'invalid_json',
  'invalid_arguments',
  'not_allowed',
  'prerequisite',
  'plan_order',
  'low_confidence',
  'repeated_call',
  'rejected',
  'approval_expired',
  'too_many_calls',
  'cancelled',
  'repaired_arguments',
  'contract_drift',
  'http',
  'timeout',
  'error',
  'result_too_large',
  'indeterminate',
  'unrecorded_call',
] as const;
export type CallProblemCode = (typeof CALL_PROBLEM_CODES)[number];

export const APPROVAL_KINDS = ['tool_call', 'output', 'handoff', 'question', 'rule'] as const;
export type ApprovalKind = (typeof APPROVAL_KINDS)[number];

export const DECISIONS = ['approve', 'reject', 'edit', 'respond'] as const;
export type DecisionKind = (typeof DECISIONS)[number];

/** Built-in roles. Groups have names of their own ("finance"): a principal may hold those besides. */
export const ROLES = ['submitter', 'operator', 'approver', 'reviewer', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** Messages of `agentTask`, each an Update and a signal. */
export const MESSAGE_KINDS = ['decide', 'message', 'tune', 'cancel', 'restore'] as const;
export type MessageKindName = (typeof MESSAGE_KINDS)[number];

/** Why a `decide`, `message`, `tune`, `cancel` or `restore` changed nothing. */
export const REFUSAL_CODES = [
  'not_ready',
  'malformed',
  'unknown_approval',
  'already_decided',
  'expired',
  'wrong_hash',
  'not_allowed',
  'out_of_range',
  'too_large',
  'task_closed',
  'too_many',
  // decision tokens
  'unsigned', // this approval needs a signed decision
  'unknown_key', // the task does not know the key that signed
  'bad_signature', // not signed by that key, or for another task, approval, hash, decision or person
  'token_expired',
  'token_used',
  'revoked_key',
  // who may decide
  'not_an_approver', // neither the role nor the person that this approval asks for
  'requester', // whoever asked for it may not approve it
  'already_voted', // four eyes: the second approver must be another person
  'audit_unavailable', // the decision could not be written down, so it does not count; try again
  'unknown_attempt',
] as const;
export type RefusalCode = (typeof REFUSAL_CODES)[number];

/** DESIGN §1: the way of a rule. */
export const RULE_STATUSES = ['candidate', 'in_review', 'preview', 'canary', 'live', 'retired', 'rejected'] as const;
export type RuleStatus = (typeof RULE_STATUSES)[number];

/** What a rule puts into the prompt. They share one way to live: review, experiment, canary. */
export const RULE_KINDS = [
  'sentence', // a sentence of policy
  'example', // a few-shot pair, wrong → right, from real attempts
  'instructions', // other instructions in the place of the agent's
  'tool_description', // another description of one tool
] as const;
export type RuleKind = (typeof RULE_KINDS)[number];

/** How a task came to have something learned in its prompt, or not to. Help and harm are told from `treated` against `control`, and `live` against `left_out`. */
export const ARMS = [
  'treated', // canary: in the prompt
  'control', // canary: not in the prompt
  'live', // live: in the prompt
  'left_out', // live, but left out at random to see what it is worth
  'base', // experiment: the variant as it is
  'candidate', // experiment: the variant that is tried
] as const;
export type Arm = (typeof ARMS)[number];

/** What an attempt was exposed to. */
export const EXPOSURE_KINDS = ['rule', 'experience', 'chunk', 'prompt', 'tool'] as const;
export type ExposureKind = (typeof EXPOSURE_KINDS)[number];

export const CASE_KINDS = ['happy', 'boundary', 'adversarial', 'fixed_failure'] as const;
export type CaseKind = (typeof CASE_KINDS)[number];

/** What an experiment concluded. Too little evidence is a rejection. */
export const GATE_DECISIONS = ['promote', 'reject', 'too_little_evidence'] as const;
export type GateDecision = (typeof GATE_DECISIONS)[number];

/** What answers a kind of failure, the cheapest first. */
export const PROPOSAL_TIERS = [
  'sentence', // a rule
  'example', // a few-shot pair, wrong → right
  'edit', // another description of a tool, or other instructions
  'fine_tuning', // the model itself is to be trained: an export is recommended
] as const;
export type ProposalTier = (typeof PROPOSAL_TIERS)[number];
