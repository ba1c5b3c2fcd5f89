/** A running task in a few lines: what it does, its attempts as bars, what it has cost. */
import type { TaskView } from '../../store/task-view.ts';
import { count, cut, duration, scores, usd } from '../text/format.ts';
import { type Paint, type Safe, safe } from '../text/safe.ts';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
/** Attempts that are shown; a task may have 50. */
const MAX_BARS = 6;
const BAR = 20;

/** @param tick counts redraws: the spinner's place */
export function statusLines(view: TaskView, paint: Paint, tick: number, now: number): Safe[] {
  const { task } = view;
  const waits = view.approvals.filter(({ status }) => status === 'pending');
  const what =
    waits.length > 0 ? paint.yellow(`waits for a person: ${waits.map(({ id, tool }) => (tool ? `${tool} (${id})` : id)).join(', ')}`) : paint.cyan(task.phase.replaceAll('_', ' '));
  const spinner = FRAMES[tick % FRAMES.length]!;
  return [safe`${paint.cyan(spinner)} ${what} ${paint.dim(`· ${duration(now - task.startedAt.getTime())}`)}`, ...attemptBars(view, paint), costLine(view, paint)];
}

function attemptBars({ attempts, task }: TaskView, paint: Paint): Safe[] {
  const passScore = task.snapshot?.limits.passScore ?? 80;
  return attempts.slice(-MAX_BARS).map(({ attempt, row, turns }) => {
    const label = `attempt ${attempt}`.padEnd(10);
    if (!row || row.score === null) return safe`  ${label} ${paint.dim('░'.repeat(BAR))} ${count(turns.length, 'turn')}`;
    const filled = Math.round((row.score / 100) * BAR);
    const bar = '█'.repeat(filled) + '░'.repeat(BAR - filled);
    return safe`  ${label} ${row.score >= passScore ? paint.green(bar) : paint.yellow(bar)} ${scores([row.score])}${row.passed ? ' passed' : ` of at least ${passScore}`}`;
  });
}

/** From the calls themselves: the task's own sums are written at the end of an attempt. */
function costLine({ modelCalls, task }: TaskView, paint: Paint): Safe {
  const cost = modelCalls.reduce((sum, call) => sum + call.costMicros, 0);
  const tokens = modelCalls.reduce((sum, call) => sum + (call.inputTokens ?? 0) + (call.outputTokens ?? 0), 0);
  const limits = task.snapshot?.limits;
  const of = (limit: number | undefined, text: (value: number) => string): string => (limit === undefined ? '' : ` of ${text(limit)}`);
  return paint.dim(cut(`  ${usd(cost)}${of(limits?.maxCostMicros, usd)} · ${count(tokens, 'token')}${of(limits?.maxTotalTokens, (value) => value.toLocaleString('en-US'))}`, 200));
}
