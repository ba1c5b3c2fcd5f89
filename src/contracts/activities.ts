/** The activities of `agentTask`, as the workflow sees them. Types only. Every one is idempotent by its ids. */
import type { Approval, DecisionRecord, Refusal } from './approval.ts';
import type { Append, Head } from './conversation.ts';
import type { Lesson, Reflection } from './experience.ts';
import type { Decision, ModelProblem } from './decision.ts';
import type { ModelParameters } from './limits.ts';
import type { RestoreChange, Tunable, TuneChange } from './messages.ts';
import type { Outcome } from './outcome.ts';
import type { Perception } from './perception.ts';
import type { Plan, VersionedPlan } from './plan.ts';
import type { Reason } from './reasons.ts';
import type { Snapshot } from './snapshot.ts';
import type { TaskInput } from './task-input.ts';
import type { CallProblem, RequestedCall, ToolCallResult } from './tool-call.ts';
import type { Usage } from './usage.ts';
import type { Correction, Verdict } from './verdict.ts';

/** What every activity after `loadSnapshot` is told about where it stands. */
export interface Place {
  taskId: string;
  agent: string;
  definitionHash: string;
  attempt: number;
  turn: number;
}

/** What a stage that calls a model is given. */
export interface ModelStage extends Place {
  head: Head;
  parameters: ModelParameters;
  /** Whole call, ms. */
  timeoutMs: number;
  /** Reserved for this call; a call that may use more is not sent (`token_budget` or `cost_budget`). */
  reserved: { tokens: number; costMicros: number };
  /** Appended before the call, in order. */
  appends: Append[];
}
export interface ModelStageResult {
  head: Head;
  usage: Usage;
  /** Tokens of the conversation at `head`. */
  contextTokens: number;
  problem: ModelProblem | null;
}

export interface LoadSnapshotInput {
  taskId: string;
  runId: string;
  start: TaskInput;
  startedAt: number;
}
export interface LoadSnapshotResult {
  snapshot: Snapshot;
  /** JSON text of the run before, or null at the first. */ checkpoint: string | null;
}

export interface PerceiveInput extends Omit<ModelStage, 'head'> {
  head: Head | null;
  /** 1, then one more for each answered question. */ round: number;
}
export interface PerceiveResult extends ModelStageResult {
  perception: Perception;
}

export interface PlanInput extends ModelStage {
  version: number;
  /** Why the plan before does not stand; null for the first. */ because: string | null;
  previous: VersionedPlan | null;
  /** Tools that have a successful result already. */ succeeded: string[];
}
export interface PlanResult extends ModelStageResult {
  plan: Plan | null;
}

export interface DecideInput extends ModelStage {
  /** The last call of an attempt that ran out of turns: no tools, answer with what is known. */
  final: boolean;
  plan: VersionedPlan | null;
}
export interface DecideActivityResult extends ModelStageResult {
  decision: Decision | null;
}

export interface CallToolInput extends Place {
  call: RequestedCall;
  argumentsHash: string;
  timeoutMs: number;
  approvalId: string | null;
}

export interface CheckArgumentsInput extends Place {
  call: RequestedCall;
  /** JSON text of the approver's edit; null: it is the blob `editedHash`. */ edited: string | null;
  editedHash: string | null;
}
export interface CheckArgumentsResult {
  call: RequestedCall;
  /** True: the arguments that would run are not the bytes that the approver sent, so they must be shown again. */ changed: boolean;
  /** What is other than the model asked for, field by field, cut; for the model. */ difference: string;
  problem: CallProblem | null;
}

export interface RecallInput extends Place {
  head: Head;
  perception: Perception | null;
}
export interface RecallResult {
  head: Head;
  contextTokens: number;
  lessons: Lesson[];
}

export interface ReflectInput extends ModelStage {
  outputHash: string | null;
  verdicts: Verdict[];
  /** Why there is no draft. */ problem: string | null;
}
export interface ReflectResult extends ModelStageResult {
  reflection: Reflection | null;
}

export interface ReviewInput extends ModelStage {
  outputHash: string;
}
export interface ReviewResult extends ModelStageResult {
  outputHash: string;
  changed: boolean;
}

export interface EvaluateInput extends Place {
  head: Head;
  perception: Perception | null;
  outputHash: string;
  /** Names of evaluators of one kind, run in this order; a failed hard one skips the rest. */
  evaluators: string[];
  parameters: ModelParameters;
  timeoutMs: number;
  reserved: { tokens: number; costMicros: number };
}
export interface EvaluateResult {
  verdicts: Verdict[];
  usage: Usage;
  problem: ModelProblem | null;
}

