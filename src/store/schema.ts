/** The tables as the repositories see them: camelCase here, snake_case in SQL. Meaning of every column: `migrations/`. */
import type { Insertable, Selectable, Updateable } from 'kysely';
import type { ApprovalTable } from './schema/approvals.ts';
import type { AuditTable, AuditHeadTable } from './schema/audit.ts';
import type { TurnTable, ModelCallTable, ModelReplyTable, ToolCallTable } from './schema/calls.ts';
import type { ConsentTable } from './schema/consent.ts';
import type { GateLedgerTable } from './schema/experiments.ts';
import type { BlobTable, ConversationTable, ConversationNodeTable, MessageBodyTable } from './schema/conversations.ts';
import type { SigningKeyTable, ApiKeyTable, SignInLinkTable, BrowserSessionTable } from './schema/identity.ts';
import type { DocumentTable, KnowledgeChunkTable } from './schema/knowledge.ts';
import type { EvaluatorHealthTable, JudgeRepeatTable, ReviewSampleTable } from './schema/judges.ts';
import type { VerdictTable, IssueTable } from './schema/judgement.ts';
import type { AttemptContextTable, DatasetCaseTable, DatasetTable, ExperimentRunTable, ExperimentTable, TransitionTable } from './schema/learning.ts';
import type { FailureClusterTable, LearnFindingTable, LearnRunTable } from './schema/learn.ts';
import type { ExperienceTable, ExperienceSourceTable, RuleTable, RuleChunkTable, RuleSourceTable } from './schema/memory.ts';
import type { NotificationTable } from './schema/notifications.ts';
import type { PromptLabelTable, PromptVersionTable, ToolVersionTable } from './schema/prompts.ts';
import type { QueueRequestTable } from './schema/queue.ts';
import type { SandboxRunTable } from './schema/sandbox.ts';
import type { BusinessOutcomeTable, ChatSessionTable, ChatMessageTable, FeedbackTable } from './schema/sessions.ts';
import type { StreamChunkTable } from './schema/streams.ts';
import type {
  AgentDefinitionTable,
  TaskTable,
  PlanTable,
  AttemptTable,
  CheckpointTable,
  TuneChangeTable,
  RefusalTable,
  TaskEventTable,
  AgentSettingTable,
} from './schema/tasks.ts';

export * from './schema/approvals.ts';
export * from './schema/audit.ts';
export * from './schema/calls.ts';
export * from './schema/columns.ts';
export * from './schema/consent.ts';
export * from './schema/conversations.ts';
export * from './schema/experiments.ts';
export * from './schema/identity.ts';
export * from './schema/judgement.ts';
export * from './schema/learn.ts';
export * from './schema/knowledge.ts';
export * from './schema/judges.ts';
export * from './schema/learning.ts';
export * from './schema/memory.ts';
export * from './schema/notifications.ts';
export * from './schema/prompts.ts';
export * from './schema/queue.ts';
export * from './schema/sandbox.ts';
export * from './schema/sessions.ts';
export * from './schema/streams.ts';
export * from './schema/tasks.ts';

export interface Tables {
  experience: ExperienceTable;
  document: DocumentTable;
  knowledgeChunk: KnowledgeChunkTable;
  experienceSource: ExperienceSourceTable;
  agentSetting: AgentSettingTable;
  taskEvent: TaskEventTable;
  rule: RuleTable;
  ruleSource: RuleSourceTable;
  ruleChunk: RuleChunkTable;
  transition: TransitionTable;
  attemptContext: AttemptContextTable;
  dataset: DatasetTable;
  datasetCase: DatasetCaseTable;
  consent: ConsentTable;
  experiment: ExperimentTable;
  experimentRun: ExperimentRunTable;
  gateLedger: GateLedgerTable;
  failureCluster: FailureClusterTable;
  learnRun: LearnRunTable;
  learnFinding: LearnFindingTable;
  promptVersion: PromptVersionTable;
  promptLabel: PromptLabelTable;
  toolVersion: ToolVersionTable;
  sandboxRun: SandboxRunTable;
  streamChunk: StreamChunkTable;
  chatSession: ChatSessionTable;
  chatMessage: ChatMessageTable;
  feedback: FeedbackTable;
  businessOutcome: BusinessOutcomeTable;
  notification: NotificationTable;
  queueRequest: QueueRequestTable;
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
  reviewSample: ReviewSampleTable;
  judgeRepeat: JudgeRepeatTable;
  evaluatorHealth: EvaluatorHealthTable;
  verdict: VerdictTable;
  issue: IssueTable;
  approval: ApprovalTable;
  audit: AuditTable;
  auditHead: AuditHeadTable;
  signingKey: SigningKeyTable;
  apiKey: ApiKeyTable;
  signInLink: SignInLinkTable;
  browserSession: BrowserSessionTable;
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
