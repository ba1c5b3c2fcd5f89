import type { RuleProposal, RuleSource } from '../contracts/learning.ts';
import type { Audit } from './audit.ts';
import { camelCase, type Executor } from './database.ts';
import { expiredChunks, type ExpiredChunks } from './rules-chunks.ts';
import { edit, type RuleEdit } from './rules-edit.ts';
import { move, type RuleMove } from './rules-move.ts';
import { propose, type Proposed } from './rules-propose.ts';
import type { Row, RuleStatus } from './schema.ts';
import type { AuditActor } from './secret.ts';

export type { RuleEdit } from './rules-edit.ts';
export type { RuleMove } from './rules-move.ts';
export type { Proposed } from './rules-propose.ts';
export { RuleMoveRefused } from './rules-refused.ts';
export type RuleRow = Row<'rule'> & { sources: RuleSource[] };
export type TransitionRow = Row<'transition'>;
export type Rules = ReturnType<typeof createRules>;
export interface RuleFilter {
  agent?: string;
  tenant?: string;
  status?: RuleStatus;
  ruleId?: string;
}

/** What was learned and may go into prompts, on its way there. Nothing reaches one but by `move`. @param expired default: by the table of knowledge */
export function createRules(database: Executor, audit: Audit, expired: ExpiredChunks = expiredChunks) {
  const inTransaction = <Result>(executor: Executor | undefined, work: (transaction: Executor) => Promise<Result>): Promise<Result> =>
    executor ? work(executor) : database.transaction().execute(work);

  async function list(filter: RuleFilter = {}, executor: Executor = database): Promise<RuleRow[]> {
    let query = camelCase(executor).selectFrom('rule').selectAll();
    for (const column of ['agent', 'tenant', 'status', 'ruleId'] as const) if (filter[column] !== undefined) query = query.where(column, '=', filter[column]);
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
  }

  return {
    /**
     * The same words for the same agent and tenant are one rule, wherever it stands; each attempt that proposes it is one source. What is refused is kept
     * as rejected, and stays so.
     * @param person who proposes by hand: the audit is told
     * @throws {TypeError} when the words are empty or the payload is not of the kind
     */
    async propose(proposal: RuleProposal, executor?: Executor, person?: AuditActor): Promise<Proposed> {
      if (proposal.content.trim() === '') throw new TypeError('"content" of a rule must say something.');
      return inTransaction(executor, async (transaction) => {
        const proposed = await propose(proposal, transaction, expired);
        if (person) await audit.append(proposalEntry(proposal, proposed, person), transaction);
        return proposed;
      });
    },

    /** One step on the way. Written with its transition and its audit row, or not at all. @throws {RuleMoveRefused} */
    move: (request: RuleMove, executor?: Executor): Promise<Row<'rule'>> => inTransaction(executor, (transaction) => move(request, transaction, audit, expired)),

    /** Other words: a new version, in review. @throws {RuleMoveRefused} @throws {TypeError} */
    edit: (request: RuleEdit, executor?: Executor): Promise<Row<'rule'>> => inTransaction(executor, (transaction) => edit(request, transaction, audit)),

    /** Every version, newest first, with where it comes from. */
    list,

    /** @param version default: the newest */
    async get(ruleId: string, version?: number, filter: { tenant?: string } = {}, executor: Executor = database): Promise<RuleRow | null> {
      const versions = await list({ ruleId, ...filter }, executor);
      const found = version === undefined ? versions.toSorted((left, right) => right.version - left.version)[0] : versions.find((each) => each.version === version);
      return found ?? null;
    },

    /** Every step of all its versions, oldest first. */
    transitions(ruleId: string, executor: Executor = database): Promise<TransitionRow[]> {
      return camelCase(executor).selectFrom('transition').selectAll().where('ruleId', '=', ruleId).orderBy('seq').execute();
    },

    /** Rules that stand so, in a fixed order. */
    inStatus(agent: string, tenant: string, statuses: readonly RuleStatus[], executor: Executor = database): Promise<Row<'rule'>[]> {
      return camelCase(executor)
        .selectFrom('rule')
        .selectAll()
        .where('agent', '=', agent)
        .where('tenant', '=', tenant)
        .where('status', 'in', [...statuses])
        .orderBy('ruleId')
        .orderBy('version')
        .execute();
    },
  };
}

function proposalEntry({ tenant, agent, kind, content }: RuleProposal, { ruleId, version, status, refused }: Proposed, { by, via }: AuditActor) {
  const key = `rule.proposed/${ruleId}/${version}/${by}`;
  return {
    tenant,
    key,
    actor: by,
    actorVia: via,
    action: 'rule.proposed',
    target: `${ruleId} version ${version}`,
    after: { agent, kind, content, status, refused: refused?.code ?? null },
  };
}
