/** What is learned, and how it is proved. */
import type { Generated } from 'kysely';
import type { ExperimentPlan, ExperimentResult, ExperimentRun } from '../../contracts/learning.ts';
import type { Arm, CaseKind, ExposureKind, GateDecision, RuleStatus } from '../../contracts/reasons.ts';
import type { DefaultTime, OptionalTime, Time } from './columns.ts';

export interface TransitionTable {
  seq: Generated<number>;
  ruleId: string;
  version: number;
  fromStatus: RuleStatus | null;
  toStatus: RuleStatus;
  actor: string;
  reason: string;
  experimentId: string | null;
  detail: Record<string, unknown> | null;
  at: DefaultTime;
}

export interface AttemptContextTable {
  taskId: string;
  attempt: number;
  itemKind: ExposureKind;
  itemId: string;
  itemVersion: Generated<number>;
  arm: Arm;
  rank: number | null;
  retrievalScore: number | null;
  cited: Generated<boolean>;
}

export interface DatasetTable {
  tenant: string;
  dataset: string;
  agent: string;
  title: string;
  createdAt: DefaultTime;
}

export interface DatasetCaseTable {
  tenant: string;
  dataset: string;
  caseId: string;
  validFrom: Time;
  validTo: OptionalTime;
  kind: CaseKind;
  split: Generated<string>;
  critical: Generated<boolean>;
  input: unknown;
  expected: Record<string, unknown> | null;
  cassetteHash: string | null;
  sourceTaskId: string | null;
  createdBy: string;
}

export interface ExperimentTable {
  experimentId: string;
  agent: string;
  tenant: string;
  dataset: string;
  plan: ExperimentPlan;
  planHash: string;
  ruleId: string | null;
  ruleVersion: number | null;
  startedBy: string;
  startedAt: Time;
  endedAt: OptionalTime;
  decision: GateDecision | null;
  why: string | null;
  wins: number | null;
  losses: number | null;
  ties: number | null;
  excluded: number | null;
  delta: number | null;
  intervalLow: number | null;
  intervalHigh: number | null;
  pValue: number | null;
  alpha: number | null;
  result: ExperimentResult | null;
}

export interface ExperimentRunTable extends ExperimentRun {
  experimentId: string;
  at: DefaultTime;
}
