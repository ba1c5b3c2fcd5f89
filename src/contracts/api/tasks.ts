import { z } from 'zod';
import { FEEDBACK_KINDS, FEEDBACK_SOURCES, IMPLICIT_FEEDBACK_KINDS, MAX_FEEDBACK_CHARS } from '../feedback.ts';
import { limitsSchema, parametersSchema } from '../limits.ts';
import { MAX_MESSAGE_CHARS, TUNABLE } from '../messages.ts';
import { OUTCOMES, PHASES, REASONS } from '../reasons.ts';
import { pageOf, pageQuerySchema } from './page.ts';
import { timeSchema } from './time.ts';

export const taskSummarySchema = z
  .object({
    taskId: z.string(),
    agent: z.string(),
    agentVersion: z.string().nullable(),
    channel: z.string(),
    startedBy: z.string(),
    /** The chat session that it belongs to. */
    sessionId: z.string().nullable(),
    /** `zh` or `en`, of the input. */
    language: z.string().nullable(),
    /** The beginning of the input's first text, for lists; at most 200 characters. */
    title: z.string(),
    status: z.enum(['running', 'closed']),
    phase: z.enum(PHASES),
    /** Null while it runs, like `reason`, `explanation`, `text`, `score` and `endedAt`. */
    outcome: z.enum(OUTCOMES).nullable(),
    reason: z.enum(REASONS).nullable(),
    /** A sentence on why, for operators. */
    explanation: z.string().nullable(),
    /** For the user. */
    text: z.string().nullable(),
    score: z.number().nullable(),
    bestAttempt: z.number().int().nullable(),
    attempts: z.number().int(),
    turns: z.number().int(),
    toolCalls: z.number().int(),
    inputTokens: z.number().int(),
    outputTokens: z.number().int(),
    /** micro-USD */
    costMicros: z.number().int(),
    /** Time waited for people, ms. */
    waitedMs: z.number().int(),
    askedPerson: z.boolean(),
    /** That wait for a person now. */
    pendingApprovals: z.number().int(),
    startedAt: timeSchema,
    endedAt: timeSchema.nullable(),
    updatedAt: timeSchema,
  })
  .meta({ id: 'TaskSummary' });
export type TaskSummary = z.infer<typeof taskSummarySchema>;

export const tasksQuerySchema = pageQuerySchema.extend({
  agent: z.string().max(200).optional(),
  outcome: z.enum(OUTCOMES).optional(),
  status: z.enum(['running', 'closed']).optional(),
  q: z.string().max(200).optional().meta({ description: 'In the task id, the input or the answer' }),
});
export type TasksQuery = z.infer<typeof tasksQuerySchema>;
export const taskPageSchema = pageOf(taskSummarySchema, 'TaskPage');

export const startTaskBodySchema = z
  .strictObject({
    agent: z.string().min(1).max(200),
    /** Fits the agent's input schema (`GET /v1/agents/:name`). */
    input: z.unknown(),
    channel: z.enum(['live', 'preview']).optional(),
    /** Subjects who alone may decide this task's approvals; left out: whoever holds the role. */
    approvers: z.array(z.string().min(1).max(200)).min(1).max(50).optional(),
    limits: limitsSchema.partial().optional(),
    parameters: parametersSchema.partial().optional(),
  })
  .meta({ id: 'StartTaskBody' });
export type StartTaskBody = z.infer<typeof startTaskBodySchema>;

export const cancelBodySchema = z.strictObject({ reason: z.string().min(1).max(1_000) }).meta({ id: 'CancelBody' });
export const tuneBodySchema = z.strictObject({ values: z.partialRecord(z.enum(TUNABLE), z.number()) }).meta({ id: 'TuneBody' });
export const messageBodySchema = z
  .strictObject({ text: z.string().min(1).max(MAX_MESSAGE_CHARS), id: z.string().min(1).max(200).optional().meta({ description: 'The same id twice counts once' }) })
  .meta({ id: 'MessageBody' });
export const restoreBodySchema = z.strictObject({ attempt: z.int().min(1), reason: z.string().min(1).max(1_000) }).meta({ id: 'RestoreBody' });

export const cancelResultSchema = z.object({ cancelled: z.literal(true) }).meta({ id: 'CancelResult' });
export const tuneResultSchema = z.object({ changes: z.number().int() }).meta({ id: 'TuneResult' });
export const messageResultSchema = z.object({ received: z.number().int() }).meta({ id: 'MessageResult' });
export const restoreResultSchema = z.object({ attempt: z.number().int(), score: z.number().nullable() }).meta({ id: 'RestoreResult' });

/** What people say of a task afterwards. `rating` has a value, 1 to 5; `correction`, `wrong_answer` and `comment` a text. */
export const feedbackBodySchema = z
  .strictObject({
    kind: z.enum(FEEDBACK_KINDS),
    value: z.number().min(1).max(5).optional(),
    text: z.string().min(1).max(MAX_FEEDBACK_CHARS).optional(),
    /** Which attempt; left out: the task. */
    attempt: z.int().min(1).optional(),
  })
  .meta({ id: 'FeedbackBody' });
export type FeedbackBody = z.infer<typeof feedbackBodySchema>;
export const feedbackViewSchema = z
  .object({
    feedbackId: z.string(),
    kind: z.enum([...FEEDBACK_KINDS, ...IMPLICIT_FEEDBACK_KINDS]),
    /** `explicit`: somebody said it; `implicit`: seen in what they did. */
    source: z.enum(FEEDBACK_SOURCES),
    value: z.number().nullable(),
    text: z.string().nullable(),
    attempt: z.number().int().nullable(),
    by: z.string(),
    at: timeSchema,
  })
  .meta({ id: 'Feedback' });
export type FeedbackView = z.infer<typeof feedbackViewSchema>;
