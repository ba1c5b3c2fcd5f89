/** What evaluators found. */
import type { EvaluatorKind, Issue, Verdict } from '../../contracts/verdict.ts';
import type { DefaultTime } from './columns.ts';

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
  promptVersion: string | null;
  temperature: number | null;
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
  tool: string | null;
  errorCode: string | null;
  signature: string | null;
  clusterId: string | null;
  resolvedByAttempt: number | null;
}
