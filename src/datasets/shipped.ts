/** Regression sets that come with the agents: `regression.jsonl` in an agent's folder. */
import { existsSync, readFileSync } from 'node:fs';
import { sql } from 'kysely';
import type { AnyAgent } from '../agents/define-agent.ts';
import { regressionSetOf } from '../contracts/names.ts';
import type { StoredCase } from '../contracts/learning.ts';
import type { Store } from '../store/store.ts';
import { canonicalJson } from '../tools/canonical-json.ts';
import { cassetteOfLine, parseCaseFile, type CaseLine } from './case-file.ts';
import { cassetteHash } from './record-cassette.ts';
import { importCases, SHIPPED_BY } from './stored-cases.ts';

/** The cases that come with an agent; empty where none do. @throws CaseFileError */
export function shippedCases(agent: AnyAgent): CaseLine[] {
  const file = new URL(`../agents/${agent.name}/regression.jsonl`, import.meta.url);
  if (!existsSync(file)) return [];
  return parseCaseFile(readFileSync(file, 'utf8'), agent.input);
}

/** Makes an agent's regression set for a tenant, or brings it up to date with what is shipped. Doing it again changes nothing, and costs two queries. */
export async function loadShipped(store: Store, tenant: string, agent: AnyAgent): Promise<void> {
  const lines = shippedCases(agent);
  if (lines.length === 0) return;
  const dataset = regressionSetOf(agent.name);
  const counting = new Set((await store.datasets.casesAsOf(tenant, dataset, Date.now())).map(({ caseId: id, ...rest }) => contentOf({ id, ...rest })));
  const theirs = await touchedByPeople(store, tenant, dataset);
  const wanted = lines.filter((line) => !theirs.has(line.id) && !counting.has(contentOf({ ...line, cassetteHash: cassetteHash(cassetteOfLine(line)) })));
  if (wanted.length === 0) return;
  await importCases(store, { tenant, dataset, agent: agent.name, title: `Regression set of ${agent.name}` }, wanted, { by: SHIPPED_BY, via: 'system' });
}

/** What makes a case another one, of a file or of the store. */
function contentOf({
  id,
  kind,
  split,
  critical,
  input,
  expected,
  cassetteHash: hash,
}: Pick<StoredCase, 'kind' | 'split' | 'critical' | 'input' | 'expected' | 'cassetteHash'> & { id: string }): string {
  return canonicalJson({ id, kind, split, critical, input, expected, hash });
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
