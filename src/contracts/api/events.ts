import { z } from 'zod';
import { orNull } from './or-null.ts';
import { taskStateViewSchema } from './task-state.ts';
import { taskSummarySchema } from './tasks.ts';
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

/** `data` of a `delta` event: part of what a model is writing now, as a person can read it. A draft that no evaluator has judged; no id, not stored. */
export const deltaViewSchema = z
  .object({
    /** Names the model call. */
    callKey: z.string(),
    /** What the call is for: `decide`, `review` … */
    stage: z.string(),
    /** A retry of the call begins anew. */
    try: z.number().int(),
    /** Where `text` begins in the text of this try, UTF-16 units. */
    offset: z.number().int(),
    text: z.string(),
    draft: z.literal(true),
  })
  .meta({ id: 'Delta' });
export type DeltaView = z.infer<typeof deltaViewSchema>;

/** `data` of a `delta_reset` event: what came of this call so far does not count. */
export const deltaResetViewSchema = z.object({ callKey: z.string(), stage: z.string(), try: z.number().int() }).meta({ id: 'DeltaReset' });
export type DeltaResetView = z.infer<typeof deltaResetViewSchema>;

/** `data` of a `delta_end` event. Not `complete`: the text broke off or can't be used, and must not be shown as an answer. */
export const deltaEndViewSchema = z.object({ callKey: z.string(), complete: z.boolean() }).meta({ id: 'DeltaEnd' });
export type DeltaEndView = z.infer<typeof deltaEndViewSchema>;

/** `data` of a `snapshot` event, for a reader whose Last-Event-ID is none of this task: forget what came before, and go on from here. */
export const snapshotViewSchema = z
  .object({
    task: taskSummarySchema,
    /** Null when neither a worker nor the store knows it. */
    state: orNull(taskStateViewSchema),
    /** Number of the newest event that it holds. */
    events: z.number().int(),
  })
  .meta({ id: 'Snapshot' });
export type SnapshotView = z.infer<typeof snapshotViewSchema>;

/** `data` on `GET /v1/events`: `task_changed`, and `approval_changed` with the approval's id: read again what is named. `refresh` (without data): read all again. */
export const changeViewSchema = z
  .object({
    taskId: z.string(),
    approvalId: z.string().optional(),
    /** Type of the event that changed it. */
    event: z.string(),
  })
  .meta({ id: 'Change' });
export type ChangeView = z.infer<typeof changeViewSchema>;
