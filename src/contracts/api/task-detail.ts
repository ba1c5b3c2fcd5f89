import { z } from 'zod';
import { refusalSchema } from '../approval.ts';
import { parametersSchema } from '../limits.ts';
import { TUNABLE } from '../messages.ts';
import { outcomeSchema } from '../outcome.ts';
import { planStepSchema } from '../plan.ts';
import { FAILURE_STAGES, REASONS, RISKS, TOOL_CALL_STATUSES } from '../reasons.ts';
import { correctionSchema, verdictSchema } from '../verdict.ts';
import { orNull } from './or-null.ts';
import { approvalFieldsSchema } from './approvals.ts';
import { cutTextSchema, pageOf, pageQuerySchema } from './page.ts';
import { taskStateViewSchema } from './task-state.ts';
import { feedbackViewSchema, taskSummarySchema } from './tasks.ts';
import { timeSchema } from './time.ts';

export const modelCallViewSchema = z
  .object({
    attempt: z.number().int().nullable(),
    /** Null: not of a turn (perceive, plan, judge …). */
    turn: z.number().int().nullable(),
    /** `decide`, `perceive`, `plan`, `review`, `judge` … */
    purpose: z.string(),
    model: z.string(),
    /** `ok`, `error`, `timeout` …; `sent`: not answered yet. */
    status: z.string(),
    error: z.string().nullable(),
    finishReason: z.string().nullable(),
    inputTokens: z.number().int().nullable(),
    outputTokens: z.number().int().nullable(),
    costMicros: z.number().int(),
    estimated: z.boolean(),
    startedAt: timeSchema,
    durationMs: z.number(),
  })
  .meta({ id: 'ModelCall' });
export type ModelCallView = z.infer<typeof modelCallViewSchema>;

export const toolCallViewSchema = z
  .object({
    callId: z.string(),
    attempt: z.number().int(),
    turn: z.number().int(),
    tool: z.string(),
    toolVersion: z.string().nullable(),
    risk: z.enum(RISKS),
    status: z.enum(['started', ...TOOL_CALL_STATUSES]),
    arguments: orNull(cutTextSchema),
    result: orNull(cutTextSchema),
    code: z.string().nullable(),
    /** Why it was not run or how it failed. */
    reason: z.string().nullable(),
    failureStage: z.enum(FAILURE_STAGES).nullable(),
    approvalId: z.string().nullable(),
    /** More than 1 after a crash in the middle. */
    executions: z.number().int(),
    confidence: z.number().nullable(),
    /** Why the model asked for it. */
    why: z.string().nullable(),
    startedAt: timeSchema,
    endedAt: timeSchema.nullable(),
    durationMs: z.number().nullable(),
  })
  .meta({ id: 'ToolCall' });
export type ToolCallView = z.infer<typeof toolCallViewSchema>;

export const turnViewSchema = z
  .object({
    attempt: z.number().int(),
    turn: z.number().int(),
    decisionType: z.enum(['tool', 'answer', 'ask', 'handoff']).nullable(),
    tools: z.array(z.string()),
    confidence: z.number().nullable(),
    /** Why this step. */
    reason: z.string(),
    problem: z.string().nullable(),
    problemText: z.string().nullable(),
    failureStage: z.enum(FAILURE_STAGES).nullable(),
    /** What the model wrote. */
    output: orNull(cutTextSchema),
    inputTokens: z.number().int(),
    outputTokens: z.number().int(),
    costMicros: z.number().int(),
    at: timeSchema,
    toolCalls: z.array(toolCallViewSchema),
    modelCalls: z.array(modelCallViewSchema),
  })
  .meta({ id: 'Turn' });
export type TurnView = z.infer<typeof turnViewSchema>;

export const attemptViewSchema = z
  .object({
    attempt: z.number().int(),
    /** False while it goes on; then what is known only at its end is null. */
    closed: z.boolean(),
    model: z.string().nullable(),
    promptVersion: z.string().nullable(),
    parameters: parametersSchema.nullable(),
    output: orNull(cutTextSchema),
    score: z.number().nullable(),
    passed: z.boolean(),
    verdicts: z.array(verdictSchema),
    /** What the next attempt was told. */
    correction: correctionSchema.nullable(),
    /** What the loop did next. */
    action: z.string().nullable(),
    stopReason: z.enum(REASONS).nullable(),
    askedPerson: z.boolean(),
    inputTokens: z.number().int(),
    outputTokens: z.number().int(),
    costMicros: z.number().int(),
    startedAt: timeSchema.nullable(),
    endedAt: timeSchema.nullable(),
    /** All its turns and tool calls; `turns` may hold fewer. */
    turnCount: z.number().int(),
    toolCallCount: z.number().int(),
    turns: z.array(turnViewSchema),
  })
  .meta({ id: 'Attempt' });
export type AttemptView = z.infer<typeof attemptViewSchema>;

export const planViewSchema = z
  .object({
    version: z.number().int(),
    goal: z.string(),
    steps: z.array(planStepSchema),
    /** Why the one before did not stand. */
    because: z.string().nullable(),
    accepted: z.boolean(),
    at: timeSchema,
  })
  .meta({ id: 'Plan' });
export type PlanView = z.infer<typeof planViewSchema>;

/** The facts of a task: what has happened so far. */
export const taskFactsSchema = z
  .object({
    plans: z.array(planViewSchema),
    attempts: z.array(attemptViewSchema),
    /** Cursor of `GET /v1/tasks/:taskId/turns` for the turns that `attempts` does not hold; null: it holds all. */
    nextTurns: z.string().nullable(),
    /** Model calls that belong to no turn. */
    modelCalls: z.array(modelCallViewSchema),
    approvals: z.array(approvalFieldsSchema),
    tuneChanges: z.array(z.object({ field: z.enum(TUNABLE), from: z.number(), to: z.number(), by: z.string(), at: timeSchema })),
    refusals: z.array(refusalSchema.extend({ at: timeSchema })),
    feedback: z.array(feedbackViewSchema),
    /** Number of the latest event; 0: none yet. */
    events: z.number().int(),
  })
  .meta({ id: 'TaskFacts' });
export type TaskFacts = z.infer<typeof taskFactsSchema>;

export const taskDetailSchema = taskSummarySchema
  .extend({
    /** JSON text, with secrets taken out. */
    input: orNull(cutTextSchema),
    /** JSON text of the best output by the agent's schema. */
    output: orNull(cutTextSchema),
    limits: z.record(z.string(), z.union([z.number(), z.boolean()])),
    parameters: z.record(z.string(), z.number().nullable()),
    /** The live state; null for a task that has closed. */
    state: orNull(taskStateViewSchema),
    view: taskFactsSchema,
    /** The result of the workflow; null while it runs. */
    result: outcomeSchema.nullable(),
    /** The task in the Temporal UI; null when its address is not known. */
    temporalUrl: z.string().nullable(),
  })
  .meta({ id: 'TaskDetail' });
export type TaskDetail = z.infer<typeof taskDetailSchema>;

export const turnsQuerySchema = pageQuerySchema.extend({ attempt: z.coerce.number().int().min(1).optional() });
export const turnPageSchema = pageOf(turnViewSchema, 'TurnPage');

export const blobParametersSchema = z.object({ taskId: z.string(), hash: z.string().regex(/^[0-9a-f]{64}$/, 'must be a sha256, 64 hex digits') });
