import { EVALUATOR_KINDS, type Issue, type Verdict } from '../contracts/verdict.ts';
import { JudgeFailure, type EvaluationContext, type Evaluator, type FoundIssue, type Judgement, type JudgeRequest } from './define-evaluator.ts';
import { fingerprintOf } from './fingerprint.ts';

const MAX_TEXT = 2_000;
const MAX_ISSUES = 50;
const SEVERITIES = ['low', 'medium', 'high'];

/**
 * Runs evaluators in order of cost (rule, tool, model, human; in the given order within a kind). After a failed hard one what is dearer is skipped, with the
 * reason as evidence; rules are free, so all of them run and the correction names everything at once. An evaluator that throws, takes too long or gives something that is no
 * judgement is `judge_failed`: it has no score and says nothing about the output.
 * @throws what the judge port throws (the model could not be reached: the caller retries) and the signal's reason.
 */
export async function runEvaluators(evaluators: readonly Evaluator[], context: EvaluationContext, agentName: string): Promise<Verdict[]> {
  const ordered = evaluators.toSorted((a, b) => costOf(a) - costOf(b));
  const verdicts: Verdict[] = [];
  let failed: Evaluator | null = null;
  for (const evaluator of ordered) {
    context.signal.throwIfAborted();
    const isSkipped = failed !== null && (evaluator.kind !== 'rule' || costOf(evaluator) > costOf(failed));
    const verdict = isSkipped && failed ? skipped(evaluator, failed) : await runOne(evaluator, context, agentName);
    if (verdict.hard && verdict.status === 'judged' && !verdict.passed) failed ??= evaluator;
    verdicts.push(verdict);
  }
  return verdicts;
}

function costOf(evaluator: Evaluator): number {
  return EVALUATOR_KINDS.indexOf(evaluator.kind);
}

async function runOne(evaluator: Evaluator, context: EvaluationContext, agent: string): Promise<Verdict> {
  // a port that fails is not a judge that fails: it is remembered by identity, so that an evaluator can't swallow it
  const port: { failure: { error: unknown } | null } = { failure: null };
  const judge = async (request: JudgeRequest) => {
    try {
      return await context.judge({ ...request, evaluator: evaluator.name });
    } catch (error) {
      port.failure = { error };
      throw error;
    }
  };
  let judgement: unknown;
  try {
    judgement = await withinTime(evaluator, { ...context, judge });
  } catch (error) {
    if (port.failure) throw port.failure.error;
    context.signal.throwIfAborted();
    return judgeFailed(evaluator, agent, error);
  }
  if (port.failure) throw port.failure.error;
  const problem = findProblem(judgement);
  return problem ? judgeFailed(evaluator, agent, new Error(`${evaluator.name} gave no judgement: ${problem}`)) : judged(evaluator, agent, judgement as Judgement);
}

async function withinTime(evaluator: Evaluator, context: EvaluationContext): Promise<unknown> {
  const timeout = new AbortController();
  const signal = AbortSignal.any([context.signal, timeout.signal]);
  const timer = setTimeout(() => timeout.abort(new Error(`${evaluator.name} took over ${evaluator.timeoutMs} ms`)), evaluator.timeoutMs);
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  aborted.catch(() => {});
  try {
    return await Promise.race([Promise.resolve().then(() => evaluator.evaluate({ ...context, signal })), aborted]);
  } finally {
    clearTimeout(timer);
  }
}

/** Why a value is no judgement, or null. Scores off the scale are never clamped: they say that the evaluator is wrong. */
function findProblem(value: unknown): string | null {
  if (value === null || typeof value !== 'object') return `it returned ${String(value)}`;
  const { passed, score, issues } = value as Partial<Judgement>;
  if (typeof passed !== 'boolean') return '`passed` is not a boolean';
  if (typeof score !== 'number' || !(score >= 0 && score <= 100)) return `the score ${String(score)} is not within 0..100`;
  if (!Array.isArray(issues)) return '`issues` is not a list';
  return issues.some(isIncomplete) ? 'an issue has no type, message or severity' : null;
}

function isIncomplete(issue: FoundIssue): boolean {
  return typeof issue?.type !== 'string' || typeof issue.message !== 'string' || !SEVERITIES.includes(issue.severity);
}

function judged(evaluator: Evaluator, agent: string, judgement: Judgement): Verdict {
  const evidence = judgement.evidence?.trim() || `${evaluator.name} gave ${judgement.score} of 100 and named no evidence`;
  const found = judgement.issues.length === 0 && !judgement.passed ? [unnamed(evaluator, evidence)] : judgement.issues;
  return {
    ...headOf(evaluator),
    status: 'judged',
    passed: judgement.passed,
    score: judgement.score,
    issues: found.slice(0, MAX_ISSUES).map((issue) => withFingerprint(evaluator, agent, issue)),
    keep: (judgement.keep ?? [])
      .filter((part) => part.trim() !== '')
      .slice(0, MAX_ISSUES)
      .map(bounded),
    evidence: bounded(evidence),
  };
}

function unnamed(evaluator: Evaluator, evidence: string): FoundIssue {
  return { type: 'not_passed', severity: 'medium', message: `${evaluator.name} did not pass: ${evidence}` };
}

function skipped(evaluator: Evaluator, failed: Evaluator): Verdict {
  return { ...headOf(evaluator), status: 'skipped', passed: false, score: null, issues: [], keep: [], evidence: `skipped: the hard evaluator ${failed.name} had failed already` };
}

function judgeFailed(evaluator: Evaluator, agent: string, error: unknown): Verdict {
  const text = error instanceof Error ? error.message || error.name : `threw ${String(error)}`;
  // a model that judges badly may judge well next time; anything else that throws is broken, and someone must be told
  const issues =
    error instanceof JudgeFailure
      ? []
      : [
          withFingerprint(evaluator, agent, {
            type: 'evaluator_error',
            severity: 'high',
            subject: evaluator.name,
            message: `The evaluator ${evaluator.name} failed, not the output: ${text}`,
          }),
        ];
  return { ...headOf(evaluator), status: 'judge_failed', passed: false, score: null, issues, keep: [], evidence: bounded(`judge failed: ${text}`) };
}

function headOf(evaluator: Evaluator): Pick<Verdict, 'evaluator' | 'kind' | 'hard' | 'weight'> {
  return { evaluator: evaluator.name, kind: evaluator.kind, hard: evaluator.hard, weight: evaluator.weight };
}

function withFingerprint(evaluator: Evaluator, agent: string, issue: FoundIssue): Issue {
  const subject = bounded(issue.subject ?? '');
  return {
    type: issue.type,
    severity: issue.severity,
    subject,
    message: bounded(issue.message) || issue.type,
    ...(issue.evidence ? { evidence: bounded(issue.evidence) } : {}),
    ...(issue.fix ? { fix: bounded(issue.fix) } : {}),
    fingerprint: fingerprintOf(agent, evaluator.name, issue.type, subject),
  };
}

function bounded(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
