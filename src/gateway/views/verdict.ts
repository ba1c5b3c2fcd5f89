import type { Verdict } from '../../contracts/verdict.ts';
import type { VerdictRow } from '../../store/verdicts.ts';

export function verdictView(row: VerdictRow): Verdict {
  const { evaluator, kind, hard, weight, status, passed, score, keep, evidence } = row;
  const issues = row.issues.map((issue) => ({
    type: issue.type,
    message: issue.message,
    ...(issue.evidence === null ? {} : { evidence: issue.evidence }),
    ...(issue.fix === null ? {} : { fix: issue.fix }),
    severity: issue.severity,
    subject: issue.subject,
    fingerprint: issue.fingerprint,
  }));
  return { evaluator, kind, hard, weight, status, passed, score, issues, keep, evidence };
}
