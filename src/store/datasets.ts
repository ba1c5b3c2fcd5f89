import type { StoredCase } from '../contracts/learning.ts';
import type { CaseKind } from '../contracts/reasons.ts';
import { camelCase, type Executor } from './database.ts';
import { lockFor } from './lock.ts';
import type { Row } from './schema.ts';
import { cleanJson, sha256 } from './text.ts';

export type Datasets = ReturnType<typeof createDatasets>;
export type DatasetRow = Row<'dataset'>;
/** With how many cases count now, and how many of those are critical. */
export type DatasetSummary = DatasetRow & { cases: number; critical: number };

/** A case as it shall be from now on. */
export interface NewCase {
  tenant: string;
  dataset: string;
  caseId: string;
  kind: CaseKind;
  /** Default `gate`. */
  split?: string;
  /** Default false. */
  critical?: boolean;
  input: unknown;
  expected?: Record<string, unknown> | null;
  cassetteHash?: string | null;
  sourceTaskId?: string | null;
  createdBy: string;
}
export type CaseChange = 'added' | 'changed' | 'unchanged';

/** A dataset of that name belongs to another agent, or there is none. */
export class DatasetError extends Error {
  override readonly name = 'DatasetError';
  readonly code: 'other_agent' | 'unknown_dataset' | 'too_early';
  constructor(code: DatasetError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** Cases that agents are measured by. No row is overwritten: a change ends the one that counts and begins another. Times are Unix ms. */
export function createDatasets(database: Executor) {
  async function get(tenant: string, dataset: string, executor: Executor = database): Promise<DatasetRow | null> {
    const row = await camelCase(executor).selectFrom('dataset').selectAll().where('tenant', '=', tenant).where('dataset', '=', dataset).executeTakeFirst();
    return row ?? null;
  }

  /** The row that counts, locked against other changes of the same case. */
  async function counting(tenant: string, dataset: string, caseId: string, executor: Executor) {
    await lockFor(executor, 'dataset_case', JSON.stringify([tenant, dataset, caseId]));
    const row = await where(executor, tenant, dataset, caseId).where('validTo', 'is', null).selectAll().executeTakeFirst();
    return row ?? null;
  }

  /** A row that began at this very moment was never seen by anybody: it goes, since an empty span is no validity. */
  async function end(row: Row<'datasetCase'>, at: number, executor: Executor): Promise<void> {
    const tables = camelCase(executor);
    const { tenant, dataset, caseId, validFrom } = row;
    if (validFrom.getTime() > at)
      throw new DatasetError('too_early', `Case ${caseId} of ${dataset} was changed at ${validFrom.toISOString()}, after ${new Date(at).toISOString()}.`);
    if (validFrom.getTime() === at) {
      await tables.deleteFrom('datasetCase').where('tenant', '=', tenant).where('dataset', '=', dataset).where('caseId', '=', caseId).where('validTo', 'is', null).execute();
      return;
    }
    await tables
      .updateTable('datasetCase')
      .set({ validTo: new Date(at) })
      .where('tenant', '=', tenant)
      .where('dataset', '=', dataset)
      .where('caseId', '=', caseId)
      .where('validTo', 'is', null)
      .execute();
  }

  async function change(next: NewCase, at: number, executor: Executor): Promise<CaseChange> {
    const { tenant, dataset, caseId } = next;
    if (!(await get(tenant, dataset, executor))) throw new DatasetError('unknown_dataset', `There is no dataset ${dataset}.`);
    const before = await counting(tenant, dataset, caseId, executor);
    if (before && contentOf(before) === contentOf(next)) return 'unchanged';
    if (before) await end(before, at, executor);
    const row = {
      tenant,
      dataset,
      caseId,
      validFrom: new Date(at),
      kind: next.kind,
      split: next.split ?? 'gate',
      critical: next.critical ?? false,
      input: JSON.stringify(cleanJson(next.input)),
      expected: (next.expected ? JSON.stringify(cleanJson(next.expected)) : null) as never,
      cassetteHash: next.cassetteHash ?? null,
      sourceTaskId: next.sourceTaskId ?? null,
      createdBy: next.createdBy,
    };
    await camelCase(executor).insertInto('datasetCase').values(row).execute();
    return before ? 'changed' : 'added';
  }

  async function remove(tenant: string, dataset: string, caseId: string, at: number, executor: Executor): Promise<boolean> {
    const before = await counting(tenant, dataset, caseId, executor);
    if (before) await end(before, at, executor);
    return before !== null;
  }

  return {
    get,

    /** Makes the dataset, or gives it another title. @throws {DatasetError} `other_agent` */
    async put({ tenant, dataset, agent, title }: { tenant: string; dataset: string; agent: string; title: string }, executor: Executor = database): Promise<void> {
      const kept = await camelCase(executor)
        .insertInto('dataset')
        .values({ tenant, dataset, agent, title })
        .onConflict((conflict) =>
          conflict
            .columns(['tenant', 'dataset'])
            .doUpdateSet({ title })
            .whereRef('dataset.agent', '=', 'excluded.agent' as never),
        )
        .returning('agent')
        .executeTakeFirst();
      if (!kept) throw new DatasetError('other_agent', `Dataset ${dataset} does not belong to agent ${agent}.`);
    },

    /**
     * Puts a case in the place of the one of its id, from `at` on. One that says the same changes nothing: who added it stays.
     * @throws {DatasetError} `unknown_dataset`; `too_early` when the case was changed after `at`
     */
    async putCase(next: NewCase, at: number = Date.now(), executor?: Executor): Promise<CaseChange> {
      if (executor) return change(next, at, executor);
      return database.transaction().execute((transaction) => change(next, at, transaction));
    },

    /** Ends a case; experiments planned before `at` still see it. False when none counted. @throws {DatasetError} `too_early` */
    async removeCase(tenant: string, dataset: string, caseId: string, at: number = Date.now(), executor?: Executor): Promise<boolean> {
      if (executor) return remove(tenant, dataset, caseId, at, executor);
      return database.transaction().execute((transaction) => remove(tenant, dataset, caseId, at, transaction));
    },

    /** The cases that counted at a moment, in order of id. */
    async casesAsOf(tenant: string, dataset: string, at: number, filter: { split?: string; caseId?: string } = {}, executor: Executor = database): Promise<StoredCase[]> {
      let query = camelCase(executor)
        .selectFrom('datasetCase')
        .innerJoin('dataset', (join) => join.onRef('dataset.tenant', '=', 'datasetCase.tenant').onRef('dataset.dataset', '=', 'datasetCase.dataset'))
        .selectAll('datasetCase')
        .select('dataset.agent')
        .where('datasetCase.tenant', '=', tenant)
        .where('datasetCase.dataset', '=', dataset)
        .where('validFrom', '<=', new Date(at))
        .where((row) => row.or([row('validTo', 'is', null), row('validTo', '>', new Date(at))]));
      if (filter.split !== undefined) query = query.where('split', '=', filter.split);
      if (filter.caseId !== undefined) query = query.where('caseId', '=', filter.caseId);
      return (await query.orderBy('caseId').execute()).map(toCase);
    },

    /** Every row of a case, oldest first. */
    async history(tenant: string, dataset: string, caseId: string, executor: Executor = database): Promise<Row<'datasetCase'>[]> {
      return where(executor, tenant, dataset, caseId).selectAll().orderBy('validFrom').execute();
    },

    /** Of a tenant, in order of name. */
    async list(tenant: string, executor: Executor = database): Promise<DatasetSummary[]> {
      return camelCase(executor)
        .selectFrom('dataset')
        .leftJoin('datasetCase', (join) =>
          join.onRef('dataset.tenant', '=', 'datasetCase.tenant').onRef('dataset.dataset', '=', 'datasetCase.dataset').on('datasetCase.validTo', 'is', null),
        )
        .selectAll('dataset')
        .select((row) => [row.fn.count<number>('datasetCase.caseId').as('cases'), row.fn.count<number>('datasetCase.caseId').filterWhere('critical', '=', true).as('critical')])
        .where('dataset.tenant', '=', tenant)
        .groupBy(['dataset.tenant', 'dataset.dataset'])
        .orderBy('dataset.dataset')
        .execute();
    },
  };
}

function where(executor: Executor, tenant: string, dataset: string, caseId: string) {
  return camelCase(executor).selectFrom('datasetCase').where('tenant', '=', tenant).where('dataset', '=', dataset).where('caseId', '=', caseId);
}

/** What makes a case another one; who wrote it down and from where does not. */
function contentOf(row: Pick<NewCase, 'kind' | 'split' | 'critical' | 'input' | 'expected' | 'cassetteHash'>): string {
  const { kind, split = 'gate', critical = false, input, expected = null, cassetteHash = null } = row;
  return sha256(JSON.stringify(inOrder(cleanJson({ kind, split, critical, input, expected, cassetteHash }))));
}

/** jsonb keeps no order of keys. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, inOrder(inner)]));
}

function toCase(row: Row<'datasetCase'> & { agent: string }): StoredCase {
  const { caseId, dataset, agent, tenant, kind, split, critical, input, expected, cassetteHash, validFrom } = row;
  return { caseId, dataset, agent, tenant, kind, split, critical, input, expected, cassetteHash, validFrom: validFrom.getTime() };
}
