/** Failures of a kind, and the runs of `learn` that answer them. */
import type { Generated } from 'kysely';
import type { LearnSummary, RefusedProposal } from '../../contracts/learn.ts';
import type { RuleSource } from '../../contracts/learning.ts';
import type { ProposalTier } from '../../contracts/reasons.ts';
import type { OptionalTime, Time } from './columns.ts';

export type ClusterStatus = 'open' | 'answered' | 'closed';

export interface FailureClusterTable {
  clusterId: string;
  agent: string;
  tenant: string;
  signature: string;
  label: string;
  centroid: number[];
  embedder: string;
  firstSeen: Time;
  lastSeen: Time;
  issues: number;
  tasks: number;
  status: ClusterStatus;
}

export interface LearnRunTable {
  learnId: string;
  agent: string;
  tenant: string;
  startedBy: string;
  since: Time;
  startedAt: Time;
  endedAt: OptionalTime;
  attempts: number;
  failedAttempts: number;
  clusters: number;
  inputTokens: Generated<number>;
  outputTokens: Generated<number>;
  costMicros: Generated<number>;
  summary: LearnSummary | null;
}

export interface LearnFindingTable {
  learnId: string;
  clusterId: string;
  position: number;
  share: number;
  trend: number;
  issues: number;
  tasks: number;
  firstAttempts: number;
  examples: RuleSource[];
  texts: string[];
  tier: ProposalTier | null;
  ruleId: string | null;
  ruleVersion: number | null;
  refusals: Generated<RefusedProposal[]>;
  why: string | null;
  inputTokens: Generated<number>;
  outputTokens: Generated<number>;
  costMicros: Generated<number>;
}
