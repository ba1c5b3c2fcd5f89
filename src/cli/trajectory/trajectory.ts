/** A task's facts in the order in which they happened: plans, decisions, tool calls, questions to people, verdicts, corrections. */
import type { StoredApproval } from '../../store/approvals.ts';
import type { AttemptRow } from '../../store/attempts.ts';
import type { PlanRow } from '../../store/plans.ts';
import type { TaskView } from '../../store/task-view.ts';
import type { ToolCallRow } from '../../store/tool-calls.ts';
import type { TurnRow } from '../../store/turns.ts';
import type { VerdictRow } from '../../store/verdicts.ts';
import { count, cut, duration, scores, time, usd } from '../text/format.ts';
import { join, type Paint, type Part, type Safe, safe } from '../text/safe.ts';
import { byTime, type Entry, LABEL_WIDTH } from './entry.ts';

export interface TrajectoryOptions {
  paint: Paint;
  /** Everything, with results and evidence whole; else one or two lines a fact. */
  full: boolean;
  /** Texts by hash: tool results. */
  texts: ReadonlyMap<string, string>;
}

/** Characters of an argument or a result where not everything is shown. */
const BRIEF = 110;
const FULL = 4_000;

export function trajectoryOf(view: TaskView, options: TrajectoryOptions): Entry[] {
  const entries: Entry[] = [];
  for (const plan of view.plans) entries.push(planEntry(plan, options));
  for (const { attempt, row, turns, toolCalls, verdicts } of view.attempts) {
    for (const turn of turns) entries.push(turnEntry(turn, options));
    for (const call of toolCalls) if (call.status !== 'started') entries.push(callEntry(call, options));
    entries.push(...verdictEntries(attempt, verdicts, options));
    if (row?.endedAt) entries.push(attemptEntry(row, options));
  }
  for (const approval of view.approvals) entries.push(...approvalEntries(approval, options));
  for (const change of view.tuneChanges)
    entries.push({
      key: `tune ${change.field} ${change.at}`,
      at: change.at,
      rank: 0,
      lines: [line(options, 'tuned', safe`${change.field}: ${change.from} → ${change.to} by ${change.by}`)],
    });
  for (const refusal of view.refusals)
    entries.push({
      key: `refusal ${refusal.at} ${refusal.text}`,
      at: refusal.at,
      rank: 0,
      lines: [line(options, 'refused', safe`${refusal.message} (${refusal.code}): ${refusal.text}`)],
    });
  return entries.toSorted(byTime);
}

function line({ paint }: TrajectoryOptions, label: string, text: Part): Safe {
  return safe`${paint.dim(label.padEnd(LABEL_WIDTH))}${text}`;
}

function more(text: Part): Safe {
  return safe`${' '.repeat(LABEL_WIDTH)}${text}`;
}

function planEntry(plan: PlanRow, options: TrajectoryOptions): Entry {
  const { paint } = options;
  const steps = plan.steps.map((step) => (step.tool === null ? 'reply' : step.tool)).join(' → ');
  const label = plan.version === 1 ? 'plan' : `re-plan ${plan.version}`;
  const body = [line(options, label, plan.accepted ? safe`${paint.bold(steps)}` : safe`${paint.yellow('refused')} ${steps}`)];
  if (plan.because) body.push(more(safe`because ${cut(plan.because, options.full ? FULL : 200)}`));
  for (const problem of plan.problems ?? []) body.push(more(paint.yellow(String(problem))));
  if (options.full) {
    body.push(more(safe`goal: ${plan.goal}`));
    for (const step of plan.steps)
      body.push(more(safe`${step.id}: ${step.tool ?? 'reply'} — ${step.why}${step.dependsOn.length > 0 ? ` (after ${step.dependsOn.join(', ')})` : ''}`));
  }
  return { key: `plan ${plan.version}`, at: plan.createdAt.getTime(), rank: 1, lines: body };
}

