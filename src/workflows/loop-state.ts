import type { Approval, Refusal } from '../contracts/approval.ts';
import type { Append, Head } from '../contracts/conversation.ts';
import type { Limits, ModelParameters } from '../contracts/limits.ts';
import type { RestoreChange, TuneChange } from '../contracts/messages.ts';
import type { AttemptSummary, Outcome } from '../contracts/outcome.ts';
import type { Lesson } from '../contracts/experience.ts';
import type { Perception } from '../contracts/perception.ts';
import type { VersionedPlan } from '../contracts/plan.ts';
import type { Phase } from '../contracts/reasons.ts';
import type { Snapshot } from '../contracts/snapshot.ts';
import type { TaskState } from '../contracts/task-state.ts';
import type { Usage } from '../contracts/usage.ts';
import { emptyLedger, EMPTY_USAGE, type BudgetLedger } from '../policy/budget.ts';
import type { Best } from '../policy/best.ts';
import type { ToolResultFields } from '../policy/conditions.ts';
import type { UsedToken } from '../policy/decider.ts';
import type { CallRecord } from '../policy/repetition.ts';

/** A message that arrived and was not yet given to the model. */
export interface InboxMessage {
  id: string;
  text: string;
  by: string;
}

/** What the attempts so far came to, for the oscillation and same-issue checks. */
export interface AttemptRecord {
  score: number | null;
  outputHash: string | null;
  fingerprints: string[];
}

/**
 * Where the loop stands. Plain JSON: it is the checkpoint of continue-as-new. A run that rolls over in the middle of a turn goes back to
 * the state at the turn's start; every activity answers a second call with what it had stored, so nothing is done or paid twice.
 */
export interface LoopState {
  snapshot: Snapshot | null;
  perception: Perception | null;
  perceiveRound: number;
  head: Head | null;
  contextTokens: number;
  opened: boolean;
  attempt: number;
  turn: number;
  turns: number;
  attemptStart: Head | null;
  attemptStartedAt: number;
  /** ms waited for people before this attempt began. */
  waitedBeforeAttempt: number;
  attemptTurns: number;
  attemptUsage: Usage;
  plan: VersionedPlan | null;
  planVersions: number;
  results: ToolResultFields[];
  callHistory: CallRecord[];
  rejectedCalls: string[];
  calls: Outcome['calls'];
  toolCalls: number;
  appends: Append[];
  ledger: BudgetLedger;
  best: Best | null;
  attempts: AttemptSummary[];
  records: AttemptRecord[];
  cooled: boolean;
  oscillated: boolean;
  unusableAnswers: number;
  /** Summaries asked for in the task; numbers their keys. */
  compactions: number;
  failedCompactions: number;
  lastDecision: TaskState['lastDecision'];
  /** Experiences that were put before the model. */
  lessons: Lesson[];
}

/** What people and handlers change at any moment; kept as it is when a run rolls over. */
export interface LiveState {
  phase: Phase;
  detail: string;
  limits: Limits | null;
  parameters: ModelParameters | null;
  approvals: Approval[];
  /** Ids of approvals whose row is being written: they can be decided, and are not shown yet. */
  opening: string[];
  /** Ids of approvals whose row is behind: a vote or a decision that is not written yet. */
  unwritten: string[];
  usedTokens: UsedToken[];
  inbox: InboxMessage[];
  seenMessages: string[];
  messagesReceived: number;
  /** The newest, for the state query. */
  changes: TuneChange[];
  refusals: Refusal[];
  restores: RestoreChange[];
  /** The output that a person made the current one; null: the loop's own best is. */
  restored: Best | null;
  /** Refusals so far; beyond a number they are counted and no longer recorded one by one. */
  refused: number;
  /** Not rows yet: the next activity that closes something writes them. */
  unrecorded: { changes: TuneChange[]; refusals: Refusal[]; restores: RestoreChange[] };
  questionsAsked: number;
  askedPerson: boolean;
  startedAt: number;
  waitedMs: number;
  outcome: Outcome | null;
}

export function newLoopState(): LoopState {
  return {
    snapshot: null,
    perception: null,
    perceiveRound: 0,
    head: null,
    contextTokens: 0,
    opened: false,
    attempt: 0,
    turn: 0,
    turns: 0,
    attemptStart: null,
    attemptStartedAt: 0,
    waitedBeforeAttempt: 0,
    attemptTurns: 0,
    attemptUsage: EMPTY_USAGE,
    plan: null,
    planVersions: 0,
    results: [],
    callHistory: [],
    rejectedCalls: [],
    calls: [],
    toolCalls: 0,
    appends: [],
    ledger: emptyLedger(),
    best: null,
    attempts: [],
    records: [],
    cooled: false,
    oscillated: false,
    unusableAnswers: 0,
    compactions: 0,
    failedCompactions: 0,
    lastDecision: null,
    lessons: [],
  };
}

export function newLiveState(startedAt: number): LiveState {
  return {
    phase: 'starting',
    detail: 'resolving the agent',
    limits: null,
    parameters: null,
    approvals: [],
    opening: [],
    unwritten: [],
    usedTokens: [],
    inbox: [],
    seenMessages: [],
    messagesReceived: 0,
    changes: [],
    refusals: [],
    restores: [],
    restored: null,
    refused: 0,
    unrecorded: { changes: [], refusals: [], restores: [] },
    questionsAsked: 0,
    askedPerson: false,
    startedAt,
    waitedMs: 0,
    outcome: null,
  };
}

/** The checkpoint's text. */
export interface Checkpoint {
  loop: LoopState;
  live: LiveState;
}

/** The output that the task would return now: what a person restored, else the best. */
export function bestOf({ loop, live }: Checkpoint): Best | null {
  return live.restored ?? loop.best;
}

/** Long tasks keep the newest of what only serves checks and display, so that a checkpoint stays small. */
export function trimmed({ loop, live }: Checkpoint): Checkpoint {
  return {
    loop: { ...loop, results: loop.results.slice(-60), callHistory: loop.callHistory.slice(-40), calls: loop.calls.slice(-30), rejectedCalls: loop.rejectedCalls.slice(-50) },
    live: { ...live, seenMessages: live.seenMessages.slice(-500) },
  };
}

/** Decided approvals that are kept once their turn is over. */
const KEPT_DECIDED = 20;

/** All that wait, and the newest of the others, in their order. */
export function recentApprovals(approvals: Approval[]): Approval[] {
  const decided = approvals.filter((approval) => approval.status !== 'pending');
  const old = new Set(decided.slice(0, Math.max(0, decided.length - KEPT_DECIDED)));
  return old.size === 0 ? approvals : approvals.filter((approval) => !old.has(approval));
}
