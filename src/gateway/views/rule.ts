import type { RuleDetail, RuleView } from '../../contracts/api/learning.ts';
import type { CitedChunk } from '../../store/rules-chunks.ts';
import type { RuleRow, TransitionRow } from '../../store/rules.ts';
import type { Row } from '../../store/schema.ts';
import { rfc3339, rfc3339OrNull } from './time.ts';

export function ruleView({ tenant: _tenant, contentHash: _hash, salt: _salt, trafficShare, canaryPairs, createdAt, ...rule }: RuleRow): RuleView {
  return { ...rule, share: trafficShare, pairs: canaryPairs, at: rfc3339(createdAt) };
}

export function stepView({ version, fromStatus, toStatus, actor, reason, experimentId, detail, at }: TransitionRow): RuleDetail['steps'][number] {
  return { version, from: fromStatus, to: toStatus, actor, reason, experimentId, detail, at: rfc3339(at) };
}

export function citedChunkView({ expiredAt, ...chunk }: CitedChunk): RuleDetail['chunks'][number] {
  return { ...chunk, expiredAt: rfc3339OrNull(expiredAt) };
}

export function experimentOfRule(row: Row<'experiment'>): RuleDetail['experiments'][number] {
  const { experimentId, ruleVersion, dataset, decision, why, wins, losses, ties, delta, pValue, alpha, startedAt, endedAt } = row;
  const figures = { wins, losses, ties, delta, p: pValue, alpha };
  return { experimentId, version: ruleVersion ?? 1, dataset, decision, why, ...figures, startedAt: rfc3339(startedAt), endedAt: rfc3339OrNull(endedAt) };
}