function turnEntry(turn: TurnRow, options: TrajectoryOptions): Entry {
  const { paint } = options;
  const chosen =
    turn.decisionType === null
      ? paint.yellow(turn.problem ?? 'no decision')
      : turn.decisionType === 'tool'
        ? join(['calls', paint.cyan(turn.tools.join(', '))], ' ')
        : turn.decisionType === 'answer'
          ? safe`answers`
          : turn.decisionType === 'ask'
            ? safe`asks`
            : safe`hands off`;
  const confidence = turn.confidence === null ? '' : ` (confidence ${turn.confidence})`;
  const why = turn.problemText ?? turn.reason;
  return {
    key: `turn ${turn.attempt}.${turn.turn} ${turn.decisionType}`,
    at: turn.createdAt.getTime(),
    rank: 2,
    lines: [line(options, `turn ${turn.attempt}.${turn.turn}`, safe`${chosen}${confidence}${why === '' ? '' : safe` — ${cut(why, options.full ? FULL : 160)}`}`)],
  };
}

function callEntry(call: ToolCallRow, options: TrajectoryOptions): Entry {
  const { paint, full, texts } = options;
  const mark = call.status === 'success' ? paint.green('success') : call.status === 'denied' ? paint.yellow('denied') : paint.red(call.status);
  const took = call.durationMs === null ? '' : ` in ${duration(call.durationMs)}`;
  const runs = call.executions > 1 ? ` (run ${call.executions} times with one idempotency key)` : '';
  const body = [line(options, 'tool', safe`${paint.cyan(call.tool)} ${cut(call.arguments ?? '', full ? FULL : BRIEF)}`)];
  const result = call.resultHash === null ? null : (texts.get(call.resultHash) ?? null);
  const said = call.status === 'success' && result !== null ? cut(result, full ? FULL : BRIEF) : (call.reason ?? '');
  body.push(more(safe`→ ${mark}${took}${runs}${call.code ? ` (${call.code})` : ''} ${paint.dim(cut(said, full ? FULL : 220))}`));
  if (full)
    body.push(more(paint.dim(safe`${call.callId} · ${call.risk} · arguments ${call.argumentsHash ?? 'unreadable'}${call.approvalId ? ` · approval ${call.approvalId}` : ''}`)));
  return { key: `call ${call.callId} ${call.status}`, at: (call.endedAt ?? call.startedAt).getTime(), rank: 4, lines: body };
}

function approvalEntries(approval: StoredApproval, options: TrajectoryOptions): Entry[] {
  const { paint, full } = options;
  const asked = [
    line(
      options,
      'person',
      safe`${paint.magenta(approval.kind === 'question' ? 'is asked' : 'must decide')} ${approval.id}${approval.tool ? safe` ${paint.cyan(approval.tool)} (${approval.risk})` : ''}`,
    ),
    more(approval.summary),
  ];
  if (approval.kind !== 'question') asked.push(more(safe`exactly: ${cut(approval.payload, full ? FULL : 300)}`));
  if (full) asked.push(more(paint.dim(safe`hash ${approval.hash ?? 'none'} · until ${time(approval.expiresAt)}, then ${approval.onTimeout}`)));
  const opened: Entry = { key: `approval ${approval.id}`, at: approval.createdAt, rank: 3, lines: asked };
  const { decision } = approval;
  if (approval.status === 'pending') return [opened];
  if (!decision)
    return [opened, { key: `approval ${approval.id} ${approval.status}`, at: approval.createdAt, rank: 5, lines: [line(options, 'person', `${approval.id} ${approval.status}`)] }];
  const status = approval.status === 'approved' || approval.status === 'responded' ? paint.green(approval.status) : paint.yellow(approval.status);
  const body = [
    line(
      options,
      'decided',
      safe`${approval.id} ${status} by ${paint.bold(decision.by)}${decision.reason ? safe`: ${cut(decision.reason, FULL)}` : ''}${full ? ` (${decision.via}, ${time(decision.at)})` : ''}`,
    ),
  ];
  if (decision.value !== null) body.push(more(safe`${approval.kind === 'question' ? 'answer' : 'value'}: ${cut(decision.value, full ? FULL : 300)}`));
  return [opened, { key: `approval ${approval.id} ${approval.status}`, at: decision.at, rank: 3.5, lines: body }];
}

