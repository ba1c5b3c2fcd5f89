/** The files of a page that builds something step by step. */
import { codeBlocks, readDocument } from './markdown.ts';

/** Path from the repository's root → content: whole files, and files of the repository with lines put in. */
export function exampleFiles(document: string): Map<string, string> {
  const files = new Map<string, string>();
  for (const {
    attributes: { file, insert },
    text,
  } of codeBlocks(document)) {
    if (file) files.set(file, text);
    if (insert) files.set(insert, applyInsert(files.get(insert) ?? readDocument(insert), text));
  }
  return files;
}

/** Imports go to the other imports, the rest to the top of the registry. */
export function applyInsert(content: string, addition: string): string {
  const lines = addition.split('\n').filter((line) => line.trim() !== '');
  const imports = lines.filter((line) => line.startsWith('import '));
  const entries = lines.filter((line) => !line.startsWith('import '));
  const opening = 'export const registry = {\n';
  if (!content.includes(opening)) throw new Error('the registry does not begin as the documents suppose');
  return `${imports.join('\n')}\n${content.replace(opening, `${opening}${entries.join('\n')}\n`)}`;
}
