import { unwrapText } from './encoded-json.ts';

/** A piece of a model's text that may be the JSON it was asked for. */
export interface Candidate {
  text: string;
  fenced: boolean;
  start: number;
  end: number;
  /** False: its brackets or its fence never close. */ closed: boolean;
}

export interface Candidates {
  found: Candidate[];
  /** A think block that never ends: what follows may be a draft. */
  openThink: boolean;
  /** Nothing but candidates, commas, white space and comments: a sequence of values, not prose. */
  bare: boolean;
}

const THINK = /<(think|thinking|thought|reasoning)\b[^>]*>/iy;
const FENCE = /(`{3,}|~{3,})[ \t]*([\w+#.-]*)[ \t]*\r?\n?/y;

/** Finds the JSON in a text from outside in: think blocks, fences and prose are passed over; what is inside a JSON string is never looked at. */
export function findCandidates(text: string): Candidates {
  let found: Candidate[] = [];
  let bare = true;
  let index = 0;
  while (index < text.length) {
    const think = matchAt(THINK, text, index);
    if (think) {
      const end = thinkEnd(text, index + think[0].length, think[1]!);
      if (end === null) return { found, openThink: true, bare: false };
      index = end;
      continue;
    }
    const stray = matchAt(STRAY_THINK_END, text, index);
    if (stray) {
      [found, bare] = [[], false];
      index += stray[0].length;
      continue;
    }
    const candidate = fenceAt(text, index) ?? encodedAt(text, index) ?? bracketsAt(text, index);
    const swallowed = candidate && afterSwallowedThink(candidate);
    if (swallowed) {
      [found, bare, index] = [[], false, swallowed];
      continue;
    }
    if (candidate) {
      if (candidate.text !== '') found.push(candidate);
      if (candidate.fenced) bare = false;
      index = candidate.end;
      continue;
    }
    const comment = commentEnd(text, index, 'prose');
    if (comment === null && !/[\s,]/.test(text[index]!)) bare = false;
    index = comment ?? index + 1;
  }
  return { found, openThink: false, bare };
}

function matchAt(pattern: RegExp, text: string, index: number): RegExpExecArray | null {
  pattern.lastIndex = index;
  return pattern.exec(text);
}

/** The end of a think block that the template had opened before the text began: what came before was no answer. */
const STRAY_THINK_END = /<\/(?:think|thinking|thought|reasoning)\s*>/iy;

/** Where to go on when an open bracket in such thoughts swallowed their end: right after it, if the answer starts there. */
function afterSwallowedThink(candidate: Candidate): number | null {
  if (candidate.closed || candidate.start === 0) return null;
  const close = /<\/(?:think|thinking|thought|reasoning)\s*>(?=\s*(?:[{[]|```))/i.exec(candidate.text);
  return close ? candidate.start + close.index + close[0].length : null;
}

/** The end of a think block, blocks inside it included; null when it never ends. */
function thinkEnd(text: string, from: number, name: string): number | null {
  const tag = new RegExp(`<(/?)${name}\\b[^>]*>`, 'gi');
  tag.lastIndex = from;
  let depth = 1;
  let lastClose: number | null = null;
  for (let match = tag.exec(text); match; match = tag.exec(text)) {
    depth += match[1] ? -1 : 1;
    if (match[1]) lastClose = tag.lastIndex;
    if (depth === 0) return tag.lastIndex;
  }
  // An opening tag that is only mentioned leaves one close too few.
  return lastClose;
}

