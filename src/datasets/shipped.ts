/** Regression sets that come with the agents: `regression.jsonl` in an agent's folder. */
import { existsSync, readFileSync } from 'node:fs';
import { sql } from 'kysely';
import type { AnyAgent } from '../agents/define-agent.ts';
import type { Store } from '../store/store.ts';
import { parseCaseFile, type CaseLine } from './case-file.ts';
import { importCases, SHIPPED_BY } from './stored-cases.ts';

/** An agent's regression set. */
export function regressionName(agent: string): string {
  return `${agent}-regression`;
}

/** The cases that come with an agent; empty where none do. @throws CaseFileError */
export function shippedCases(agent: AnyAgent): CaseLine[] {
  const file = new URL(`../agents/${agent.name}/regression.jsonl`, import.meta.url);
  if (!existsSync(file)) return [];
  return parseCaseFile(readFileSync(file, 'utf8'), agent.input);
}

/** Makes an agent's regression set for a tenant, or brings it up to date with what is shipped. Doing it again changes nothing. */
export async function loadShipped(store: Store, tenant: string, agent: AnyAgent): Promise<void> {
  const lines = shippedCases(agent);
  if (lines.length === 0) return;
  const dataset = regressionName(agent.name);
  const theirs = await touchedByPeople(store, tenant, dataset);
  const target = { tenant, dataset, agent: agent.name, title: `Regression set of ${agent.name}` };
  await importCases(
    store,
    target,
    lines.filter(({ id }) => !theirs.has(id)),
    { by: SHIPPED_BY, via: 'system' },
  );
}

/** Of all agents that are registered, for a tenant. */
export async function loadAllShipped(store: Store, tenant: string, agents: Record<string, AnyAgent>): Promise<void> {
  for (const agent of Object.values(agents)) await loadShipped(store, tenant, agent);
}

/** Cases whose newest row was written by somebody else, or was ended: what people changed or removed is theirs, and stays. */
async function touchedByPeople(store: Store, tenant: string, dataset: string): Promise<Set<string>> {
  const { rows } = await sql<{ case_id: string }>`
    select case_id from (
      select distinct on (case_id) case_id, valid_to, created_by from dataset_case where tenant = ${tenant} and dataset = ${dataset} order by case_id, valid_from desc
    ) newest where valid_to is not null or created_by <> ${SHIPPED_BY}`.execute(store.database);
  return new Set(rows.map((row) => row.case_id));
}
