import type { ExperimentDetail, ExperimentView } from '../../contracts/api/experiments.ts';
import type { ExperimentRun } from '../../contracts/learning.ts';
import type { ExperimentRow } from '../../store/experiments.ts';
import { rfc3339, rfc3339OrNull } from './time.ts';

export function experimentView(row: ExperimentRow): ExperimentView {
  const { experimentId, agent, dataset, plan, startedBy, decision, why, wins, losses, ties, excluded, delta } = row;
  return {
    experimentId,
    agent,
    dataset,
    rule: plan.rule,
    startedBy,
    startedAt: rfc3339(row.startedAt),
    endedAt: rfc3339OrNull(row.endedAt),
    decision,
    why,
    cases: plan.caseIds.length,
    repeats: plan.repeats,
    wins,
    losses,
    ties,
    excluded,
    delta,
    p: row.pValue,
    alpha: plan.alpha,
  };
}

export function experimentDetail(row: ExperimentRow, runs: readonly ExperimentRun[]): ExperimentDetail {
  const { measure, test, level, minCases, criticalCaseIds, base, candidate, datasetAsOf } = row.plan;
  const { result } = row;
  return {
    ...experimentView(row),
    planHash: row.planHash,
    plan: { datasetAsOf: rfc3339(datasetAsOf), measure, test, level, minCases, criticalCaseIds, base, candidate },
    result: result && {
      interval: result.interval,
      compared: result.compared,
      criticalLosses: result.criticalLosses,
      excluded: result.excluded,
      base: result.base,
      candidate: result.candidate,
    },
    runs: runs.map(({ caseId, repeat, arm, taskId, value, score, corrections, costMicros, durationMs, excluded }) => ({
      caseId,
      repeat,
      arm,
      taskId,
      value,
      score,
      corrections,
      costMicros,
      durationMs,
      excluded,
    })),
  };
}
