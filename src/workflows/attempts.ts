import type { Reason } from '../contracts/reasons.ts';
import type { StoredSetting } from '../contracts/activities.ts';
import type { Reflection } from '../contracts/experience.ts';
import type { Correction, Verdict } from '../contracts/verdict.ts';
import { keepBest, replacesRestored } from '../policy/best.ts';
import { EMPTY_USAGE } from '../policy/budget.ts';
import { applyTune } from '../policy/tuning.ts';
import { buildCorrection, correctionLine } from '../policy/correction.ts';
import { detectOscillation, sameIssueTwice, scoreTurned } from '../policy/oscillation.ts';
import { markReply } from '../policy/plan.ts';
import { coolParameters, decideStop, type StopDecision } from '../policy/stop.ts';
import { oneLine } from '../policy/text.ts';
import { evaluate, review, type Evaluated } from './evaluation.ts';
import { bestOf } from './loop-state.ts';
import { callModel, throwIfTerminal } from './model-stage.ts';
import { activities, modelStage, storeStage } from './stages.ts';
import { AttemptStop } from './stop-signal.ts';
import { enter, limitsOf, parametersOf, placeOf, runMs, snapshotOf, type Task } from './task.ts';
import { runTurns } from './turns.ts';

/** How an attempt went: a judged draft, or the reason that there is none. */
export interface AttemptEnd {
  outputHash: string | null;
  evaluated: Evaluated | null;
  problem: AttemptStop | null;
}

export function beginAttempt(task: Task): void {
  const { loop, live } = task;
  if (loop.attemptStart !== null) return; // this run continues an attempt of the run before
  loop.attempt += 1;
  loop.turn = 0;
  loop.attemptTurns = 0;
  loop.attemptStart = loop.head;
  loop.attemptStartedAt = Date.now();
  loop.waitedBeforeAttempt = Math.max(0, Date.now() - live.startedAt - runMs(task));
  loop.attemptUsage = EMPTY_USAGE;
  loop.callHistory = [];
  loop.unusableAnswers = 0;
}

/** Turns until there is a draft, its review and its evaluation. */
export async function runAttempt(task: Task): Promise<AttemptEnd> {
  let outputHash: string | null = null;
  try {
    outputHash = await runTurns(task);
    outputHash = await review(task, outputHash);
    if (!isEvaluated(task)) return { outputHash, evaluated: null, problem: null };
    const evaluated = await evaluate(task, outputHash);
    return { outputHash: evaluated.outputHash, evaluated, problem: null };
  } catch (error) {
    if (error instanceof AttemptStop && error.reason !== 'cancelled') return { outputHash, evaluated: null, problem: error };
    throw error;
  }
}

/** Every n-th attempt, and always the last. */
function isEvaluated(task: Task): boolean {
  const { evalInterval, maxAttempts } = limitsOf(task);
  return task.loop.attempt % evalInterval === 0 || task.loop.attempt >= maxAttempts;
}

/** The best is never lost: the outcome returns this one, not the last. */
export function keepBestOf(task: Task, { outputHash, evaluated }: AttemptEnd): void {
  const { loop, live } = task;
  if (outputHash === null) return;
  const combined = evaluated?.combined;
  const byPerson = evaluated?.byPerson === 'answered_by_person' && evaluated.written;
  const passed = byPerson || (combined?.passed ?? false);
  const candidate = { attempt: loop.attempt, outputHash, score: byPerson ? 100 : (combined?.score ?? (passed ? 100 : 0)), passed };
  // what a person wrote is the output, whatever scored higher before
  loop.best = byPerson ? candidate : keepBest(loop.best, candidate);
  if (live.restored && (byPerson || replacesRestored(live.restored, candidate))) {
    loop.best = candidate;
    live.restored = null;
  }
  if (loop.plan) loop.plan = markReply(loop.plan);
}

/** Passed, budget, same issue twice, oscillation, attempts; or go on. */
export function decideNext(task: Task, { outputHash, evaluated, problem }: AttemptEnd): StopDecision {
  const { loop } = task;
  if (evaluated?.byPerson === 'answered_by_person') return { action: 'pass', reason: 'answered_by_person', explanation: evaluated.explanation ?? 'A person wrote the output.' };
  const fingerprints = fingerprintsOf(evaluated?.verdicts ?? []);
  const previous = loop.records.findLast((record) => record.score !== null);
  loop.records.push({ score: evaluated?.combined.score ?? null, outputHash, fingerprints });
  const oscillation = detectOscillation(loop.records);
  loop.oscillated ||= oscillation !== null || scoreTurned(loop.records);
  return decideStop({
    limits: limitsOf(task),
    attempt: loop.attempt,
    combined: evaluated?.combined ?? null,
    used: loop.ledger.used,
    runMs: runMs(task),
    repeatedIssue: previous && evaluated ? repeatedIssueOf(previous.fingerprints, evaluated.verdicts) : null,
    oscillation,
    triedCooling: loop.cooled,
    attemptProblem: problem ? { reason: problem.reason, explanation: problem.message } : null,
  });
}

/** Says the issue in words; its fingerprint is for machines. */
function repeatedIssueOf(previous: string[], verdicts: Verdict[]): string | null {
  if (sameIssueTwice(previous, fingerprintsOf(verdicts)) === null) return null;
  const issues = verdicts.flatMap((verdict) => verdict.issues).filter((issue) => previous.includes(issue.fingerprint));
  return `The correction did not help: the same issue in two evaluated attempts in a row (${oneLine(issues.map((issue) => issue.message).join('; '), 300)}).`;
}

