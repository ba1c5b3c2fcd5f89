/** What is learned, and how it is proved. Types only: workflow code imports them. */
import type { CaseKind, GateDecision, RuleKind, RuleStatus } from './reasons.ts';
import type { Exposure } from './snapshot.ts';

/** What a rule of a kind holds beside its sentence. */
export type RulePayload =
  /** `example`: what an attempt did, and what was right; `situation` says when it fits. */
  | { situation: string; wrong: string; right: string }
  /** `instructions`: `base` is the hash of the agent's own instructions that they replace; once those change, they count no more. */
  | { instructions: string; base: string }
  /** `tool_description` */
  | { tool: string; description: string };

/** A rule as a prompt needs it. */
export interface LearnedRule {
  ruleId: string;
  version: number;
  kind: RuleKind;
  content: string;
  payload: RulePayload | null;
}

/** What a task's prompt gets beside the agent's definition, resolved once by `loadSnapshot`. */
export interface Learned {
  rules: LearnedRule[];
  /** Of rules in its scope, also of those it was kept from having. */
  exposure: Exposure[];
}

export interface RuleRef {
  ruleId: string;
  version: number;
}

/** Where a rule comes from. The quote stands word for word in the attempt's trace, or the proposal is refused. */
export interface RuleSource {
  taskId: string;
  attempt: number;
  quote: string;
}

/** What somebody or something proposes for an agent. */
export interface RuleProposal {
  agent: string;
  tenant: string;
  kind: RuleKind;
  /** The sentence; of the other kinds, one line on what changes. */
  content: string;
  payload: RulePayload | null;
  /** `reflection (rule)`, `learn`, or a subject. */
  createdBy: string;
  sources: RuleSource[];
  /** Knowledge chunks that it cites; one that is expired refuses it. */
  chunks: string[];
  /** Failure cluster that it answers. */
  signature: string | null;
  /** What should become better, in a sentence. */
  expectedEffect: string | null;
  /** Only tasks whose situation has one of these terms; empty: every task of the agent. */
  scopeTerms: string[];
}

export type ProposalRefusal = 'poisoned' | 'unverified_quote' | 'expired_chunk' | 'no_source' | 'too_long' | 'not_for_agent';

/** One side of an experiment: exactly what its tasks are exposed to. */
export interface Variant {
  /** All of them: the live ones as of the start, with or without the one that is tried. */
  rules: RuleRef[];
  /** Changes of evaluation: weights and hardness by evaluator; `off` leaves one out. */
  evaluators: Record<string, { weight?: number; hard?: boolean; off?: boolean }>;
}

/** Fixed, hashed and stored before anything runs. */
export interface ExperimentPlan {
  agent: string;
  tenant: string;
  dataset: string;
  /** Unix ms: cases that were valid then. */
  datasetAsOf: number;
  caseIds: string[];
  /** Per arm and case. */
  repeats: number;
  /** What counts as a success of one run. */
  measure: 'first_attempt_passed' | 'passed';
  test: 'sign_flip' | 'mcnemar';
  /** Level of the test: 0.10 alone, in a series what the false-discovery rule allows. */
  alpha: number;
  /** `series`: the level is reserved in the ledger of the agent's candidates. `alone`: tested for itself. */
  level: 'series' | 'alone';
  /** Fewer cases that count are too little evidence. */
  minCases: number;
  /** Of `caseIds`: those that the candidate may not lose. */
  criticalCaseIds: string[];
  /** Tasks at a time. */
  concurrency: number;
  base: Variant;
  candidate: Variant;
  /** The rule that is tried; null: evaluation or nothing (A/A). */
  rule: RuleRef | null;
}

/** How one task of an experiment ended. */
export interface ExperimentRun {
  caseId: string;
  repeat: number;
  arm: 'base' | 'candidate';
  taskId: string;
  /** 1 or 0 by the plan's measure; null: excluded. */
  value: number | null;
  passed: boolean;
  firstAttemptPassed: boolean;
  score: number | null;
  corrections: number;
  costMicros: number;
  durationMs: number;
  /** Why it does not count: an unrecorded tool call, a fault. */
  excluded: string | null;
}

export interface ArmFigures {
  runs: number;
  passRate: number | null;
  firstAttemptPassRate: number | null;
  meanScore: number | null;
  meanCorrections: number | null;
  meanCostMicros: number | null;
  meanDurationMs: number | null;
}

/** One case of an experiment: means over the repeats, 0..1. */
export interface CaseComparison {
  caseId: string;
  base: number;
  candidate: number;
  critical: boolean;
}

export interface ExperimentResult {
  experimentId: string;
  decision: GateDecision;
  why: string;
  cases: number;
  /** Cases left out, and why. */
  excluded: { caseId: string; reason: string }[];
  wins: number;
  losses: number;
  ties: number;
  /** Mean over cases of candidate minus base. */
  delta: number;
  interval: { low: number; high: number } | null;
  p: number;
  test: ExperimentPlan['test'];
  alpha: number;
  /** Case by case, in the plan's order. */
  compared: CaseComparison[];
  /** Critical cases that the candidate lost. */
  criticalLosses: string[];
  base: ArmFigures;
  candidate: ArmFigures;
}

/** One example that an agent is measured by. */
export interface StoredCase {
  caseId: string;
  dataset: string;
  agent: string;
  tenant: string;
  kind: CaseKind;
  split: string;
  critical: boolean;
  input: unknown;
  /** Fields of the output that must be so; null: the agent's evaluators decide alone. */
  expected: Record<string, unknown> | null;
  /** Blob with the case's {@link Cassette}; null: the agent's tools are not called, or are simulated. */
  cassetteHash: string | null;
  /** Unix ms */
  validFrom: number;
}

/** Results of tools as they were recorded, in their order. */
export interface Cassette {
  calls: {
    tool: string;
    argumentsHash: string;
    arguments: unknown;
    status: string;
    result: unknown;
    code: string | null;
    reason: string | null;
    /** Absent: no. */ retryable?: boolean;
  }[];
}

export interface RuleTransition {
  ruleId: string;
  version: number;
  from: RuleStatus | null;
  to: RuleStatus;
  actor: string;
  reason: string;
  experimentId: string | null;
}

/** Failures of one kind. */
export interface FailureCluster {
  clusterId: string;
  agent: string;
  tenant: string;
  /** evaluator + issue type + tool + error code */
  signature: string;
  label: string;
  issues: number;
  tasks: number;
  /** Of the agent's failed attempts in the window, 0..1. */
  share: number;
  /** Tasks in the newer half of the window minus those in the older. */
  trend: number;
  examples: RuleSource[];
}
