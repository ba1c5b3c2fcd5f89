import type { Transaction } from 'kysely';
import { createApiKeys, type ApiKeys } from './api-keys.ts';
import { createApprovals, type Approvals } from './approvals.ts';
import { createAudit, type Audit } from './audit.ts';
import { createAttempts, type Attempts } from './attempts.ts';
import { createBlobs, type Blobs } from './blobs.ts';
import { createCheckpoints, type Checkpoints } from './checkpoints.ts';
import { createConsents, type Consents } from './consents.ts';
import { createConversations, type Conversations } from './conversations.ts';
import { openDatabase, type Executor } from './database.ts';
import { createDatasets, type Datasets } from './datasets.ts';
import { createChatSessions, type ChatSessions } from './chat-sessions.ts';
import { createDefinitions, type Definitions } from './definitions.ts';
import { createRefusals, createTuneChanges, type Refusals, type TuneChanges } from './messages.ts';
import { createExperiments, type Experiments } from './experiments.ts';
import { createExperiences, type Experiences } from './experiences.ts';
import { createModelCalls, createModelReplies, type ModelCalls, type ModelReplies } from './model-replies.ts';
import type { NotificationRouter } from '../contracts/notification.ts';
import { createNotifications, type Notifications } from './notifications.ts';
import { createFeedback, type FeedbackStore } from './feedback.ts';
import { createPlans, type Plans } from './plans.ts';
import { createQueueRequests, type QueueRequests } from './queue-requests.ts';
import { createRules, type Rules } from './rules.ts';
import { createSandboxRuns, type SandboxRuns } from './sandbox-runs.ts';
import { createSigningKeys, type SigningKeys } from './signing-keys.ts';
import { createBrowserSessions, createSignInLinks, type BrowserSessions, type SignInLinks } from './sign-in.ts';
import { createSettings, type Settings } from './settings.ts';
import { createStreams, type Streams } from './streams.ts';
import { createTaskEvents, type TaskEvents } from './task-events.ts';
import type { Database } from './schema.ts';
import { readTaskView, type TaskView } from './task-view.ts';
import { createTasks, type TaskFilter, type TaskRow, type Tasks } from './tasks.ts';
import { createToolCalls, type ToolCalls } from './tool-calls.ts';
import { createTurns, type Turns } from './turns.ts';
import { createVerdicts, type Verdicts } from './verdicts.ts';

/**
 * The Postgres layer. Every method of a repository takes an executor as its last argument: pass the one of {@link Store.transaction} to make
 * several writes one. Rows have camelCase names and `Date`s; times go in as `Date` or Unix ms.
 */
export interface Store {
  /** For queries of one's own and for agents' tools; names are those of SQL. */
  database: Executor;
  blobs: Blobs;
  conversations: Conversations;
  definitions: Definitions;
  tasks: Tasks;
  plans: Plans;
  attempts: Attempts;
  turns: Turns;
  modelCalls: ModelCalls;
  modelReplies: ModelReplies;
  toolCalls: ToolCalls;
  verdicts: Verdicts;
  approvals: Approvals;
  audit: Audit;
  signingKeys: SigningKeys;
  apiKeys: ApiKeys;
  signInLinks: SignInLinks;
  browserSessions: BrowserSessions;
  checkpoints: Checkpoints;
  refusals: Refusals;
  tuneChanges: TuneChanges;
  experiences: Experiences;
  experiments: Experiments;
  settings: Settings;
  taskEvents: TaskEvents;
  streams: Streams;
  chatSessions: ChatSessions;
  feedback: FeedbackStore;
  rules: Rules;
  datasets: Datasets;
  consents: Consents;
  sandboxRuns: SandboxRuns;
  notifications: Notifications;
  queueRequests: QueueRequests;
  /** All or nothing: commits when `work` returns, rolls back when it throws. */
  transaction<Result>(work: (transaction: Transaction<Database>) => Promise<Result>): Promise<Result>;
  /** Everything that is known of a task, or null. */
  taskView(taskId: string): Promise<TaskView | null>;
  /** Newest first. */
  listTasks(filter?: TaskFilter): Promise<TaskRow[]>;
  close(): Promise<void>;
}

/** Opens the store on a migrated database. Nothing connects until the first query. */
export function openStore(options: { url: string; poolSize?: number; /** Who is told of what; default nobody. */ notifies?: NotificationRouter }): Store {
  const database = openDatabase(options.url, { poolSize: options.poolSize });
  const tasks = createTasks(database);
  const taskEvents = createTaskEvents(database);
  const audit = createAudit(database);
  const store: Store = {
    database,
    blobs: createBlobs(database),
    conversations: createConversations(database),
    definitions: createDefinitions(database),
    tasks,
    plans: createPlans(database),
    attempts: createAttempts(database),
    turns: createTurns(database),
    modelCalls: createModelCalls(database),
    modelReplies: createModelReplies(database),
    toolCalls: createToolCalls(database),
    verdicts: createVerdicts(database),
    approvals: createApprovals(database),
    audit,
    signingKeys: createSigningKeys(database),
    apiKeys: createApiKeys(database, audit),
    signInLinks: createSignInLinks(database, audit),
    browserSessions: createBrowserSessions(database),
    checkpoints: createCheckpoints(database),
    refusals: createRefusals(database),
    tuneChanges: createTuneChanges(database),
    experiences: createExperiences(database),
    experiments: createExperiments(database),
    settings: createSettings(database, audit),
    taskEvents,
    streams: createStreams(database),
    chatSessions: createChatSessions(database),
    feedback: createFeedback(database, taskEvents),
    rules: createRules(database, audit),
    datasets: createDatasets(database),
    consents: createConsents(database, audit),
    sandboxRuns: createSandboxRuns(database),
    notifications: createNotifications(database, options.notifies),
    queueRequests: createQueueRequests(database),
    transaction: (work) => database.transaction().execute(work),
    taskView: (taskId) => readTaskView(store, taskId),
    listTasks: (filter) => tasks.list(filter),
    close: () => database.destroy(),
  };
  return store;
}
