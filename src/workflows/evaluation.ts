import { anyOf } from '../policy/approvers.ts';
import type { EvaluateResult } from '../contracts/activities.ts';
import type { DecisionRecord } from '../contracts/approval.ts';
import type { SnapshotEvaluator } from '../contracts/snapshot.ts';
import type { EvaluatorKind, Verdict } from '../contracts/verdict.ts';
import { EMPTY_USAGE } from '../policy/budget.ts';
import { combineVerdicts, type Combined } from '../policy/score.ts';
import { oneLine } from '../policy/text.ts';
import { callInWindow } from './compaction.ts';
import { throwIfTerminal, withReservation } from './model-stage.ts';
import { activities, evaluationStage, modelStage } from './stages.ts';
import { AttemptStop } from './stop-signal.ts';
import { enter, limitsOf, parametersOf, placeOf, snapshotOf, type Task } from './task.ts';
import { askPerson } from './wait-for-person.ts';
import { outputWritten } from './written-output.ts';

export interface Evaluated {
  outputHash: string;
  verdicts: Verdict[];
  combined: Combined;
  /** A person wrote or took the output. */ byPerson: 'answered_by_person' | 'rejected_by_person' | null;
  explanation: string | null;
  /** `outputHash` is what a person wrote. */ written: boolean;
  /** A person's own words, said instead of the output. */ userText: string | null;
}

/** The writer reads its own draft once before others judge it. */
export async function review(task: Task, outputHash: string): Promise<string> {
  if (!snapshotOf(task).stages.review) return outputHash;
  enter(task, 'reviewing', 'the writer reviews its draft');
  const result = await callInWindow(task, `review.${task.loop.attempt}`, (stage) =>
    activities.review.executeWithOptions(modelStage(stage.timeoutMs, `model • review draft a${task.loop.attempt}`), [{ ...stage, outputHash }]),
  );
  if (result.problem) throwIfTerminal(result.problem); // an unusable review leaves the draft as it was
  return result.outputHash;
}

/** Rules → tools → model judge → person. A failed hard evaluator skips what is dearer. */
export async function evaluate(task: Task, outputHash: string): Promise<Evaluated> {
  enter(task, 'evaluating', `attempt ${task.loop.attempt}`);
  const verdicts: Verdict[] = [];
  const { passScore } = limitsOf(task);
  for (const kind of ['rule', 'tool', 'model'] as const) {
    const group = snapshotOf(task).evaluators.filter((evaluator) => evaluator.kind === kind);
    if (group.length === 0) continue;
    if (combineVerdicts(verdicts, passScore).hardFailed) verdicts.push(...group.map(skipped));
    else if (kind === 'model' && !snapshotOf(task).judge) verdicts.push(...group.map(judgeOff));
    else verdicts.push(...(await runGroup(task, kind, group, outputHash)).verdicts);
  }
  return askHumans(task, outputHash, verdicts);
}

/** A judge whose answer can't be used is asked again, up to this often (`evaluation/judge.ts`). */
const MAX_JUDGE_ROUNDS = 5;

async function runGroup(task: Task, kind: EvaluatorKind, group: SnapshotEvaluator[], outputHash: string): Promise<EvaluateResult> {
  const { loop } = task;
  const snapshot = snapshotOf(task);
  const timeoutMs = group.reduce((sum, evaluator) => sum + evaluator.timeoutMs, 0);
  const run = (reserved: { tokens: number; costMicros: number }): Promise<EvaluateResult> =>
    activities.evaluate.executeWithOptions(evaluationStage(timeoutMs, `evaluate • ${group.map((evaluator) => evaluator.name).join(', ')} a${loop.attempt}`), [
      {
        ...placeOf(task),
        head: loop.head!,
        perception: loop.perception,
        outputHash,
        evaluators: group.map((evaluator) => evaluator.name),
        parameters: parametersOf(task),
        timeoutMs,
        reserved,
      },
    ]);
  if (kind !== 'model' || !snapshot.judge) return run({ tokens: 0, costMicros: 0 });
  try {
    const result = await withReservation(task, `judge.${loop.attempt}`, snapshot.judge, run, group.length * MAX_JUDGE_ROUNDS);
    if (result.problem) throwIfTerminal(result.problem);
    return result;
  } catch (error) {
    // the judge can't be had: that says nothing about the output
    if (error instanceof AttemptStop && (error.reason === 'model_unavailable' || error.reason === 'model_rejected'))
      return { verdicts: group.map((evaluator) => unjudged(evaluator, 'judge_failed', error.message)), usage: EMPTY_USAGE, problem: null };
    throw error;
  }
}

