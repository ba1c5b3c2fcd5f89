/** Reads the project's documents as their readers do: code blocks, tables, links. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = new URL('../../', import.meta.url).pathname;

/** Paths from the repository's root. */
export const documents = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

export function readDocument(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

export interface CodeBlock {
  document: string;
  /** Of the opening fence, from 1. */
  line: number;
  language: string;
  /** `file=…` or `insert=…` after the language. */
  attributes: Record<string, string>;
  text: string;
}

export function codeBlocks(document: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let open: CodeBlock | null = null;
  readDocument(document)
    .split('\n')
    .forEach((text, index) => {
      const fence = /^```(.*)$/.exec(text);
      if (!fence) {
        if (open) open.text += `${text}\n`;
        return;
      }
      if (open) {
        blocks.push(open);
        open = null;
        return;
      }
      const [language = '', ...attributes] = fence[1]!.trim().split(/\s+/);
      open = { document, line: index + 1, language, attributes: Object.fromEntries(attributes.map((attribute) => attribute.split('=', 2) as [string, string])), text: '' };
    });
  if (open) throw new Error(`${document}: the code block at line ${(open as CodeBlock).line} does not end`);
  return blocks;
}

/** Rows of the table whose header begins so, without header and rule; cells without their backticks. */
export function table(document: string, header: string): string[][] {
  const lines = readDocument(document).split('\n');
  const start = lines.findIndex((line) => line.startsWith(header));
  if (start < 0) throw new Error(`${document} has no table "${header}"`);
  const rows = lines.slice(start + 2);
  const end = rows.findIndex((line) => !line.startsWith('|'));
  return rows.slice(0, end < 0 ? undefined : end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
}

/** Targets of links and images. Code is no link. */
export function links(document: string): string[] {
  const prose = readDocument(document)
    .replace(/^```[\s\S]*?^```/gm, '')
    .replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1]!);
}

/** GitHub's anchors of a document's headings. */
export function anchors(document: string): string[] {
  const prose = readDocument(document).replace(/^```[\s\S]*?^```/gm, '');
  return [...prose.matchAll(/^#+ (.+)$/gm)].map((match) =>
    match[1]!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
