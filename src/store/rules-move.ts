import type { RuleStatus } from '../contracts/reasons.ts';
import { CANARY_PAIRS, CANARY_SHARE, FORCED_SHARE, refuseStep, RULE_MOVERS, type GateEvidence, type RuleMoveRefusal } from '../policy/lifecycle.ts';
import type { Audit, AuditEntry } from './audit.ts';
import { camelCase, type Executor } from './database.ts';
import { promptsAfterStep } from './prompt-versions.ts';
import { chunksOf, type ExpiredChunks } from './rules-chunks.ts';
import { RuleMoveRefused } from './rules-refused.ts';
import type { Row } from './schema.ts';

export interface RuleMove {
  ruleId: string;
  version: number;
  to: RuleStatus;
  /** A subject, or one of `RULE_MOVERS`. */
  actor: string;
  /** Of a program: empty. */
  roles: readonly string[];
  /** A sentence. */
  reason: string;
  /** How the actor is known, for the audit. Default: `system` for a program without roles, else `local`. Only what is not `system` is a person. */
  via?: string;
  /** Another tenant's rule is not there. */
  tenant?: string;
  /** Live without the gate. */
  force?: boolean;
  experimentId?: string | null;
  /** Figures that the step rests on. */
  detail?: Record<string, unknown> | null;
  /** Of the tasks in scope, over 0 to 0.9; for canary (default 0.2) and forced rules (0.5). */
  share?: number;
  /** Of tasks, until a canary without harm goes live; default 60. */
  pairs?: number;
}

/** From where it goes on to a prompt: what it cites has to hold then. */
const GOES_ON: readonly RuleStatus[] = ['in_review', 'preview', 'canary', 'live'];

/** One step, in a transaction: the row stays locked, so that of two at once one finds the rule moved. @throws {RuleMoveRefused} */
export async function move(request: RuleMove, transaction: Executor, audit: Audit, expired: ExpiredChunks): Promise<Row<'rule'>> {
  const rule = await lockRule(transaction, request);
  const { to, actor, roles, reason, experimentId = null, force = false, share = null, pairs = null } = request;
  const via = request.via ?? (roles.length === 0 && (RULE_MOVERS as readonly string[]).includes(actor) ? 'system' : 'local');
  const experiment = experimentId === null ? null : await evidenceOf(transaction, rule, experimentId);
  refuse(
    refuseStep({ rule: { ...rule, reviewed: rule.reviewedBy !== null }, to, actor, roles, byProgram: via === 'system', force, reason, experiment, experimentId, share, pairs }),
  );
  if (GOES_ON.includes(to)) refuse(await refuseExpired(transaction, rule, expired));
  const moved = await camelCase(transaction)
    .updateTable('rule')
    .set(changesOf(request, rule))
    .where('ruleId', '=', rule.ruleId)
    .where('version', '=', rule.version)
    .returningAll()
    .executeTakeFirstOrThrow();
  const told = { ...request.detail, ...(force ? { forced: true } : {}), ...(to === 'canary' || force ? { share: moved.trafficShare, pairs: moved.canaryPairs } : {}) };
  const seq = await step(transaction, rule, { to, actor, reason, experimentId, detail: Object.keys(told).length === 0 ? null : told });
  const replaced = to === 'live' ? await retireOthers(transaction, moved, actor) : [];
  await promptsAfterStep(transaction, { agent: rule.agent, tenant: rule.tenant, actor, reason }, rule.status, to);
  for (const each of replaced) await audit.append(stepEntry(each.rule, each.seq, { to: 'retired', actor, via, reason: each.reason }), transaction);
  await audit.append(stepEntry(rule, seq, { ...told, to, actor, via, reason, experimentId }), transaction);
  return moved;
}

/** @throws {RuleMoveRefused} when there is none */
export async function lockRule(transaction: Executor, { ruleId, version, tenant }: { ruleId: string; version: number; tenant?: string }): Promise<Row<'rule'>> {
  let query = camelCase(transaction).selectFrom('rule').selectAll().where('ruleId', '=', ruleId).where('version', '=', version);
  if (tenant !== undefined) query = query.where('tenant', '=', tenant);
  const rule = await query.forUpdate().executeTakeFirst();
  if (!rule) throw new RuleMoveRefused({ code: 'unknown_rule', field: 'ruleId', message: `There is no rule ${ruleId} version ${version}.` });
  return rule;
}

