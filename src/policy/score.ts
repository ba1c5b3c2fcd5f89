import type { Verdict } from '../contracts/verdict.ts';

export interface Combined {
  passed: boolean;
  /** 0..100, two decimals; null when nothing was judged. */
  score: number | null;
  hardFailed: boolean;
  /** Some judge gave no usable verdict. */
  judgeFailed: boolean;
}

type Judged = Verdict & { score: number };

function isJudged(verdict: Verdict): verdict is Judged {
  return verdict.status === 'judged' && verdict.score !== null && Number.isFinite(verdict.score);
}

/** Weighted mean; verdicts that all weigh nothing count alike. */
function mean(judged: Judged[]): number {
  const weightOf = (verdict: Judged) => (Number.isFinite(verdict.weight) && verdict.weight > 0 ? verdict.weight : 0);
  const total = judged.reduce((sum, verdict) => sum + weightOf(verdict), 0);
  const score =
    total > 0 ? judged.reduce((sum, verdict) => sum + verdict.score * (weightOf(verdict) / total), 0) : judged.reduce((sum, verdict) => sum + verdict.score / judged.length, 0);
  return Math.min(100, Math.max(0, Math.round(score * 100) / 100));
}

/**
 * One score of all verdicts: the weighted mean of those judged. Skipped evaluators and failed judges have no score and
 * never count as 0. It passes when every hard evaluator was judged and passed, and the score reaches `passScore`.
 */
export function combineVerdicts(verdicts: Verdict[], passScore: number): Combined {
  const judged = verdicts.filter(isJudged);
  const score = judged.length > 0 ? mean(judged) : null;
  const hardFailed = judged.some((verdict) => verdict.hard && !verdict.passed);
  const hardMissing = verdicts.some((verdict) => verdict.hard && !isJudged(verdict));
  return {
    passed: score !== null && !hardFailed && !hardMissing && score >= passScore,
    score,
    hardFailed,
    judgeFailed: verdicts.some((verdict) => verdict.status === 'judge_failed' || (verdict.status === 'judged' && !isJudged(verdict))),
  };
}
