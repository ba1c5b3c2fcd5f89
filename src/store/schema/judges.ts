/** How evaluators are measured by people. */
import type { Generated } from 'kysely';
import type { DefaultTime, OptionalTime, Time } from './columns.ts';

export interface ReviewSampleTable {
  sampleId: string;
  tenant: string;
  agent: string;
  taskId: string;
  attempt: number;
  highScore: boolean;
  sampledAt: Time;
  passed: boolean | null;
  score: number | null;
  comment: string | null;
  reviewedBy: string | null;
  reviewedAt: OptionalTime;
}

export interface JudgeRepeatTable {
  sampleId: string;
  evaluator: string;
  repeat: number;
  score: number | null;
  passed: boolean | null;
  model: string | null;
  promptVersion: string | null;
  temperature: number | null;
  at: DefaultTime;
}

export interface EvaluatorHealthTable {
  seq: Generated<number>;
  tenant: string;
  agent: string;
  evaluator: string;
  status: 'active' | 'quarantined';
  kappa: number | null;
  ratings: number;
  deviation: number | null;
  variance: number | null;
  repeats: number;
  correlation: number | null;
  correlationTasks: number;
  reason: string;
  actor: string;
  at: DefaultTime;
}
