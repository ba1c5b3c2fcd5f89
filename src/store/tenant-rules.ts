import { camelCase } from './database.ts';
import type { RuleRow } from './rules.ts';
import type { RuleStatus } from './schema.ts';
import type { Store } from './store.ts';

/** Rules that come from a tenant's tasks, with the sources that are its own: quotes of others are theirs. */
export async function listRulesOf(store: Store, tenant: string, filter: { agent?: string; status?: RuleStatus }): Promise<RuleRow[]> {
  const rules = await store.rules.list(filter);
  const taskIds = [...new Set(rules.flatMap(({ sources }) => sources.map(({ taskId }) => taskId)))];
  if (taskIds.length === 0) return [];
  const own = await camelCase(store.database).selectFrom('task').select('taskId').where('tenant', '=', tenant).where('taskId', 'in', taskIds).execute();
  const isOwn = new Set(own.map(({ taskId }) => taskId));
  return rules.map((rule) => ({ ...rule, sources: rule.sources.filter(({ taskId }) => isOwn.has(taskId)) })).filter(({ sources }) => sources.length > 0);
}