/** A row of the way. @returns its number */
export async function step(
  transaction: Executor,
  rule: Pick<Row<'rule'>, 'ruleId' | 'version' | 'status'>,
  { to, ...told }: { to: RuleStatus; actor: string; reason: string; experimentId: string | null; detail: Record<string, unknown> | null },
): Promise<number> {
  const { seq } = await camelCase(transaction)
    .insertInto('transition')
    .values({ ruleId: rule.ruleId, version: rule.version, fromStatus: rule.status, toStatus: to, ...told })
    .returning('seq')
    .executeTakeFirstOrThrow();
  return seq;
}

/** What the audit is told of a step, last in its transaction. */
export function stepEntry(
  rule: Pick<Row<'rule'>, 'ruleId' | 'version' | 'tenant' | 'status'>,
  seq: number,
  { to, actor, via, ...told }: { to: RuleStatus; actor: string; via: string; reason: string; experimentId?: string | null },
): AuditEntry {
  const after = { status: to, ...told };
  const target = `${rule.ruleId} version ${rule.version}`;
  return { tenant: rule.tenant, key: `rule.moved/${seq}`, actor, actorVia: via, action: 'rule.moved', target, before: { status: rule.status }, after };
}

/** @throws {RuleMoveRefused} */
export function refuse(refusal: RuleMoveRefusal | null): void {
  if (refusal) throw new RuleMoveRefused(refusal);
}

async function refuseExpired(transaction: Executor, rule: Row<'rule'>, expired: ExpiredChunks): Promise<RuleMoveRefusal | null> {
  const chunks = await chunksOf(transaction, rule.ruleId, rule.version);
  const gone = chunks.length === 0 ? [] : await expired(chunks, transaction, rule);
  if (gone.length === 0) return null;
  return {
    code: 'expired_chunk',
    field: null,
    message: `It rests on knowledge that is expired or not known: ${gone.slice(0, 5).join(', ')}. Reject it, and propose it by what holds now.`,
  };
}

function changesOf({ to, actor, force, share, pairs, experimentId }: RuleMove, rule: Row<'rule'>) {
  switch (to) {
    case 'preview':
      // what comes back from live traffic was reviewed by whoever did it first
      return { status: to, trafficShare: 0, forced: false, ...(rule.status === 'in_review' ? { reviewedBy: actor } : {}) };
    case 'canary':
      return { status: to, trafficShare: share ?? CANARY_SHARE, canaryPairs: pairs ?? CANARY_PAIRS, experimentId };
    case 'live':
      return force ? { status: to, trafficShare: share ?? FORCED_SHARE, canaryPairs: pairs ?? rule.canaryPairs, forced: true } : { status: to, trafficShare: 1 };
    default:
      return { status: to, trafficShare: 0 };
  }
}

interface Replaced {
  rule: Row<'rule'>;
  seq: number;
  reason: string;
}

/** Of one rule one version is live. */
async function retireOthers(transaction: Executor, { ruleId, version }: Row<'rule'>, actor: string): Promise<Replaced[]> {
  const others = await camelCase(transaction)
    .selectFrom('rule')
    .selectAll()
    .where('ruleId', '=', ruleId)
    .where('version', '!=', version)
    .where('status', '=', 'live')
    .forUpdate()
    .execute();
  const reason = `Version ${version} went live in its place.`;
  const replaced: Replaced[] = [];
  for (const rule of others) {
    await camelCase(transaction).updateTable('rule').set({ status: 'retired', trafficShare: 0 }).where('ruleId', '=', ruleId).where('version', '=', rule.version).execute();
    replaced.push({ rule, reason, seq: await step(transaction, rule, { to: 'retired', actor, reason, experimentId: null, detail: null }) });
  }
  return replaced;
}

async function evidenceOf(transaction: Executor, { ruleId, version }: Row<'rule'>, experimentId: string): Promise<GateEvidence | null> {
  const tables = camelCase(transaction);
  const row = await tables
    .selectFrom('experiment')
    .select(['ruleId', 'ruleVersion', 'agent', 'tenant', 'decision', 'dataset'])
    .where('experimentId', '=', experimentId)
    .executeTakeFirst();
  if (!row) return null;
  const used = await tables
    .selectFrom('transition')
    .select('seq')
    .where('ruleId', '=', ruleId)
    .where('version', '=', version)
    .where('toStatus', '=', 'canary')
    .where('experimentId', '=', experimentId)
    .executeTakeFirst();
  return { ...row, used: used !== undefined };
}
