import type { RulePayload } from '../contracts/learning.ts';
import { refuseEdit } from '../policy/lifecycle.ts';
import { refuseText } from '../policy/proposal.ts';
import type { Audit } from './audit.ts';
import { camelCase, type Executor } from './database.ts';
import { promptsAfterStep } from './prompt-versions.ts';
import { chunksOf } from './rules-chunks.ts';
import { lockRule, refuse, step, stepEntry } from './rules-move.ts';
import { addSources, checkPayload, contentHashOf, evened } from './rules-propose.ts';
import { RuleMoveRefused } from './rules-refused.ts';
import type { Row } from './schema.ts';

export interface RuleEdit {
  ruleId: string;
  version: number;
  content: string;
  /** Left out: as it was. */
  payload?: RulePayload | null;
  actor: string;
  roles: readonly string[];
  reason: string;
  /** How the actor is known, for the audit; default `local`. */
  via?: string;
  tenant?: string;
}

/**
 * Other words in the place of a version: a new version of the same rule, with the same provenance, in review, written by the editor: somebody else approves it.
 * A version that was not on live traffic yet is over; one that was stays there until the new one is live.
 * @throws {RuleMoveRefused} @throws {TypeError} when the payload is not of the kind
 */
export async function edit(request: RuleEdit, transaction: Executor, audit: Audit): Promise<Row<'rule'>> {
  const rule = await lockRule(transaction, request);
  const { actor, roles, reason, via = 'local', payload = rule.payload } = request;
  refuse(refuseEdit(rule.status, roles, reason));
  checkPayload(rule.kind, payload);
  const content = evened(request.content);
  if (content === '') throw new TypeError('"content" of a rule must say something.');
  const refused = refuseText(rule.kind, content, payload);
  if (refused) throw new RuleMoveRefused({ code: refused.code, field: 'content', message: refused.reason });
  const next = await insertVersion(transaction, rule, { content, payload, actor });
  const tables = camelCase(transaction);
  const sources = await tables.selectFrom('ruleSource').select(['taskId', 'attempt', 'quote']).where('ruleId', '=', rule.ruleId).where('version', '=', rule.version).execute();
  await addSources(transaction, next, sources);
  const chunks = await chunksOf(transaction, rule.ruleId, rule.version);
  if (chunks.length > 0)
    await tables
      .insertInto('ruleChunk')
      .values(chunks.map((chunkId) => ({ ruleId: next.ruleId, version: next.version, chunkId })))
      .execute();
  const { seq } = await tables
    .insertInto('transition')
    .values({ ruleId: next.ruleId, version: next.version, fromStatus: null, toStatus: 'in_review', actor, reason, detail: { edited: rule.version } })
    .returning('seq')
    .executeTakeFirstOrThrow();
  const ended = rule.status === 'canary' || rule.status === 'live' ? null : await endVersion(transaction, rule, next.version, actor);
  const told = { before: { version: rule.version, content: rule.content }, after: { version: next.version, content, reason } };
  await audit.append(
    { tenant: rule.tenant, key: `rule.edited/${seq}`, actor, actorVia: via, action: 'rule.edited', target: `${rule.ruleId} version ${next.version}`, ...told },
    transaction,
  );
  if (ended) await audit.append(stepEntry(rule, ended.seq, { to: 'rejected', actor, via, reason: ended.reason }), transaction);
  return next;
}

async function insertVersion(
  transaction: Executor,
  rule: Row<'rule'>,
  { content, payload, actor }: { content: string; payload: RulePayload | null; actor: string },
): Promise<Row<'rule'>> {
  const tables = camelCase(transaction);
  // the first version is locked by every edit, so that two at once get different numbers
  await tables.selectFrom('rule').select('version').where('ruleId', '=', rule.ruleId).where('version', '=', 1).forUpdate().execute();
  const { newest } = await tables
    .selectFrom('rule')
    .select((row) => row.fn.max('version').as('newest'))
    .where('ruleId', '=', rule.ruleId)
    .executeTakeFirstOrThrow();
  const { ruleId, agent, tenant, kind, signature, expectedEffect, scopeTerms } = rule;
  const contentHash = contentHashOf(kind, content, payload);
  const row = {
    ruleId,
    version: newest + 1,
    agent,
    tenant,
    kind,
    content,
    payload,
    contentHash,
    status: 'in_review' as const,
    signature,
    expectedEffect,
    scopeTerms,
    createdBy: actor,
  };
  const inserted = await tables
    .insertInto('rule')
    .values(row)
    .onConflict((conflict) => conflict.columns(['tenant', 'agent', 'contentHash']).doNothing())
    .returningAll()
    .executeTakeFirst();
  if (!inserted) throw new RuleMoveRefused({ code: 'same_words', field: 'content', message: 'A rule of this agent has these words already.' });
  return inserted;
}

async function endVersion(transaction: Executor, rule: Row<'rule'>, next: number, actor: string): Promise<{ seq: number; reason: string }> {
  await camelCase(transaction).updateTable('rule').set({ status: 'rejected', trafficShare: 0 }).where('ruleId', '=', rule.ruleId).where('version', '=', rule.version).execute();
  const reason = `Edited: version ${next} stands in its place.`;
  const seq = await step(transaction, rule, { to: 'rejected', actor, reason, experimentId: null, detail: { editedTo: next } });
  await promptsAfterStep(transaction, { agent: rule.agent, tenant: rule.tenant, actor, reason }, rule.status, 'rejected');
  return { seq, reason };
}
