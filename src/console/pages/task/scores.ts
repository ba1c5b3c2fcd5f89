/** The course of a task's attempts as series of charts. */
import type { AttemptView, ModelCallView, TurnView } from '../../../contracts/api/task-detail.ts';
import type { ChartSeries } from '../../charts/chart-data.ts';

/** Score of each closed attempt, and the score at which one passes. */
export function scoreSeries(attempts: readonly AttemptView[], passScore: number | null, names: { score: string; pass: string }): { labels: string[]; series: ChartSeries[] } {
  const closed = attempts.filter((attempt) => attempt.closed);
  const series: ChartSeries[] = [{ label: names.score, values: closed.map((attempt) => attempt.score) }];
  if (passScore !== null) series.push({ label: names.pass, values: closed.map(() => passScore), bound: true });
  return { labels: closed.map((attempt) => String(attempt.attempt)), series };
}

export interface CallCost {
  label: string;
  call: ModelCallView;
}

/** Every model call in the order in which it was sent: those of turns, and those between. */
export function callsInOrder(turns: readonly TurnView[], others: readonly ModelCallView[]): CallCost[] {
  const all = [...turns.flatMap((turn) => turn.modelCalls), ...others].toSorted((left, right) => Date.parse(left.startedAt) - Date.parse(right.startedAt));
  return all.map((call) => ({ call, label: call.turn === null || call.attempt === null ? call.purpose : `${call.attempt}.${call.turn}` }));
}

export interface ModelSum {
  model: string;
  purpose: string;
  calls: number;
  failed: number;
  inputTokens: number;
  outputTokens: number;
  costMicros: number;
  durationMs: number;
  /** A part is estimated, because a provider gave no usage. */
  estimated: boolean;
}

/** By model and purpose, dearest first. */
export function sumsByModel(calls: readonly CallCost[]): ModelSum[] {
  const sums = new Map<string, ModelSum>();
  for (const { call } of calls) {
    const key = `${call.model}\n${call.purpose}`;
    const sum = sums.get(key) ?? { model: call.model, purpose: call.purpose, calls: 0, failed: 0, inputTokens: 0, outputTokens: 0, costMicros: 0, durationMs: 0, estimated: false };
    sums.set(key, {
      ...sum,
      calls: sum.calls + 1,
      failed: sum.failed + (call.status === 'ok' || call.status === 'sent' ? 0 : 1),
      inputTokens: sum.inputTokens + (call.inputTokens ?? 0),
      outputTokens: sum.outputTokens + (call.outputTokens ?? 0),
      costMicros: sum.costMicros + call.costMicros,
      durationMs: sum.durationMs + call.durationMs,
      estimated: sum.estimated || call.estimated,
    });
  }
  return [...sums.values()].toSorted((left, right) => right.costMicros - left.costMicros || right.calls - left.calls);
}
