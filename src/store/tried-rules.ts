import { sql } from 'kysely';
import type { RuleKind, RuleStatus } from '../contracts/reasons.ts';
import type { Executor } from './database.ts';

export interface TriedRuleRow {
  ruleId: string;
  kind: RuleKind;
  status: RuleStatus;
  content: string;
}

/**
 * Rules that were proposed for a cluster and got to review, newest version of each: those that earlier runs proposed for it, and those for its
 * signature that no other cluster has. In order of id.
 */
export async function readTriedRules(database: Executor, cluster: { clusterId: string; agent: string; tenant: string; signature: string }): Promise<TriedRuleRow[]> {
  const { clusterId, agent, tenant, signature } = cluster;
  const { rows } = await sql<TriedRuleRow>`
    select distinct on (rule_id) rule_id as "ruleId", kind, status, content from rule
    where agent = ${agent} and tenant = ${tenant}
      and exists (select from transition where transition.rule_id = rule.rule_id and to_status = 'in_review')
      and (
        exists (select from learn_finding where learn_finding.rule_id = rule.rule_id and cluster_id = ${clusterId})
        or (signature = ${signature} and not exists (select from learn_finding where learn_finding.rule_id = rule.rule_id and cluster_id <> ${clusterId}))
      )
    order by rule_id, version desc`.execute(database);
  return rows;
}
