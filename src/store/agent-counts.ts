import { sql } from 'kysely';
import { camelCase, type Executor } from './database.ts';

/** Tasks of a tenant by agent, those of experiments left out. */
export async function countTasksByAgent(database: Executor, tenant: string): Promise<Map<string, { tasks: number; running: number }>> {
  const rows = await camelCase(database)
    .selectFrom('task')
    .select(['agent', sql<number>`count(*)::int`.as('tasks'), sql<number>`(count(*) filter (where outcome is null))::int`.as('running')])
    .where('tenant', '=', tenant)
    .where('experimentId', 'is', null)
    .groupBy('agent')
    .execute();
  return new Map(rows.map(({ agent, tasks, running }) => [agent, { tasks, running }]));
}

/** Definitions that an agent's tasks of a tenant have run with, those of experiments left out; newest first. */
export function listAgentVersions(database: Executor, tenant: string, agent: string) {
  return camelCase(database)
    .selectFrom('agentDefinition')
    .innerJoin('task', 'task.definitionHash', 'agentDefinition.hash')
    .select(['agentDefinition.hash', 'agentDefinition.version', 'agentDefinition.createdAt', sql<number>`count(*)::int`.as('tasks')])
    .where('agentDefinition.agent', '=', agent)
    .where('task.tenant', '=', tenant)
    .where('task.experimentId', 'is', null)
    .groupBy(['agentDefinition.hash', 'agentDefinition.version', 'agentDefinition.createdAt'])
    .orderBy('agentDefinition.createdAt', 'desc')
    .limit(50)
    .execute();
}
