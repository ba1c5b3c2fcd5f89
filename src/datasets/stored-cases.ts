/** Cases between files and the store. */
import type { Cassette, StoredCase } from '../contracts/learning.ts';
import type { CaseChange } from '../store/datasets.ts';
import type { AuditActor } from '../store/secret.ts';
import type { Store } from '../store/store.ts';
import { cassetteOfLine, printCase, type CaseLine } from './case-file.ts';
import { storeCassette } from './record-cassette.ts';

export interface DatasetTarget {
  tenant: string;
  dataset: string;
  agent: string;
  /** Of a dataset that is made now. */
  title: string;
}
export type ImportCounts = Record<CaseChange, number>;
type Executor = Parameters<Parameters<Store['transaction']>[0]>[0];

/** Whose cases need no audit: they come with the software. */
export const SHIPPED_BY = 'shipped';

/**
 * Puts cases into a dataset, all or none; the dataset is made where there is none. Cases that are not among them stay.
 * @param sourceTaskId the task that they were made from
 * @throws DatasetError `other_agent`
 */
export async function importCases(
  store: Store,
  target: DatasetTarget,
  lines: readonly CaseLine[],
  actor: AuditActor,
  { at = Date.now(), sourceTaskId = null }: { at?: number; sourceTaskId?: string | null } = {},
): Promise<ImportCounts> {
  return store.transaction(async (transaction) => {
    const { tenant, dataset } = target;
    const known = await store.datasets.get(tenant, dataset, transaction);
    await store.datasets.put({ ...target, title: known?.title ?? target.title }, transaction);
    const ends = { added: [] as string[], changed: [] as string[], unchanged: [] as string[] };
    for (const { id, kind, split, critical, input, expected, cassette } of lines) {
      const cassetteHash = await storeCassette(store, cassetteOfLine({ cassette }), transaction);
      const next = { tenant, dataset, caseId: id, kind, split, critical, input, expected, cassetteHash, sourceTaskId, createdBy: actor.by };
      ends[await store.datasets.putCase(next, at, transaction)].push(id);
    }
    const { added, changed, unchanged } = ends;
    if (actor.by !== SHIPPED_BY && added.length + changed.length > 0) await audit(store, target, { added, changed }, actor, at, transaction);
    return { added: added.length, changed: changed.length, unchanged: unchanged.length };
  });
}

/** Ends a case. False when none counted. */
export async function removeCase(store: Store, target: Omit<DatasetTarget, 'agent' | 'title'>, caseId: string, actor: AuditActor, at: number = Date.now()): Promise<boolean> {
  return store.transaction(async (transaction) => {
    const removed = await store.datasets.removeCase(target.tenant, target.dataset, caseId, at, transaction);
    if (removed) await audit(store, target, { removed: [caseId] }, actor, at, transaction);
    return removed;
  });
}

/** What was changed by whom; the cases' contents are in their rows. */
async function audit(
  store: Store,
  { tenant, dataset }: Pick<DatasetTarget, 'tenant' | 'dataset'>,
  after: Record<string, string[]>,
  { by, via }: AuditActor,
  at: number,
  transaction: Executor,
): Promise<void> {
  const some = Object.fromEntries(Object.entries(after).map(([name, ids]) => [name, ids.length > 100 ? [...ids.slice(0, 100), `and ${ids.length - 100} more`] : ids]));
  const key = `dataset.changed/${dataset}/${at}/${Object.values(after).flat()[0] ?? ''}`;
  await store.audit.append({ tenant, key, actor: by, actorVia: via, action: 'dataset.changed', target: dataset, after: some }, transaction);
}

/** The cases as JSON lines, cassettes inline. */
export async function exportCases(store: Pick<Store, 'blobs'>, cases: readonly StoredCase[]): Promise<string> {
  const texts = await store.blobs.getMany(cases.flatMap(({ cassetteHash }) => cassetteHash ?? []));
  const cassetteOf = ({ cassetteHash }: StoredCase): Cassette | null => (cassetteHash === null ? null : (JSON.parse(texts.get(cassetteHash) ?? '{"calls":[]}') as Cassette));
  return cases.map((each) => `${printCase(each, cassetteOf(each))}\n`).join('');
}
