import { z } from 'zod';
import { timeSchema } from './time.ts';

/** `data` of a stored event on `GET /v1/tasks/:taskId/events`; its SSE id is `<number>-<8 hex of the task>`, its SSE event is `type`. */
export const taskEventViewSchema = z
  .object({
    /** From 1, without gaps, in the task. */
    number: z.number().int().min(1),
    type: z.string(),
    at: timeSchema,
    /** 0: before the first. */
    attempt: z.number().int().min(0),
    detail: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'TaskEvent' });
export type TaskEventView = z.infer<typeof taskEventViewSchema>;

/** `data` of a `delta` event: part of what a model is writing now. Deltas have no id and are not stored. */
export const deltaViewSchema = z
  .object({
    /** Names the model call. */
    callKey: z.string(),
    /** A retry of the call begins anew. */
    try: z.number().int(),
    /** Where `text` begins in the text of this try, UTF-16 units. */
    offset: z.number().int(),
    text: z.string(),
  })
  .meta({ id: 'Delta' });
export type DeltaView = z.infer<typeof deltaViewSchema>;

/** `data` of a `delta_reset` event: what came of this call so far does not count. */
export const deltaResetViewSchema = z.object({ callKey: z.string(), try: z.number().int() }).meta({ id: 'DeltaReset' });
export type DeltaResetView = z.infer<typeof deltaResetViewSchema>;

/** `data` on `GET /v1/events`: `task_changed`, and `approval_changed` with the approval's id. Read again what is named. */
export const changeViewSchema = z.object({ taskId: z.string(), approvalId: z.string().optional() }).meta({ id: 'Change' });
export type ChangeView = z.infer<typeof changeViewSchema>;
