import { sql } from 'kysely';
import type { LearnSummary, RefusedProposal } from '../contracts/learn.ts';
import type { FailureCluster, RuleRef, RuleSource } from '../contracts/learning.ts';
import type { ProposalTier } from '../contracts/reasons.ts';
import type { Usage } from '../contracts/usage.ts';
import { camelCase, type Executor } from './database.ts';
import type { Row } from './schema.ts';
import { cleanJson } from './text.ts';

export type LearnRunRow = Row<'learnRun'>;
export type ClusterRow = Row<'failureCluster'>;
/** A finding with its cluster's names. */
export type FindingRow = Row<'learnFinding'> & Pick<ClusterRow, 'agent' | 'tenant' | 'signature' | 'label'>;

/** A cluster as a run saw it. */
export interface SeenCluster extends FailureCluster {
  centroid: number[];
  embedder: string;
  firstSeen: Date;
  lastSeen: Date;
  /** Tasks whose first attempt failed so. */
  firstAttempts: number;
  /** What its failures say, as they were compared; none of gate cases. */
  texts: string[];
  /** Issues that belong to it. */
  members: { taskId: string; attempt: number; evaluator: string; position: number }[];
}

export interface NewRun {
  learnId: string;
  agent: string;
  tenant: string;
  startedBy: string;
  since: Date;
  startedAt: Date;
  attempts: number;
  failedAttempts: number;
}

export async function readRun(database: Executor, learnId: string): Promise<LearnRunRow | null> {
  return (await camelCase(database).selectFrom('learnRun').selectAll().where('learnId', '=', learnId).executeTakeFirst()) ?? null;
}

/** Newest first, at most 100. */
export async function listRuns(database: Executor, filter: { tenant: string; agent?: string | undefined }): Promise<LearnRunRow[]> {
  let query = camelCase(database).selectFrom('learnRun').selectAll().where('tenant', '=', filter.tenant);
  if (filter.agent !== undefined) query = query.where('agent', '=', filter.agent);
  return query.orderBy('startedAt', 'desc').orderBy('learnId').limit(100).execute();
}

/** In order of their share in the run. */
export async function listFindings(database: Executor, learnId: string): Promise<FindingRow[]> {
  return findings(database).where('learnFinding.learnId', '=', learnId).orderBy('position').execute();
}

export async function readFinding(database: Executor, learnId: string, clusterId: string): Promise<FindingRow | null> {
  return (await findings(database).where('learnFinding.learnId', '=', learnId).where('learnFinding.clusterId', '=', clusterId).executeTakeFirst()) ?? null;
}

function findings(database: Executor) {
  return camelCase(database)
    .selectFrom('learnFinding')
    .innerJoin('failureCluster', 'failureCluster.clusterId', 'learnFinding.clusterId')
    .selectAll('learnFinding')
    .select(['failureCluster.agent', 'failureCluster.tenant', 'failureCluster.signature', 'failureCluster.label']);
}

/** Newest failure first, at most 500. */
export async function listClusters(database: Executor, filter: { tenant: string; agent?: string | undefined; status?: ClusterRow['status'] | undefined }): Promise<ClusterRow[]> {
  let query = camelCase(database).selectFrom('failureCluster').selectAll().where('tenant', '=', filter.tenant);
  if (filter.agent !== undefined) query = query.where('agent', '=', filter.agent);
  if (filter.status !== undefined) query = query.where('status', '=', filter.status);
  return query.orderBy('lastSeen', 'desc').orderBy('clusterId').limit(500).execute();
}

/** Writes a run with what it found; clusters that it did not see are closed. In one transaction, or a run that broke off is neither there nor not. */
export async function putRun(transaction: Executor, run: NewRun, clusters: readonly SeenCluster[]): Promise<void> {
  const tables = camelCase(transaction);
  await tables
    .insertInto('learnRun')
    .values({ ...run, clusters: clusters.length })
    .execute();
  await tables.updateTable('failureCluster').set({ status: 'closed' }).where('agent', '=', run.agent).where('tenant', '=', run.tenant).execute();
  for (const [index, { centroid, embedder, firstSeen, lastSeen, firstAttempts, share, trend, examples, texts, members, ...cluster }] of clusters.entries()) {
    const seen = { label: cluster.label, centroid, embedder, lastSeen, issues: cluster.issues, tasks: cluster.tasks, status: 'open' as const };
    await tables
      .insertInto('failureCluster')
      .values({ ...cluster, ...seen, firstSeen })
      .onConflict((conflict) => conflict.column('clusterId').doUpdateSet(seen))
      .execute();
    const figures = { share, trend, firstAttempts, issues: cluster.issues, tasks: cluster.tasks, texts };
    await tables
      .insertInto('learnFinding')
      .values({ learnId: run.learnId, clusterId: cluster.clusterId, position: index + 1, ...figures, examples: json(examples) })
      .execute();
    await markIssues(transaction, cluster.clusterId, members);
  }
}

async function markIssues(transaction: Executor, clusterId: string, members: SeenCluster['members']): Promise<void> {
  if (members.length === 0) return;
  const column = (name: keyof SeenCluster['members'][number]): (string | number)[] => members.map((member) => member[name]);
  await sql`
    update issue set cluster_id = ${clusterId}
    from unnest(${column('taskId')}::text[], ${column('attempt')}::int[], ${column('evaluator')}::text[], ${column('position')}::int[]) as member (task_id, attempt, evaluator, position)
    where issue.task_id = member.task_id and issue.attempt = member.attempt and issue.evaluator = member.evaluator and issue.position = member.position`.execute(transaction);
}

/** What was done about a cluster. */
export interface Answer {
  tier: ProposalTier | null;
  rule: RuleRef | null;
  refusals: RefusedProposal[];
  why: string;
  /** Something is on its way or live. */
  answered: boolean;
  usage: Usage;
}

export async function putAnswer(transaction: Executor, finding: { learnId: string; clusterId: string }, { tier, rule, refusals, why, answered, usage }: Answer): Promise<void> {
  const tables = camelCase(transaction);
  const { inputTokens, outputTokens, costMicros } = usage;
  await tables
    .updateTable('learnFinding')
    .set({ tier, ruleId: rule?.ruleId ?? null, ruleVersion: rule?.version ?? null, refusals: json(refusals), why, inputTokens, outputTokens, costMicros })
    .where('learnId', '=', finding.learnId)
    .where('clusterId', '=', finding.clusterId)
    .execute();
  await tables
    .updateTable('failureCluster')
    .set({ status: answered ? 'answered' : 'open' })
    .where('clusterId', '=', finding.clusterId)
    .execute();
}

/** Of several ends of one run the first stands. */
export async function endRun(database: Executor, learnId: string, end: { endedAt: Date; summary: LearnSummary; usage: Usage }): Promise<void> {
  const { inputTokens, outputTokens, costMicros } = end.usage;
  await camelCase(database)
    .updateTable('learnRun')
    .set({ endedAt: end.endedAt, summary: json(end.summary), inputTokens, outputTokens, costMicros })
    .where('learnId', '=', learnId)
    .where('endedAt', 'is', null)
    .execute();
}

/** A value for a jsonb column: pg would take an array for one of SQL. */
function json<Value extends RuleSource[] | RefusedProposal[] | LearnSummary>(value: Value): Value {
  return JSON.stringify(cleanJson(value)) as unknown as Value;
}
