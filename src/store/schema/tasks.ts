/** Tasks, their attempts and what was said to them. */
import type { Generated } from 'kysely';
import type { ModelParameters } from '../../contracts/limits.ts';
import type { Tunable } from '../../contracts/messages.ts';
import type { PlanStep } from '../../contracts/plan.ts';
import type { FailureStage, OutcomeKind, Phase, Reason, RefusalCode, MessageKindName } from '../../contracts/reasons.ts';
import type { Snapshot } from '../../contracts/snapshot.ts';
import type { Correction, EvaluatorKind } from '../../contracts/verdict.ts';
import type { ExperimentPlace } from '../../contracts/task-input.ts';
import type { Time, OptionalTime, DefaultTime } from './columns.ts';

export interface AgentDefinitionTable {
  hash: string;
  agent: string;
  version: string;
  definition: unknown;
  createdAt: DefaultTime;
}

export interface TaskTable {
  taskId: string;
  agent: string;
  agentVersion: string | null;
  situation: string | null;
  definitionHash: string | null;
  channel: string;
  tenant: Generated<string>;
  approvers: string[] | null;
  sessionId: string | null;
  experimentId: string | null;
  experiment: ExperimentPlace | null;
  lastEvent: Generated<number>;
  conversationId: string | null;
  runId: string | null;
  inputHash: string | null;
  language: string | null;
  intent: string | null;
  startedBy: string;
  phase: Phase;
  outcome: OutcomeKind | null;
  reason: Reason | null;
  explanation: string | null;
  text: string | null;
  outputHash: string | null;
  score: number | null;
  bestAttempt: number | null;
  attempts: Generated<number>;
  turns: Generated<number>;
  toolCalls: Generated<number>;
  inputTokens: Generated<number>;
  outputTokens: Generated<number>;
  costMicros: Generated<number>;
  waitedMs: Generated<number>;
  askedPerson: Generated<boolean>;
  oscillated: Generated<boolean>;
  failureStage: FailureStage | null;
  snapshot: Snapshot | null;
  startedAt: DefaultTime;
  endedAt: OptionalTime;
  updatedAt: DefaultTime;
}

export interface PlanTable {
  taskId: string;
  version: number;
  goal: string;
  steps: PlanStep[];
  because: string | null;
  problems: unknown[] | null;
  accepted: boolean;
  createdAt: DefaultTime;
}

export interface AttemptTable {
  taskId: string;
  attempt: number;
  promptVersion: string | null;
  model: string | null;
  parameters: ModelParameters | null;
  promptStructure: { label: string; tokens: number }[] | null;
  outputHash: string | null;
  outputSummary: string | null;
  score: number | null;
  passed: Generated<boolean>;
  evaluators: { name: string; kind: EvaluatorKind; score: number | null }[] | null;
  correction: Correction | null;
  inputTokens: Generated<number>;
  outputTokens: Generated<number>;
  costMicros: Generated<number>;
  estimated: Generated<boolean>;
  turns: Generated<number>;
  askedPerson: Generated<boolean>;
  stopReason: Reason | null;
  action: string | null;
  traceId: string | null;
  startedAt: DefaultTime;
  endedAt: OptionalTime;
}

export interface TuneChangeTable {
  id: string;
  taskId: string;
  field: Tunable;
  fromValue: number;
  toValue: number;
  changedBy: string;
  changedAt: Time;
}

export interface RefusalTable {
  id: string;
  taskId: string;
  message: MessageKindName;
  code: RefusalCode;
  text: string;
  refusedAt: Time;
}

export interface CheckpointTable {
  taskId: string;
  runId: string;
  state: string;
  createdAt: DefaultTime;
}

export interface AgentSettingTable {
  seq: Generated<number>;
  agent: string;
  field: Tunable;
  fromValue: number | null;
  value: number;
  changedBy: string;
  changedAt: DefaultTime;
}

export interface TaskEventTable {
  taskId: string;
  key: string;
  type: string;
  attempt: number;
  detail: Record<string, unknown>;
  number: number;
  tenant: string;
  seq: Generated<number>;
  at: DefaultTime;
}
