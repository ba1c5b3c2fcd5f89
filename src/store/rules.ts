import { camelCase, type Executor } from './database.ts';
import type { Row, RuleStatus } from './schema.ts';
import { sha256 } from './text.ts';

export type RuleRow = Row<'rule'> & { sources: Omit<Row<'ruleSource'>, 'ruleId' | 'version'>[] };
export type Rules = ReturnType<typeof createRules>;
export interface RuleProposal {
  agent: string;
  content: string;
  createdBy: string;
  taskId: string;
  attempt: number;
  /** Verbatim from the attempt's trace. */ quote: string;
}

/** Rules on their way to review. Nothing reads them into a prompt before they are live. */
export function createRules(database: Executor) {
  async function add({ agent, createdBy, taskId, attempt, quote, ...proposal }: RuleProposal, executor: Executor): Promise<string> {
    const content = proposal.content.replace(/\s+/g, ' ').trim();
    const contentHash = sha256(content);
    const tables = camelCase(executor);
    const row = { ruleId: sha256(JSON.stringify([agent, contentHash])).slice(0, 16), version: 1, agent, content, contentHash, createdBy };
    await tables
      .insertInto('rule')
      .values(row)
      .onConflict((conflict) => conflict.columns(['tenant', 'agent', 'contentHash']).doNothing())
      .execute();
    // the sentence may be a later version of another rule by now
    const { ruleId, version } = await tables
      .selectFrom('rule')
      .select(['ruleId', 'version'])
      .where('agent', '=', agent)
      .where('contentHash', '=', contentHash)
      .executeTakeFirstOrThrow();
    await tables
      .insertInto('ruleSource')
      .values({ ruleId, version, taskId, attempt, quote })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return ruleId;
  }

  return {
    /** The same sentence for the same agent is one rule, wherever it stands; each attempt that proposes it is one source. Returns the rule's id. Throws on an empty sentence. */
    async propose(proposal: RuleProposal, executor?: Executor): Promise<string> {
      if (executor) return add(proposal, executor);
      return database.transaction().execute((transaction) => add(proposal, transaction));
    },

    /** Every version, newest first, with where it comes from. */
    async list(filter: { agent?: string; status?: RuleStatus } = {}, executor: Executor = database): Promise<RuleRow[]> {
      let query = camelCase(executor).selectFrom('rule').selectAll();
      if (filter.agent !== undefined) query = query.where('agent', '=', filter.agent);
      if (filter.status !== undefined) query = query.where('status', '=', filter.status);
      const rules = await query.orderBy('createdAt', 'desc').orderBy('ruleId').orderBy('version', 'desc').execute();
      if (rules.length === 0) return [];
      const sources = await camelCase(executor)
        .selectFrom('ruleSource')
        .selectAll()
        .where('ruleId', 'in', [...new Set(rules.map((rule) => rule.ruleId))])
        .orderBy('taskId')
        .orderBy('attempt')
        .execute();
      const key = (row: { ruleId: string; version: number }) => `${row.ruleId} ${row.version}`;
      const byRule = Map.groupBy(sources, key);
      return rules.map((rule) => ({ ...rule, sources: (byRule.get(key(rule)) ?? []).map(({ taskId, attempt, quote }) => ({ taskId, attempt, quote })) }));
    },
  };
}