function fingerprintsOf(verdicts: Verdict[]): string[] {
  return verdicts
    .flatMap((verdict) => verdict.issues)
    .filter((issue) => issue.severity !== 'low')
    .map((issue) => issue.fingerprint);
}

/** Records the attempt; where the loop goes on, forks the conversation so that the next attempt sees the correction and not the dead ends. */
export async function closeAttempt(task: Task, end: AttemptEnd, next: StopDecision): Promise<void> {
  const { loop, live } = task;
  const goesOn = next.action === 'continue' || next.action === 'cool';
  const correction = goesOn ? correctionFor(task, end, next, await reflect(task, end)) : null;
  enter(task, 'correcting', correction ? correctionLine(correction) : 'recording the attempt');
  const combined = end.evaluated?.combined;
  const verdicts = end.evaluated?.verdicts ?? [];
  const unrecorded = takeUnrecorded(task);
  const closed = await activities.closeAttempt.executeWithOptions(storeStage(`record attempt ${loop.attempt}${correction ? ' • correct' : ''}`), [
    {
      ...placeOf(task),
      startHead: loop.attemptStart!,
      endHead: loop.head!,
      outputHash: end.outputHash,
      score: combined?.score ?? null,
      passed: combined?.passed ?? false,
      usage: loop.attemptUsage,
      turns: loop.attemptTurns,
      verdicts,
      correction,
      stopReason: stopReasonOf(next),
      action: next.action,
      explanation: 'explanation' in next ? next.explanation : `Attempt ${loop.attempt} did not pass; correcting.`,
      parameters: parametersOf(task),
      model: snapshotOf(task).writer.model,
      appends: goesOn ? [] : loop.appends,
      ...unrecorded,
      askedPerson: live.askedPerson,
      startedAt: loop.attemptStartedAt,
      endedAt: Date.now(),
      total: loop.ledger.used,
    },
  ]);
  loop.attempts.push({
    attempt: loop.attempt,
    score: combined?.score ?? null,
    passed: combined?.passed ?? false,
    turns: loop.attemptTurns,
    issues: verdicts
      .flatMap((verdict) => verdict.issues)
      .map((issue) => oneLine(issue.message, 160))
      .slice(0, 8),
    correction: correction ? oneLine(correctionLine(correction), 300) : null,
  });
  applySettings(task, closed.settings);
  loop.head = closed.head;
  loop.contextTokens = closed.contextTokens;
  if (!goesOn) loop.appends = [];
  loop.attemptStart = null;
  if (next.action === 'cool') cool(task);
}

/** What the failed attempt taught, where the agent reflects; the next attempt is told. A reflection that can't be had is none. */
async function reflect(task: Task, end: AttemptEnd): Promise<Reflection | null> {
  if (!snapshotOf(task).stages.reflect) return null;
  enter(task, 'correcting', 'reflecting on what failed');
  try {
    const result = await callModel(task, `reflect.${task.loop.attempt}`, (stage) =>
      activities.reflect.executeWithOptions(modelStage(stage.timeoutMs, `reflect • attempt ${task.loop.attempt}`), [
        { ...stage, outputHash: end.outputHash, verdicts: end.evaluated?.verdicts ?? [], problem: end.problem?.message ?? null },
      ]),
    );
    if (result.problem?.kind === 'interrupted') throwIfTerminal(result.problem);
    return result.reflection;
  } catch (error) {
    if (error instanceof AttemptStop && error.reason !== 'cancelled') return null;
    throw error;
  }
}

/** Stored settings that were changed since the task began apply from the next attempt, recorded like a `tune`. */
function applySettings(task: Task, settings: StoredSetting[]): void {
  for (const { field, value, by } of settings) {
    const tuned = applyTune(limitsOf(task), parametersOf(task), { by, values: { [field]: value } }, Date.now());
    task.live.limits = tuned.limits;
    task.live.parameters = tuned.parameters;
    task.live.changes = [...task.live.changes, ...tuned.changes].slice(-50);
    task.live.unrecorded.changes.push(...tuned.changes);
  }
}

function stopReasonOf(next: StopDecision): Reason | null {
  return next.action === 'pass' || next.action === 'stop' ? next.reason : null;
}

function correctionFor(task: Task, end: AttemptEnd, next: StopDecision, reflection: Reflection | null): Correction {
  const best = bestOf(task);
  const strategy = [
    next.action === 'cool' ? next.explanation : end.evaluated ? null : 'The draft was not evaluated. Check it against your instructions and improve it.',
    restoredNote(task),
  ];
  return buildCorrection(
    end.evaluated?.verdicts ?? [],
    best ? { outputHash: best.outputHash, score: best.score } : null,
    strategy.filter((part) => part !== null).join(' ') || null,
    reflection,
  );
}

/** While a person's choice stands, the next attempt starts from it. */
function restoredNote({ live }: Task): string | null {
  const last = live.restores.at(-1);
  if (!live.restored || !last) return null;
  return `A person went back to the output of attempt ${last.attempt}, shown as the best${last.reason ? `, because: ${last.reason}` : ''}. Start from that one.`;
}

/** Before giving up on oscillation: a lower temperature and a fixed seed, once. */
function cool(task: Task): void {
  task.loop.cooled = true;
  task.live.parameters = coolParameters(parametersOf(task));
}

export function takeUnrecorded(task: Task): Task['live']['unrecorded'] {
  const { unrecorded } = task.live;
  task.live.unrecorded = { changes: [], refusals: [], restores: [] };
  return unrecorded;
}
