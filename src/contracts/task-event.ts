import { z } from 'zod';

/**
 * What the loop itself records of a task, in the order in which it happens. Agents record events of their own besides, under other names
 * (`execution_start`, `lesson_used`).
 */
export const TASK_EVENT_TYPES = [
  'task_started', // {agent, startedBy, channel, sessionId}
  'perceived', // {intent, entities, emotion, missing}
  'plan_made', // {version, goal, steps, accepted, problems, because}
  'decision_made', // {turn, type, calls, reason, confidence, text, outputHash, problem}
  'tool_call_started', // {callId, turn, tool, risk, subject, argumentsHash, approvalId}
  'tool_call_finished', // {callId, turn, tool, status, code, reason, durationMs, resultHash}; also of calls that were not run (`denied`)
  'approval_opened', // {approvalId, kind, tool, risk, summary, expiresAt, onTimeout, roles, quorum}
  'approval_voted', // {approvalId, kind, tool, risk, decision, by, reason, via}: one more must approve
  'approval_reminded', // {approvalId}
  'approval_escalated', // {approvalId, roles}
  'approval_decided', // {approvalId, kind, tool, risk, status, decision, by, reason, via, answer?}
  'approval_expired', // {approvalId, kind, tool, risk, onTimeout, status}
  'approval_withdrawn', // {approvalId, kind, tool}
  'draft_reviewed', // {changed, outputHash}
  'evaluated', // {outputHash, verdicts}
  'attempt_closed', // {score, passed, turns, issues, outputHash, action, explanation, change, tokens, costMicros}
  'message_received', // {messageId, text}
  'tuned', // {field, from, to, by}
  'settings_applied', // {field, value, by}
  'message_refused', // {message, code, text}
  'restored', // {attempt, by, reason}
  'feedback_given', // {feedbackId, kind, value, text, by}
  'task_closed', // {outcome, reason, explanation, score, bestAttempt, outputHash, text, tokens, costMicros}: a watcher's last
] as const;
export type TaskEventType = (typeof TASK_EVENT_TYPES)[number];

/** Bytes of a detail's JSON; what is larger is cut. Whole texts are in the store under their hash. */
export const MAX_EVENT_DETAIL_BYTES = 2_048;

/** Something that happened to a task, for watchers. */
export const taskEventSchema = z.object({
  /** From 1 in the task, without gaps, in the order in which events became visible. */
  number: z.number().int().min(1),
  /** One of `TASK_EVENT_TYPES`, or an agent's own. */
  type: z.string().min(1),
  /** Unix ms */
  at: z.number(),
  /** 0: before the first. */
  attempt: z.number().int().min(0),
  /** Facts of the event, small and free of secrets. */
  detail: z.record(z.string(), z.unknown()),
});
export type StoredEvent = z.infer<typeof taskEventSchema>;
