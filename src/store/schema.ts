/** The tables as the repositories see them: camelCase here, snake_case in SQL. Meaning of every column: `migrations/`. */
import type { ColumnType, Generated, Insertable, Selectable, Updateable } from 'kysely';
import type { Approval } from '../contracts/approval.ts';
import type { Message } from '../contracts/conversation.ts';
import type { Experience } from '../contracts/experience.ts';
import type { ModelParameters } from '../contracts/limits.ts';
import type { Tunable } from '../contracts/messages.ts';
import type { PlanStep } from '../contracts/plan.ts';
import type { ApprovalKind, DecisionKind, FailureStage, OutcomeKind, Phase, Reason, RefusalCode, Risk, ToolCallStatus } from '../contracts/reasons.ts';
import type { CodeResult } from '../contracts/sandbox.ts';
import type { Snapshot } from '../contracts/snapshot.ts';
import type { Fields } from '../contracts/tool-call.ts';
import type { Correction, EvaluatorKind, Issue, Verdict } from '../contracts/verdict.ts';

/** A `Date` comes out; a `Date` or Unix ms goes in. */
export type Moment = Date | number;
type Time = ColumnType<Date, Moment, Moment>;
type OptionalTime = ColumnType<Date | null, Moment | null | undefined, Moment | null>;
type DefaultTime = ColumnType<Date, Moment | undefined, Moment>;

/** How one HTTP call to a model ended. `sent`: not yet, or its worker died with it. */
export const MODEL_CALL_STATUSES = ['sent', 'ok', 'refused', 'content_filter', 'empty', 'truncated', 'error', 'timeout', 'interrupted', 'aborted'] as const;
export type ModelCallStatus = (typeof MODEL_CALL_STATUSES)[number];

export const DECISION_TYPES = ['tool', 'answer', 'ask', 'handoff'] as const;
export const MESSAGE_ROLES = ['system', 'user', 'assistant', 'tool'] as const;
export const MESSAGE_LABELS = [
  'instructions',
  'task',
  'perception',
  'plan',
  'recall',
  'turn',
  'tool_result',
  'notice',
  'user',
  'draft',
  'correction',
  'summary',
  'answer',
] as const satisfies readonly Message['label'][];
export const APPROVAL_STATUSES = ['pending', 'approved', 'rejected', 'edited', 'responded', 'expired', 'withdrawn'] as const satisfies readonly Approval['status'][];

export interface BlobTable {
  hash: string;
  content: string;
  bytes: number;
  createdAt: DefaultTime;
}

export interface ConversationTable {
  conversationId: string;
  createdAt: DefaultTime;
}
export interface ConversationNodeTable {
  hash: string;
  conversationId: string;
  parentHash: string | null;
  sequence: number;
  bodyHash: string;
  totalTokens: number;
  createdAt: DefaultTime;
}
export interface MessageBodyTable {
  hash: string;
  role: Message['role'];
  content: string | null;
  toolCalls: string | null;
  toolCallId: string | null;
  label: Message['label'];
  pins: string[] | null;
  tokens: number;
  createdAt: DefaultTime;
}

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
  definitionHash: string | null;
  channel: string;
  conversationId: string | null;
  runId: string | null;
  inputHash: string | null;
  language: string | null;
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

export interface VerdictTable {
  taskId: string;
  attempt: number;
  evaluator: string;
  kind: EvaluatorKind;
  hard: boolean;
  weight: number;
  status: Verdict['status'];
  passed: boolean;
  score: number | null;
  evidence: string;
  keep: string[];
  model: string | null;
  createdAt: DefaultTime;
}
export interface IssueTable {
  taskId: string;
  attempt: number;
  evaluator: string;
  position: number;
  type: string;
  subject: string;
  message: string;
  evidence: string | null;
  fix: string | null;
  severity: Issue['severity'];
  fingerprint: string;
}