/** A fenced block. One that holds no JSON is passed over: its candidate has no text. */
function fenceAt(text: string, index: number): Candidate | null {
  const open = matchAt(FENCE, text, index);
  if (!open) return null;
  const start = index + open[0].length;
  const bodies = closings(text, start, open[1]!);
  const body = bodies.find(({ end }) => isJson(text.slice(start, end))) ?? bodies[0] ?? { end: text.length, next: text.length };
  const inner = text.slice(start, body.end).trim();
  const language = open[2]!.toLowerCase();
  const json = /^[{["]/.test(inner) || (language.startsWith('json') && inner !== '');
  return { text: json ? inner : '', fenced: true, start, end: body.next, closed: bodies.length > 0 };
}

const MAX_CLOSINGS = 50;

/** Every place where a fence may end: a line of its own first, then anywhere, since a JSON string may hold one. */
function closings(text: string, start: number, fence: string): { end: number; next: number }[] {
  const all: { end: number; next: number }[] = [];
  for (let end = text.indexOf(fence, start); end !== -1 && all.length < MAX_CLOSINGS; end = text.indexOf(fence, end + fence.length)) all.push({ end, next: end + fence.length });
  const ownLine = all.filter(({ end }) => /(^|\n)[ \t]*$/.test(text.slice(start, end).slice(-80)));
  return [...ownLine, ...all.filter((closing) => !ownLine.includes(closing))];
}

function isJson(text: string): boolean {
  if (!/^\s*[{["]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** An object or array encoded once more, as a JSON string. */
function encodedAt(text: string, index: number): Candidate | null {
  const match = matchAt(/"\s*(?:\\[nrt"\\]\s*)*[{[](?:[^"\\]|\\.)*"/sy, text, index);
  if (!match || unwrapText(match[0]) === null) return null;
  return { text: match[0], fenced: false, start: index, end: index + match[0].length, closed: true };
}

/** Control words of chat templates ("[TOOL_CALLS]") and links of Markdown look like lists. */
const NO_LIST = /\[\/?[A-Z][A-Z_]*\]|\[[^\]\n]*\]\(/y;

/** From an opening bracket to where it closes, or to the end of the text. */
function bracketsAt(text: string, index: number): Candidate | null {
  if (!/[{[｛［]/.test(text[index]!)) return null;
  const noList = matchAt(NO_LIST, text, index);
  if (noList) return { text: '', fenced: true, start: index, end: index + noList[0].length, closed: true };
  const { end, closed } = scanBrackets(text, index);
  return { text: text.slice(index, end).trim(), fenced: false, start: index, end, closed };
}

export interface Scan {
  end: number;
  closed: boolean;
  /** At the end of an unclosed text: inside a string, and the last character that was neither white space nor comment. */
  inString: boolean;
  lastSignificant: string;
}

/** Walks brackets, strings and comments of JSON-like text; kinds of brackets are not told apart, since one may be wrong. */
export function scanBrackets(text: string, start: number): Scan {
  let depth = 0;
  let quote = '';
  let last = '';
  for (let index = start; index < text.length; index += 1) {
    const character = text[index]!;
    if (quote !== '') {
      if (character === '\\') index += 1;
      else if (character === quote) {
        quote = '';
        last = character;
      }
      continue;
    }
    const comment = depth > 0 ? commentEnd(text, index, last) : null;
    if (comment !== null) {
      index = comment - 1;
      continue;
    }
    if (/\s/.test(character)) continue;
    if (text.startsWith('\\"', index)) {
      index = escapedStringEnd(text, index + 2);
      last = '"';
      continue;
    }
    if (opensString(character, last)) quote = closingQuote(character);
    else if (/[{[｛［]/.test(character)) depth += 1;
    else if (/[}\]｝］]/.test(character)) depth -= 1;
    last = character;
    if (depth === 0) return { end: index + 1, closed: true, inString: false, lastSignificant: last };
  }
  return { end: text.length, closed: false, inString: quote !== '', lastSignificant: last };
}

/** A double quote always opens a string; a single one only where a value or key may begin (elsewhere it is an apostrophe). */
function opensString(character: string, last: string): boolean {
  if (character === '"' || character === '“') return true;
  return /['`‘]/.test(character) && /[{[,:｛［，：]/.test(last);
}

function closingQuote(quote: string): string {
  return quote === '“' ? '”' : quote === '‘' ? '’' : quote;
}

/** The last index of a string whose quotes are escaped where they should not be (\"shoes\"). */
function escapedStringEnd(text: string, from: number): number {
  const close = /(?<!\\)\\"/g;
  close.lastIndex = from;
  return close.exec(text) ? close.lastIndex - 1 : text.length;
}

/**
 * Where a comment that starts here ends, or null.
 * @param last the last character before it that was neither white space nor comment: a `#` is a comment only between values, `//` after a colon is a URL
 */
export function commentEnd(text: string, index: number, last: string): number | null {
  if (text.startsWith('/*', index)) {
    const end = text.indexOf('*/', index + 2);
    return end === -1 ? text.length : end + 2;
  }
  const line = (text.startsWith('//', index) && last !== ':' && text[index - 1] !== ':') || (text[index] === '#' && /^[,{[}\]]$/.test(last));
  if (!line) return null;
  const end = text.indexOf('\n', index);
  return end === -1 ? text.length : end;
}
