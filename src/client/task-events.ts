import type { Approval } from '../contracts/approval.ts';
import type { AttemptSummary, Outcome } from '../contracts/outcome.ts';
import type { VersionedPlan } from '../contracts/plan.ts';
import type { TaskState } from '../contracts/task-state.ts';

/** What changed in a task between two looks at its state. */
export type TaskEvent =
  | { type: 'phase-changed'; phase: TaskState['phase']; detail: string; attempt: number; turn: number }
  | { type: 'plan-made'; plan: VersionedPlan }
  | { type: 'decision-made'; decision: NonNullable<TaskState['lastDecision']>; attempt: number; turn: number }
  | { type: 'approval-opened'; approval: Approval }
  | { type: 'approval-decided'; approval: Approval }
  | { type: 'attempt-ended'; attempt: AttemptSummary }
  | { type: 'task-closed'; outcome: Outcome };

/** Pure: the events between two states, in the order in which the loop makes them. */
export function eventsBetween(before: TaskState | null, after: TaskState): TaskEvent[] {
  const events: TaskEvent[] = [];
  if (after.plan && after.plan.version !== before?.plan?.version) events.push({ type: 'plan-made', plan: after.plan });
  if (after.lastDecision && JSON.stringify([after.attempt, after.turn, after.lastDecision]) !== JSON.stringify([before?.attempt, before?.turn, before?.lastDecision])) {
    events.push({ type: 'decision-made', decision: after.lastDecision, attempt: after.attempt, turn: after.turn });
  }
  for (const approval of after.approvals) {
    const known = before?.approvals.find((each) => each.id === approval.id);
    if (!known) events.push({ type: 'approval-opened', approval });
    if (approval.status !== 'pending' && known?.status !== approval.status) events.push({ type: 'approval-decided', approval });
  }
  for (const attempt of after.attempts.slice(before?.attempts.length ?? 0)) events.push({ type: 'attempt-ended', attempt });
  if (after.phase !== before?.phase || after.detail !== before.detail)
    events.push({ type: 'phase-changed', phase: after.phase, detail: after.detail, attempt: after.attempt, turn: after.turn });
  if (after.outcome && !before?.outcome) events.push({ type: 'task-closed', outcome: after.outcome });
  return events;
}
