import { z } from 'zod';
import { refusalSchema } from '../approval.ts';
import { taskStateSchema } from '../task-state.ts';
import { approvalFieldsSchema } from './approvals.ts';
import { timeSchema } from './time.ts';

/** `LiveTaskState` with times as texts. */
export const taskStateViewSchema = taskStateSchema
  .extend({
    startedAt: timeSchema,
    approvals: z.array(approvalFieldsSchema),
    changes: z.array(taskStateSchema.shape.changes.element.extend({ at: timeSchema })),
    refusals: z.array(refusalSchema.extend({ at: timeSchema })),
    /** Activities that wait for their next try: a rate limit, a provider that is down. */
    waitingActivities: z.array(z.object({ activity: z.string(), attempt: z.number().int(), lastFailure: z.string().nullable(), nextAttemptAt: timeSchema.nullable() })),
  })
  .meta({ id: 'TaskState' });
export type TaskStateView = z.infer<typeof taskStateViewSchema>;
