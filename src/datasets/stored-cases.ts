/** Cases between files and the store. */
import type { Cassette, StoredCase } from '../contracts/learning.ts';
import type { CaseChange, NewCase } from '../store/datasets.ts';
import type { Store } from '../store/store.ts';
import { cassetteOfLine, printCase, type CaseLine } from './case-file.ts';
import { storeCassette } from './record-cassette.ts';

export interface ImportTarget {
  tenant: string;
  dataset: string;
  agent: string;
  title: string;
  /** Who adds the cases. */
  by: string;
}
export type ImportCounts = Record<CaseChange, number>;

/**
 * Puts cases into a dataset, all or none; the dataset is made where there is none. Cases that are not among them stay.
 * @throws DatasetError `other_agent`
 */
export async function importCases(store: Store, target: ImportTarget, lines: readonly CaseLine[], at: number = Date.now()): Promise<ImportCounts> {
  return store.transaction(async (transaction) => {
    const known = await store.datasets.get(target.tenant, target.dataset, transaction);
    await store.datasets.put({ ...target, title: known?.title ?? target.title }, transaction);
    const counts: ImportCounts = { added: 0, changed: 0, unchanged: 0 };
    for (const line of lines) {
      const cassetteHash = await storeCassette(store, cassetteOfLine(line), transaction);
      counts[await store.datasets.putCase(newCase(target, line, cassetteHash), at, transaction)] += 1;
    }
    return counts;
  });
}

function newCase({ tenant, dataset, by }: ImportTarget, { id, kind, split, critical, input, expected }: CaseLine, cassetteHash: string | null): NewCase {
  return { tenant, dataset, caseId: id, kind, split, critical, input, expected, cassetteHash, createdBy: by };
}

/** The cases as JSON lines, cassettes inline. */
export async function exportCases(store: Pick<Store, 'blobs'>, cases: readonly StoredCase[]): Promise<string> {
  const texts = await store.blobs.getMany(cases.flatMap(({ cassetteHash }) => cassetteHash ?? []));
  return cases.map((each) => `${printCase(each, each.cassetteHash === null ? null : (JSON.parse(texts.get(each.cassetteHash) ?? '{"calls":[]}') as Cassette))}\n`).join('');
}
