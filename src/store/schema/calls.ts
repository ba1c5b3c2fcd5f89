/** What models and tools were asked, and how it ended. */
import type { Generated } from 'kysely';
import type { FailureStage, Risk, ToolCallStatus } from '../../contracts/reasons.ts';
import type { Fields } from '../../contracts/tool-call.ts';
import type { Time, OptionalTime, DefaultTime } from './columns.ts';

/** How one HTTP call to a model ended. `sent`: not yet, or its worker died with it. */
export const MODEL_CALL_STATUSES = ['sent', 'ok', 'refused', 'content_filter', 'empty', 'truncated', 'error', 'timeout', 'interrupted', 'aborted'] as const;

export type ModelCallStatus = (typeof MODEL_CALL_STATUSES)[number];

export const DECISION_TYPES = ['tool', 'answer', 'ask', 'handoff'] as const;

export interface TurnTable {
  taskId: string;
  attempt: number;
  turn: number;
  decisionType: (typeof DECISION_TYPES)[number] | null;
  tools: string[];
  confidence: number | null;
  reason: string;
  problem: string | null;
  problemText: string | null;
  failureStage: FailureStage | null;
  headHash: string | null;
  inputTokens: Generated<number>;
  outputTokens: Generated<number>;
  costMicros: Generated<number>;
  createdAt: DefaultTime;
}

export interface ModelCallTable {
  id: string;
  taskId: string | null;
  attempt: number | null;
  turn: number | null;
  purpose: string;
  key: string;
  model: string;
  status: ModelCallStatus;
  httpStatus: number | null;
  retryAfterMs: number | null;
  error: string | null;
  responseId: string | null;
  finishReason: string | null;
  inputTokens: number | null;
  outputTokens: number | null;
  costMicros: Generated<number>;
  estimated: Generated<boolean>;
  temperature: number | null;
  maxTokens: number | null;
  startedAt: Time;
  durationMs: number;
}

export interface ModelReplyTable {
  key: string;
  taskId: string | null;
  reply: string;
  createdAt: DefaultTime;
}

export interface ToolCallTable {
  taskId: string;
  callId: string;
  attempt: number;
  turn: number;
  tool: string;
  toolVersion: string | null;
  risk: Risk;
  argumentsHash: string | null;
  arguments: string | null;
  status: 'started' | ToolCallStatus;
  idempotencyKey: string | null;
  resultHash: string | null;
  fields: Fields | null;
  code: string | null;
  reason: string | null;
  retryable: Generated<boolean>;
  failureStage: FailureStage | null;
  approvalId: string | null;
  executions: Generated<number>;
  verdict: unknown;
  confidence: number | null;
  why: string | null;
  startedAt: DefaultTime;
  endedAt: OptionalTime;
  durationMs: number | null;
}
