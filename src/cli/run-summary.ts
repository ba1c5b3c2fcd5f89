/** A run in short: how many model calls, whether it passed, and what each attempt scored and was told. */
import type { Outcome } from '../contracts/outcome.ts';
import { correctionLine } from '../policy/correction.ts';
import type { TaskView } from '../store/task-view.ts';
import { count, scores } from './text/format.ts';
import { type Paint, type Safe, safe } from './text/safe.ts';

export interface RunSummary {
  taskId: string;
  agent: string;
  /** Null while it runs. */
  outcome: string | null;
  reason: string | null;
  /** Of all stages: writer, judge, summaries. */
  modelCalls: number;
  passed: boolean;
  attempts: {
    attempt: number;
    /** 0..100; null when it was not evaluated. */ score: number | null;
    passed: boolean;
    /** What the next attempt was told; null on the last. */ correction: string | null;
  }[];
}

export function runSummary({ taskId, agent, outcome, reason, usage, attempts }: Outcome): RunSummary {
  return {
    taskId,
    agent,
    outcome,
    reason,
    modelCalls: usage.calls,
    passed: outcome === 'passed',
    attempts: attempts.map(({ attempt, score, passed, correction }) => ({ attempt, score, passed, correction })),
  };
}

/** The same from a task's rows, also while it runs. */
export function runSummaryOf({ task, attempts, modelCalls }: TaskView): RunSummary {
  return {
    taskId: task.taskId,
    agent: task.agent,
    outcome: task.outcome,
    reason: task.reason,
    passed: task.outcome === 'passed',
    // a call that failed before it was answered costs nothing and is none
    modelCalls: modelCalls.filter(({ status }) => status !== 'error').length,
    attempts: attempts.flatMap(({ row }) =>
      row === null ? [] : [{ attempt: row.attempt, score: row.score, passed: row.passed, correction: row.correction ? correctionLine(row.correction) : null }],
    ),
  };
}

export function summaryLines(paint: Paint, summary: RunSummary): Safe[] {
  const mark = summary.passed ? paint.green('✓ passed') : paint.yellow(`■ ${summary.outcome?.replaceAll('_', ' ') ?? 'still running'}`);
  return [
    safe`${paint.bold(summary.taskId)} · ${mark}${summary.reason === null ? '' : ` (${summary.reason})`} · ${count(summary.modelCalls, 'model call')} · score ${scores(summary.attempts.map(({ score }) => score))}`,
    ...summary.attempts.map(
      ({ attempt, score, passed, correction }) =>
        safe`  attempt ${attempt}: ${score === null ? 'not evaluated' : `${score} of 100`}, ${passed ? paint.green('passed') : 'not passed'}${correction === null ? '' : safe`  ${paint.dim('→')} ${correction}`}`,
    ),
  ];
}
