import { existsSync, readFileSync } from 'node:fs';

const folder = new URL('../../../shared/cases/', import.meta.url);

/** The cases from the outside lie beside the project, not in it. Without them their tests are skipped, and say so. */
export const hasCases = existsSync(folder);
if (!hasCases) console.warn('../shared/cases is not here: the tests of those cases are skipped');

/** A file of `../shared/cases` as text; empty JSON where the folder is not here, so that skipped tests still load. */
export function readCases(file: string): string {
  if (hasCases) return readFileSync(new URL(file, folder), 'utf8');
  return file.endsWith('.jsonl') ? '' : '[]';
}
