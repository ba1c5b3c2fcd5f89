import type { CloseLearnRunInput, LearnSummary } from '../contracts/learn.ts';
import { endRun, listFindings, readRun } from '../store/learn-runs.ts';
import type { Services } from './services.ts';

/** Sums a run up. */
export function createCloseLearnRun({ store, log }: Services) {
  return async function closeLearnRun({ learnId, endedAt, usage }: CloseLearnRunInput): Promise<LearnSummary> {
    const findings = await listFindings(store.database, learnId);
    const summary: LearnSummary = {
      clusters: findings.length,
      proposed: findings.flatMap(({ clusterId, tier, ruleId, ruleVersion }) => (ruleId !== null && tier !== null ? [{ ruleId, version: ruleVersion!, clusterId, tier }] : [])),
      refused: findings.reduce((sum, { refusals }) => sum + refusals.length, 0),
      fineTuning: findings.filter(({ tier }) => tier === 'fine_tuning').map(({ clusterId }) => clusterId),
    };
    await endRun(store.database, learnId, { endedAt: new Date(endedAt), summary, usage });
    log.info({ learn_id: learnId, ...summary, proposed: summary.proposed.length }, 'learn');
    return (await readRun(store.database, learnId))?.summary ?? summary;
  };
}
