/** Implementations of an agent's tools, and the share of the tasks that each gets. */
import { DEFAULT_TENANT } from '../contracts/names.ts';
import { createAudit } from './audit.ts';
import { camelCase, type Executor } from './database.ts';
import { lockFor } from './lock.ts';
import type { Row } from './schema.ts';

export type ToolVersionRow = Row<'toolVersion'>;

/** An implementation as a worker has it. */
interface Implementation {
  name: string;
  version: string;
  releasedAt: string;
  description: string;
}

/** In order of tool, oldest release first. */
export async function listToolVersions(executor: Executor, agent: string, tool?: string): Promise<ToolVersionRow[]> {
  let query = camelCase(executor).selectFrom('toolVersion').selectAll().where('agent', '=', agent);
  if (tool !== undefined) query = query.where('tool', '=', tool);
  return query.orderBy('tool').orderBy('releasedAt').orderBy('version').execute();
}

/** Oldest first: by release, then by version, numbers as numbers. */
export function byRelease(one: Pick<Implementation, 'releasedAt' | 'version'>, other: Pick<Implementation, 'releasedAt' | 'version'>): number {
  return one.releasedAt.localeCompare(other.releasedAt) || one.version.localeCompare(other.version, 'en', { numeric: true });
}

/**
 * Writes down what is new. An implementation alone is live at once: there is nothing else to run. One beside an older one is in preview without traffic,
 * until somebody gives it a share. Returns the rows of these tools.
 */
export async function registerTools(executor: Executor, agent: string, deployment: string, tools: readonly Implementation[]): Promise<ToolVersionRow[]> {
  const known = await listToolVersions(executor, agent);
  const isKnown = (tool: Implementation): boolean => known.some((row) => row.tool === tool.name && row.version === tool.version);
  if (tools.every(isKnown)) return known;
  return executor.transaction().execute(async (transaction) => {
    await lockFor(transaction, 'tool_version', agent);
    for (const [tool, implementations] of Map.groupBy(tools, ({ name }) => name)) {
      const [oldest] = implementations.toSorted(byRelease);
      for (const { version, releasedAt, description } of implementations) {
        const isFirst = version === oldest!.version;
        await camelCase(transaction)
          .insertInto('toolVersion')
          .values({
            agent,
            tool,
            version,
            releasedAt,
            description,
            trafficShare: isFirst ? 1 : 0,
            status: isFirst ? 'live' : 'preview',
            changedBy: deployment,
            reason: isFirst ? 'deployed' : 'deployed beside an older version, without traffic',
            changedAt: new Date(),
          })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      }
    }
    return listToolVersions(transaction, agent);
  });
}

interface TrafficChange {
  agent: string;
  tool: string;
  by: string;
  /** A sentence. */
  reason: string;
  /** How `by` is known, for the audit. */
  via?: string;
}

/**
 * Gives a version a share of the tasks, 0..1, from the next task on. 0: retired. It is in the audit.
 * @throws when there is no such version, or the share is none
 */
export async function setToolTraffic(database: Executor, { version, share, ...change }: TrafficChange & { version: string; share: number }): Promise<ToolVersionRow> {
  if (!(share >= 0 && share <= 1)) throw new RangeError(`A share is a number from 0 to 1, not ${share}.`);
  const { agent, tool, by, reason, via = 'local' } = change;
  return database.transaction().execute(async (transaction) => {
    await lockFor(transaction, 'tool_version', agent);
    const before = (await listToolVersions(transaction, agent, tool)).find((row) => row.version === version);
    if (!before) throw new Error(`${agent} has no version ${version} of ${tool}.`);
    const row = await camelCase(transaction)
      .updateTable('toolVersion')
      .set({ trafficShare: share, status: share === 0 ? 'retired' : 'live', changedBy: by, reason, changedAt: new Date() })
      .where('agent', '=', agent)
      .where('tool', '=', tool)
      .where('version', '=', version)
      .returningAll()
      .executeTakeFirstOrThrow();
    const told = { before: { share: before.trafficShare, status: before.status }, after: { share, status: row.status, reason } };
    const key = `tool.traffic/${agent}/${tool}@${version}/${row.changedAt.getTime()}`;
    await createAudit(transaction).append(
      { tenant: DEFAULT_TENANT, key, actor: by, actorVia: via, action: 'tool.traffic', target: `${agent} ${tool}@${version}`, ...told },
      transaction,
    );
    return row;
  });
}

/** The newest version that tasks get loses them, from the next task on. @throws when there is no other to go back to */
export async function rollBackTool(database: Executor, change: TrafficChange): Promise<ToolVersionRow> {
  const versions = (await listToolVersions(database, change.agent, change.tool)).toSorted(byRelease).filter(({ status }) => status !== 'retired');
  const newest = versions.findLast(({ trafficShare }) => trafficShare > 0);
  if (!newest || versions.indexOf(newest) === 0) throw new Error(`${change.agent} has no earlier version of ${change.tool} to go back to.`);
  return setToolTraffic(database, { ...change, version: newest.version, share: 0 });
}
