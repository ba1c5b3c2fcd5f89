import type { LiveTaskState } from '../../client.ts';
import type { TaskStateView } from '../../contracts/api/task-state.ts';
import { approvalFields } from './approval-fields.ts';
import { rfc3339, rfc3339OrNull } from './time.ts';

export function taskStateView(state: LiveTaskState): TaskStateView {
  return {
    ...state,
    startedAt: rfc3339(state.startedAt),
    approvals: state.approvals.map(approvalFields),
    changes: state.changes.map((change) => ({ ...change, at: rfc3339(change.at) })),
    refusals: state.refusals.map((refusal) => ({ ...refusal, at: rfc3339(refusal.at) })),
    waitingActivities: state.waitingActivities.map((waiting) => ({ ...waiting, nextAttemptAt: rfc3339OrNull(waiting.nextAttemptAt) })),
  };
}