export interface ApprovalTable {
  taskId: string;
  approvalId: string;
  kind: ApprovalKind;
  risk: Risk;
  summary: string;
  payload: string;
  hash: string | null;
  tool: string | null;
  status: Approval['status'];
  onTimeout: Approval['onTimeout'];
  createdAt: Time;
  expiresAt: Time;
  decidedAt: OptionalTime;
  decidedBy: string | null;
  decision: DecisionKind | null;
  decisionReason: string | null;
  decisionValue: string | null;
  via: 'update' | 'signal' | 'timeout' | null;
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
  message: 'decide' | 'message' | 'tune' | 'cancel';
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

/** DESIGN §1: the way of a rule. */
export const RULE_STATUSES = ['candidate', 'in_review', 'preview', 'canary', 'live', 'retired', 'rejected'] as const;
export type RuleStatus = (typeof RULE_STATUSES)[number];

export const SANDBOX_STATUSES = ['ok', 'error', 'timeout', 'killed', 'refused', 'output_limit', 'memory_limit'] as const satisfies readonly CodeResult['status'][];

export interface ExperienceTable {
  experienceId: string;
  agent: string;
  tenant: string;
  taskId: string;
  attempt: number;
  outcome: Experience['outcome'];
  situation: string;
  stage: string | null;
  errorType: string | null;
  rootCause: string | null;
  fix: string | null;
  evidence: string | null;
  reward: number | null;
  confidence: number;
  verified: Generated<boolean>;
  timesSeen: Generated<number>;
  mergeKey: string;
  terms: string[];
  createdAt: Time;
  lastSeenAt: Time;
  supersededBy: string | null;
  retiredAt: OptionalTime;
}
export interface ExperienceSourceTable {
  sourceId: string;
  experienceId: string;
  taskId: string;
  attempt: number;
  rootCause: string | null;
  evidence: string | null;
  reward: number | null;
  createdAt: Time;
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
  seq: Generated<number>;
  at: DefaultTime;
}
export interface RuleTable {
  ruleId: string;
  version: number;
  agent: string;
  content: string;
  contentHash: string;
  status: Generated<RuleStatus>;
  createdBy: string;
  createdAt: DefaultTime;
}
export interface RuleSourceTable {
  ruleId: string;
  version: number;
  taskId: string;
  attempt: number;
  quote: string;
}
export interface SandboxRunTable {
  runId: string;
  taskId: string | null;
  callId: string | null;
  codeHash: string;
  driver: string | null;
  language: string;
  limits: Record<string, number>;
  status: CodeResult['status'];
  durationMs: number;
  createdAt: DefaultTime;
}

export interface Tables {
  experience: ExperienceTable;
  experienceSource: ExperienceSourceTable;
  agentSetting: AgentSettingTable;
  taskEvent: TaskEventTable;
  rule: RuleTable;
  ruleSource: RuleSourceTable;
  sandboxRun: SandboxRunTable;
  blob: BlobTable;
  conversation: ConversationTable;
  conversationNode: ConversationNodeTable;
  messageBody: MessageBodyTable;
  agentDefinition: AgentDefinitionTable;
  task: TaskTable;
  plan: PlanTable;
  attempt: AttemptTable;
  turn: TurnTable;
  modelCall: ModelCallTable;
  modelReply: ModelReplyTable;
  toolCall: ToolCallTable;
  verdict: VerdictTable;
  issue: IssueTable;
  approval: ApprovalTable;
  tuneChange: TuneChangeTable;
  refusal: RefusalTable;
  checkpoint: CheckpointTable;
}

type Snake<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? First extends Lowercase<First>
    ? `${First}${Snake<Rest>}`
    : `_${Lowercase<First>}${Snake<Rest>}`
  : Name;

/** The tables under their SQL names, for whoever writes queries on `store.database`. */
export type Database = { [Table in keyof Tables as Snake<Table>]: { [Column in keyof Tables[Table] as Snake<Column & string>]: Tables[Table][Column] } };

/** What comes out of a table, goes into it, and may be changed in it. Times go in as `Date` or Unix ms. */
export type Row<Table extends keyof Tables> = Selectable<Tables[Table]>;
export type NewRow<Table extends keyof Tables> = Partial<Insertable<Tables[Table]>> & RequiredColumns<Table>;
export type Change<Table extends keyof Tables> = Updateable<Tables[Table]>;

/** Columns that may not be left out: neither nullable nor with a default. */
type RequiredColumns<Table extends keyof Tables> = {
  [
    Column in keyof Insertable<Tables[Table]> as null extends Insertable<Tables[Table]>[Column] ? never : undefined extends Insertable<Tables[Table]>[Column] ? never : Column
  ]: Insertable<Tables[Table]>[Column];
};
