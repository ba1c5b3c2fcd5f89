import type { ExperimentPlan, LearnedRule, RuleRef } from '../contracts/learning.ts';
import { camelCase, type Executor } from './database.ts';
import type { Row } from './schema.ts';

/** A rule as prompts and the choice of arms need it. */
export type RuleForPrompts = LearnedRule & Pick<Row<'rule'>, 'status' | 'forced' | 'scopeTerms' | 'salt' | 'trafficShare' | 'contentHash'>;

const COLUMNS = ['ruleId', 'version', 'kind', 'content', 'payload', 'status', 'forced', 'scopeTerms', 'salt', 'trafficShare', 'contentHash'] as const;

/** Rules of an agent and tenant that stand so, oldest first: the order in which prompts have them. */
export async function rulesStanding<Status extends Row<'rule'>['status']>(
  executor: Executor,
  { agent, tenant, statuses }: { agent: string; tenant: string; statuses: readonly Status[] },
): Promise<(RuleForPrompts & { status: Status })[]> {
  const rows = await camelCase(executor)
    .selectFrom('rule')
    .select(COLUMNS)
    .where('agent', '=', agent)
    .where('tenant', '=', tenant)
    .where('status', 'in', [...statuses])
    .orderBy('createdAt')
    .orderBy('ruleId')
    .orderBy('version')
    .execute();
  return rows as (RuleForPrompts & { status: Status })[];
}

/** Exactly these versions, wherever they stand, oldest first. @throws when one is not there, or is another agent's or tenant's */
export async function rulesNamed(
  executor: Executor,
  { agent, tenant, refs }: { agent: string; tenant: string; refs: readonly RuleRef[] },
): Promise<(LearnedRule & { scopeTerms: string[] })[]> {
  if (refs.length === 0) return [];
  const rows = await camelCase(executor)
    .selectFrom('rule')
    .select(['ruleId', 'version', 'kind', 'content', 'payload', 'scopeTerms'])
    .where('agent', '=', agent)
    .where('tenant', '=', tenant)
    .where((where) => where.or(refs.map(({ ruleId, version }) => where.and({ ruleId, version }))))
    .orderBy('createdAt')
    .orderBy('ruleId')
    .orderBy('version')
    .execute();
  const missing = refs.find((ref) => !rows.some((row) => row.ruleId === ref.ruleId && row.version === ref.version));
  if (missing) throw new Error(`rule ${missing.ruleId} version ${missing.version} of ${agent} (${tenant}) is not in the store`);
  return rows;
}

/** What was fixed before the experiment began; null: there is none of this id. */
export async function planOf(executor: Executor, experimentId: string): Promise<ExperimentPlan | null> {
  const row = await camelCase(executor).selectFrom('experiment').select('plan').where('experimentId', '=', experimentId).executeTakeFirst();
  return row?.plan ?? null;
}
