import type { WorkflowHandle } from '@temporalio/client';

/** An activity that waits for its next try: a rate limit, a provider that is down. */
export interface WaitingActivity {
  activity: string;
  attempt: number;
  lastFailure: string | null;
  nextAttemptAt: number | null;
}

export async function readWaiting(workflow: WorkflowHandle): Promise<WaitingActivity[]> {
  const { raw } = await workflow.describe();
  return (raw.pendingActivities ?? [])
    .filter((pending) => (pending.attempt ?? 1) > 1)
    .map((pending) => ({
      activity: pending.activityType?.name ?? 'unknown',
      attempt: pending.attempt ?? 1,
      lastFailure: pending.lastFailure?.message ?? null,
      nextAttemptAt: millis(pending.nextAttemptScheduleTime ?? pending.scheduledTime),
    }));
}

function millis(time: { seconds?: unknown; nanos?: number | null } | null | undefined): number | null {
  return time?.seconds === undefined || time.seconds === null ? null : Number(time.seconds) * 1_000 + Math.floor((time.nanos ?? 0) / 1_000_000);
}
