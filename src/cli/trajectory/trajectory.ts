/** A task's facts in the order in which they happened: plans, decisions, tool calls, questions to people, verdicts, corrections. */
import type { AttemptRow } from '../../store/attempts.ts';
import type { PlanRow } from '../../store/plans.ts';
import type { StoredTaskEvent } from '../../store/task-events.ts';
import type { TaskView } from '../../store/task-view.ts';
import type { ToolCallRow } from '../../store/tool-calls.ts';
import type { TurnRow } from '../../store/turns.ts';
import { count, cut, duration, scores, usd } from '../text/format.ts';
import { join, safe } from '../text/safe.ts';
import { approvalEntries } from './approval-entries.ts';
import { byTime, type Entry } from './entry.ts';
import { eventEntries } from './event-entries.ts';
import { BRIEF, FULL, line, more, type TrajectoryOptions } from './line.ts';
import { verdictEntries } from './verdict-entries.ts';

/** @param events of the task's log */
export function trajectoryOf(view: TaskView, events: readonly StoredTaskEvent[], options: TrajectoryOptions): Entry[] {
  const entries: Entry[] = eventEntries(events, options);
  for (const plan of view.plans) entries.push(planEntry(plan, options));
  for (const each of view.attempts) {
    const { row, turns, toolCalls } = each;
    for (const turn of turns) entries.push(turnEntry(turn, options));
    for (const call of toolCalls) if (call.status !== 'started') entries.push(callEntry(call, options));
    entries.push(...verdictEntries(each, options));
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