function skipped(evaluator: SnapshotEvaluator): Verdict {
  return unjudged(evaluator, 'skipped', 'A hard evaluator had failed already.');
}
function judgeOff(evaluator: SnapshotEvaluator): Verdict {
  return unjudged(evaluator, 'skipped', 'No second model is configured, so the judge is off.');
}
function unjudged({ name, kind, hard, weight }: SnapshotEvaluator, status: 'skipped' | 'judge_failed', evidence: string): Verdict {
  return { evaluator: name, kind, hard, weight, status, passed: false, score: null, issues: [], keep: [], evidence };
}

/** An agent without evaluators has nothing to fail: its drafts pass unscored. */
function combined(task: Task, verdicts: Verdict[], passScore: number): Combined {
  const judged = combineVerdicts(verdicts, passScore);
  return snapshotOf(task).evaluators.length === 0 ? { ...judged, passed: true } : judged;
}

async function askHumans(task: Task, outputHash: string, verdicts: Verdict[]): Promise<Evaluated> {
  const { passScore } = limitsOf(task);
  const done = (byPerson: Evaluated['byPerson'], explanation: string | null, userText: string | null = null, written: string | null = null): Evaluated => ({
    outputHash: written ?? outputHash,
    written: written !== null,
    verdicts,
    combined: combined(task, verdicts, passScore),
    byPerson,
    explanation,
    userText,
  });
  for (const evaluator of snapshotOf(task).evaluators.filter((each) => each.kind === 'human')) {
    if (combineVerdicts(verdicts, passScore).hardFailed) {
      verdicts.push(skipped(evaluator));
      continue;
    }
    const approval = await askPerson(task, {
      id: `output.a${task.loop.attempt}.${evaluator.name}`,
      kind: 'output',
      risk: 'read',
      tool: null,
      hash: outputHash,
      payload: '',
      payloadHash: outputHash,
      summary: `Is the output of attempt ${task.loop.attempt} good? approve = yes (value {"score": 0..100} where you like), reject with a reason = no`,
      onTimeout: 'continue',
      approvers: anyOf(snapshotOf(task), 'approver', 'reviewer'),
      waitMs: limitsOf(task).approvalTimeoutMs,
    });
    const by = approval.decision?.by ?? 'A person';
    const written = approval.status === 'responded' || approval.status === 'edited' ? await outputWritten(task, approval) : null;
    if (approval.status === 'responded') return done('answered_by_person', `${by} wrote the output.`, written === null ? (approval.decision?.value ?? null) : null, written);
    // of the draft, also where the edit takes its place
    verdicts.push(humanVerdict(task, evaluator, approval.status, approval.decision));
    if (written !== null) return done('answered_by_person', `${by} edited the output${approval.decision?.reason ? `: ${approval.decision.reason}` : '.'}`, null, written);
  }
  return done(null, null);
}

function humanVerdict(task: Task, evaluator: SnapshotEvaluator, status: string, decision: DecisionRecord | null): Verdict {
  if (!decision || (status !== 'approved' && status !== 'rejected' && status !== 'edited')) return { ...unjudged(evaluator, 'skipped', 'Nobody judged the output in time.') };
  const passed = status === 'approved';
  const reason =
    status === 'edited'
      ? `${decision.reason || 'rewritten by a person'}: it should be ${oneLine(decision.value ?? '', 4_000)}`
      : decision.reason || (passed ? 'accepted' : 'not accepted, no reason given');
  const score = scoreIn(decision.value) ?? (passed ? 100 : 0);
  // taken as it is, but with a score below the passing one: the reason is what to change
  const type = passed ? 'scored_low_by_person' : 'rejected_by_person';
  const message = passed ? `${decision.by} gave ${score} of 100: ${reason}` : reason;
  const issue = { type, message, severity: 'high' as const, subject: '', fingerprint: `${task.start.agent}:${evaluator.name}:${type}:` };
  return {
    evaluator: evaluator.name,
    kind: 'human',
    hard: evaluator.hard,
    weight: evaluator.weight,
    status: 'judged',
    passed,
    score,
    issues: passed && score >= limitsOf(task).passScore ? [] : [issue],
    keep: [],
    evidence: `${decision.by}: ${reason}`,
  };
}

function scoreIn(value: string | null): number | null {
  try {
    const score = (JSON.parse(value ?? 'null') as { score?: unknown } | null)?.score;
    return typeof score === 'number' && score >= 0 && score <= 100 ? score : null;
  } catch {
    return null;
  }
}
