/** From failures to proposals: the workflow `learn` and its activities. Types only: workflow code imports them. */
import type { FailureCluster, RuleRef } from './learning.ts';
import type { ProposalTier } from './reasons.ts';
import type { Usage } from './usage.ts';

/** What `learn` is started with. The workflow id is the learn id. */
export interface LearnInput {
  agent: string;
  tenant: string;
  /** Failures of so many days back from the start, 1..365. */
  sinceDays: number;
  /** Who started it: a subject, `schedule`. */
  startedBy: string;
}

/** A proposal that did not get to review. */
export interface RefusedProposal {
  tier: ProposalTier;
  /** `model` or `rule`: who made it. */
  by: string;
  content: string;
  /** A `ProposalRefusal`, or `known`: the same was turned down before. */
  code: string;
  /** Why, a sentence. */
  reason: string;
}

/** What a run of `learn` found out about one cluster, and what it proposes. */
export interface LearnFinding extends FailureCluster {
  /** Null: not yet; nothing fits, or it is answered already: `why` says which. */
  tier: ProposalTier | null;
  /** Null: nothing was proposed. */
  rule: RuleRef | null;
  refusals: RefusedProposal[];
  /** A sentence on what was done. */
  why: string | null;
}

export interface FindClustersInput extends LearnInput {
  learnId: string;
  /** Unix ms: the end of the window. */
  startedAt: number;
}
export interface FindClustersResult {
  /** Those that get a proposal, in order: the largest share first. */
  clusterIds: string[];
}

export interface ProposeRuleInput {
  learnId: string;
  clusterId: string;
}
export interface ProposeRuleResult {
  tier: ProposalTier | null;
  rule: RuleRef | null;
  refused: number;
  usage: Usage;
}

export interface CloseLearnRunInput {
  learnId: string;
  endedAt: number;
  usage: Usage;
}
/** What a run came to. */
export interface LearnSummary {
  clusters: number;
  proposed: (RuleRef & { clusterId: string; tier: ProposalTier })[];
  refused: number;
  /** Clusters for which a fine-tuning export is recommended: the cheaper tiers were tried. */
  fineTuning: string[];
}
export interface LearnResult extends LearnSummary {
  learnId: string;
}

/** Every one is idempotent by learn id, and cluster. */
export interface LearnActivities {
  findClusters(input: FindClustersInput): Promise<FindClustersResult>;
  proposeRule(input: ProposeRuleInput): Promise<ProposeRuleResult>;
  closeLearnRun(input: CloseLearnRunInput): Promise<LearnSummary>;
}
