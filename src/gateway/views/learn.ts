import type { ClusterView, FindingView, LearnRunDetail, LearnRunView } from '../../contracts/api/learn.ts';
import type { ClusterRow, FindingRow, LearnRunRow } from '../../store/learn-runs.ts';
import { rfc3339 } from './time.ts';

export function clusterView({ clusterId, agent, signature, label, status, firstSeen, lastSeen, issues, tasks }: ClusterRow): ClusterView {
  return { clusterId, agent, signature, label, status, firstSeen: rfc3339(firstSeen), lastSeen: rfc3339(lastSeen), issues, tasks };
}

export function learnRunView({ since, startedAt, endedAt, summary, learnId, agent, startedBy, attempts, failedAttempts, clusters, ...used }: LearnRunRow): LearnRunView {
  const { inputTokens, outputTokens, costMicros } = used;
  return {
    learnId,
    agent,
    startedBy,
    since: rfc3339(since),
    startedAt: rfc3339(startedAt),
    endedAt: endedAt && rfc3339(endedAt),
    attempts,
    failedAttempts,
    clusters,
    proposed: summary?.proposed.length ?? 0,
    refused: summary?.refused ?? 0,
    inputTokens,
    outputTokens,
    costMicros,
  };
}

export function learnRunDetail(run: LearnRunRow, findings: readonly FindingRow[]): LearnRunDetail {
  return { ...learnRunView(run), findings: findings.map(findingView) };
}

function findingView({ clusterId, signature, label, issues, tasks, share, trend, examples, tier, ruleId, ruleVersion, refusals, why }: FindingRow): FindingView {
  return { clusterId, signature, label, issues, tasks, share, trend, examples, tier, rule: ruleId === null ? null : { ruleId, version: ruleVersion! }, refusals, why };
}
