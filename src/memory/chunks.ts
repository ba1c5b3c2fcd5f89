/** Cuts documents into chunks: by heading first, then by size. */
import { convert, type HtmlToTextOptions } from 'html-to-text';
import { lexer, type Token } from 'marked';
import type { ChunkText, DocumentFormat } from '../contracts/knowledge.ts';

/** Of a chunk, tokens: a few of them fit beside a task, and each says one thing. */
const MAX_TOKENS = 320;
const MAX_HEADING = 200;

export type CountTokens = (text: string) => number;

interface Block {
  headings: string[];
  text: string;
}

/** In the order of the document. Empty for a document without text. */
export function chunksOf(text: string, format: DocumentFormat, count: CountTokens): ChunkText[] {
  const blocks = blocksOf(text.toWellFormed().replaceAll('\0', '').replace(/\r\n?/g, '\n'), format);
  const chunks: ChunkText[] = [];
  for (const { headings, text: block } of blocks.flatMap((each) => fitting(each, count))) {
    const last = chunks.at(-1);
    const joined = last && sameHeadings(last.headings, headings) ? `${last.text}\n\n${block}` : null;
    const tokens = joined === null ? Infinity : count(joined);
    if (last && joined !== null && tokens <= MAX_TOKENS) chunks[chunks.length - 1] = { headings, text: joined, tokens };
    else chunks.push({ headings, text: block, tokens: count(block) });
  }
  return chunks;
}

/** First heading, or nothing. */
export function titleOf(chunks: readonly ChunkText[]): string | null {
  return chunks.find(({ headings }) => headings.length > 0)?.headings[0] ?? null;
}

function sameHeadings(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((heading, index) => heading === right[index]);
}

function blocksOf(text: string, format: DocumentFormat): Block[] {
  switch (format) {
    case 'markdown':
      return markdownBlocks(lexer(text));
    case 'html':
      return htmlBlocks(text);
    case 'text':
      return paragraphs(text).map((paragraph) => ({ headings: [], text: paragraph }));
  }
}

/** A heading without anything under it is kept by what comes under it, or as a block of its own at the end. */
class Outline {
  readonly blocks: Block[] = [];
  #path: { depth: number; text: string }[] = [];

  enter(depth: number, heading: string): void {
    const text = heading.replace(/\s+/g, ' ').trim().slice(0, MAX_HEADING).toWellFormed();
    this.#path = [...this.#path.filter((each) => each.depth < depth), ...(text === '' ? [] : [{ depth, text }])];
  }

  add(text: string): void {
    if (text.trim() !== '') this.blocks.push({ headings: this.#path.map((each) => each.text), text: text.trim() });
  }
}

function markdownBlocks(tokens: readonly Token[]): Block[] {
  const outline = new Outline();
  for (const token of tokens) {
    if (token.type === 'heading') outline.enter(Number(token['depth']), String(token['text']));
    else if (token.type === 'html') outline.add(convert(token.raw, HTML));
    else if (token.type === 'code') outline.add(token.raw);
    // what nobody sees who reads the document is not said by it either
    else if (token.type !== 'space' && token.type !== 'def') outline.add(token.raw.replaceAll(/<!--[\s\S]*?-->/g, ''));
  }
  return outline.blocks;
}

/** Marks a heading in the text that HTML becomes; a private character, which no text of a document keeps. */
const HEADING_MARK = '\uE000';

const HTML: HtmlToTextOptions = {
  wordwrap: false,
  formatters: {
    marked: (element, walk, builder) => {
      builder.openBlock({ leadingLineBreaks: 2 });
      builder.addLiteral(`${HEADING_MARK}${(element.name ?? 'h6').slice(1)} `);
      walk(element.children, builder);
      builder.closeBlock({ trailingLineBreaks: 2 });
    },
  },
  selectors: [
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, format: 'marked' })),
    { selector: 'a', options: { ignoreHref: true } },
    { selector: 'table', format: 'dataTable', options: { uppercaseHeaderCells: false } },
    ...['img', 'script', 'style', 'noscript', 'template', 'nav', 'head'].map((selector) => ({ selector, format: 'skip' })),
  ],
};

function htmlBlocks(html: string): Block[] {
  const outline = new Outline();
  for (const paragraph of paragraphs(convert(html.replaceAll(HEADING_MARK, ''), { ...HTML, baseElements: { selectors: ['body'], returnDomByDefault: true } }))) {
    const heading = new RegExp(`^${HEADING_MARK}([1-6]) ([\\s\\S]*)$`, 'u').exec(paragraph);
    if (heading) outline.enter(Number(heading[1]), heading[2]!);
    else outline.add(paragraph.replaceAll(HEADING_MARK, ''));
  }
  return outline.blocks;
}

function paragraphs(text: string): string[] {
  return text
    .split(/\n[^\S\n]*\n/u)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '');
}

/** Lines, then sentences, then words, then whatever fits. */
const CUTS = [/(?<=\n)/u, /(?<=[.!?;]\s)|(?<=[。！？；])/u, /(?<=\s)|(?<=[，、,])/u];

/** A block that is too long, in pieces that are not. Nothing but white space at their ends is lost. */
function fitting({ headings, text }: Block, count: CountTokens): Block[] {
  return pieces(text, count, 0)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '')
    .map((piece) => ({ headings, text: piece }));
}

function hundreds(characters: string[]): string[] {
  return Array.from({ length: Math.ceil(characters.length / 100) }, (_, at) => characters.slice(at * 100, at * 100 + 100).join(''));
}

function pieces(text: string, count: CountTokens, level: number): string[] {
  if (count(text) <= MAX_TOKENS) return [text];
  const cut = CUTS[level];
  // a character is a few tokens at most
  if (!cut) return hundreds([...text]);
  const packed: string[] = [];
  for (const part of text.split(cut).flatMap((each) => pieces(each, count, level + 1))) {
    const joined = packed.length === 0 ? null : packed.at(-1)! + part;
    if (joined !== null && count(joined) <= MAX_TOKENS) packed[packed.length - 1] = joined;
    else packed.push(part);
  }
  return packed;
}