/** In brief, what passed is one line a kind: the verdicts of a kind are written together. */
function verdictEntries(attempt: number, verdicts: VerdictRow[], options: TrajectoryOptions): Entry[] {
  const { paint, full } = options;
  const quiet = (verdict: VerdictRow): boolean => !full && verdict.passed && verdict.issues.length === 0;
  const entries = verdicts.filter((verdict) => !quiet(verdict)).map((verdict) => verdictEntry(attempt, verdict, options));
  for (const [kind, passed] of Map.groupBy(verdicts.filter(quiet), (verdict) => verdict.kind)) {
    const names = passed.map((verdict) => (verdict.score === 100 || verdict.score === null ? verdict.evaluator : `${verdict.evaluator} ${scores([verdict.score])}`));
    entries.push({
      key: `verdicts ${attempt} ${kind}`,
      at: Math.min(...passed.map((verdict) => verdict.createdAt.getTime())),
      rank: 5.5,
      lines: [line(options, 'verdicts', safe`${paint.green(`${kind}: passed`)} ${paint.dim(names.join(', '))}`)],
    });
  }
  return entries;
}

function verdictEntry(attempt: number, verdict: VerdictRow, options: TrajectoryOptions): Entry {
  const { paint, full } = options;
  const score =
    verdict.score === null
      ? paint.dim(verdict.status.replace('_', ' '))
      : verdict.passed
        ? paint.green(`passed ${scores([verdict.score])}`)
        : paint.red(`not passed ${scores([verdict.score])}`);
  const body = [
    line(
      options,
      'verdict',
      safe`${verdict.evaluator} (${verdict.kind}${verdict.hard ? ', hard' : ''}) ${score}${full || verdict.score === null ? safe` — ${verdict.evidence}` : ''}`,
    ),
  ];
  for (const issue of verdict.issues) {
    body.push(more(safe`${paint.yellow(issue.type)}: ${issue.message}${issue.fix && full ? safe` Fix: ${issue.fix}` : ''}`));
    if (full && issue.evidence) body.push(more(paint.dim(safe`evidence: ${issue.evidence}`)));
  }
  return { key: `verdict ${attempt} ${verdict.evaluator}`, at: verdict.createdAt.getTime(), rank: 6, lines: body };
}

function attemptEntry(row: AttemptRow, options: TrajectoryOptions): Entry {
  const { paint, full } = options;
  const state = row.passed ? paint.green('passed') : paint.yellow('not passed');
  const body = [
    line(
      options,
      `attempt ${row.attempt}`,
      safe`score ${scores([row.score])}, ${state}${full ? ` · ${count(row.turns, 'turn')} · ${count(row.inputTokens + row.outputTokens, 'token')} · ${usd(row.costMicros)}` : ''}`,
    ),
  ];
  if (full && row.outputSummary) body.push(more(safe`draft: ${row.outputSummary}`));
  if (row.correction) {
    for (const change of row.correction.change) body.push(more(safe`change: ${change.message}${change.fix ? ` ${change.fix}` : ''}`));
    if (row.correction.keep.length > 0) body.push(more(safe`keep: ${cut(row.correction.keep.join(' · '), full ? FULL : 200)}`));
    const { reflection } = row.correction;
    if (reflection) body.push(more(safe`reflection: ${cut(`${reflection.root_cause} → ${reflection.fix_suggestion}`, full ? FULL : 240)}`));
    if (row.correction.strategy) body.push(more(safe`strategy: ${row.correction.strategy}`));
  }
  return { key: `attempt ${row.attempt}`, at: row.endedAt!.getTime(), rank: 7, lines: body };
}