export interface CompactInput extends ModelStage {
  /** Of the task, from 1. */ round: number;
  contextTokens: number;
}
export interface CompactResult extends ModelStageResult {
  compacted: boolean;
}

export interface RecordApprovalInput extends Place {
  approval: Approval;
  /** Blob whose text is the payload (a call's arguments, a human evaluator's output); null when `approval.payload` is whole. */
  payloadHash: string | null;
  /** What has come due by itself, for which people are told. */
  prompts: ('reminded' | 'escalated')[];
}
export interface RecordApprovalResult {
  /** For people: at most 4,000 characters of the payload. */ payload: string;
}

/** A local activity: short, and idempotent by the decision's token (or person) and time. */
export interface AuditDecisionInput {
  taskId: string;
  tenant: string;
  before: Approval;
  after: Approval;
  /** Whole: a long value is stored as a blob. */
  record: DecisionRecord;
}
export interface AuditDecisionResult {
  /** The key that signed was revoked: the decision counts for nothing. */ revoked: boolean;
}

export interface TakeOutputInput extends Place {
  /** What a person wrote: JSON text or plain text; null: it is the blob `textHash`. */ text: string | null;
  textHash: string | null;
}
export interface TakeOutputResult {
  /** Blob of the output by the agent's schema; null when the text does not fit it. */ outputHash: string | null;
}

export interface CloseAttemptInput extends Place {
  /** Where the attempt began: the next one forks from here. */
  startHead: Head;
  endHead: Head;
  outputHash: string | null;
  score: number | null;
  passed: boolean;
  /** Of this attempt. */
  usage: Usage;
  turns: number;
  verdicts: Verdict[];
  /** Null on the last attempt. */
  correction: Correction | null;
  stopReason: Reason | null;
  /** What the loop does next, for the log line: `correct`, `pass`, `hand off` … */
  action: string;
  /** A sentence on why; never empty. */
  explanation: string;
  parameters: ModelParameters;
  model: string;
  appends: Append[];
  changes: TuneChange[];
  refusals: Refusal[];
  restores: RestoreChange[];
  askedPerson: boolean;
  startedAt: number;
  endedAt: number;
  /** So far in the task. */
  total: Usage;
}
/** Stored settings of the agent that changed since the task began; they apply from the next attempt. */
export interface StoredSetting {
  field: Tunable;
  value: number;
  by: string;
  /** Unix ms */ changedAt: number;
}
export interface CloseAttemptResult {
  head: Head;
  contextTokens: number;
  settings: StoredSetting[];
}

export interface CloseTaskInput extends Place {
  outcome: Omit<Outcome, 'text' | 'output'>;
  /** Said instead of the agent's own words (a refusal, a person's answer). */
  text: string | null;
  head: Head | null;
  appends: Append[];
  changes: TuneChange[];
  refusals: Refusal[];
  restores: RestoreChange[];
  language: string;
  perception: Perception | null;
  endedAt: number;
}

export interface AgentTaskActivities {
  loadSnapshot(input: LoadSnapshotInput): Promise<LoadSnapshotResult>;
  perceive(input: PerceiveInput): Promise<PerceiveResult>;
  plan(input: PlanInput): Promise<PlanResult>;
  recall(input: RecallInput): Promise<RecallResult>;
  decide(input: DecideInput): Promise<DecideActivityResult>;
  callTool(input: CallToolInput): Promise<ToolCallResult>;
  checkArguments(input: CheckArgumentsInput): Promise<CheckArgumentsResult>;
  review(input: ReviewInput): Promise<ReviewResult>;
  evaluate(input: EvaluateInput): Promise<EvaluateResult>;
  reflect(input: ReflectInput): Promise<ReflectResult>;
  compact(input: CompactInput): Promise<CompactResult>;
  recordApproval(input: RecordApprovalInput): Promise<RecordApprovalResult>;
  auditDecision(input: AuditDecisionInput): Promise<AuditDecisionResult>;
  takeOutput(input: TakeOutputInput): Promise<TakeOutputResult>;
  closeAttempt(input: CloseAttemptInput): Promise<CloseAttemptResult>;
  closeTask(input: CloseTaskInput): Promise<Outcome>;
  saveCheckpoint(input: { taskId: string; runId: string; state: string }): Promise<{ checkpoint: string }>;
}
