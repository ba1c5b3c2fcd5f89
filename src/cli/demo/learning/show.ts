import type { LiveArea } from '../../live/live-area.ts';
import { createLiveArea, plainArea } from '../../live/live-area.ts';
import type { Output } from '../../output.ts';
import { type Paint, type Part, type Safe, safe } from '../../text/safe.ts';

/** Something that the demo says has happened, and whether it has. */
export interface Check {
  claim: string;
  holds: boolean;
  /** What it rests on. */
  evidence: string;
}

/** What a person sees of the demo: sections, lines, what is going on, and what was checked. */
export interface Show {
  paint: Paint;
  /** @param what a sentence on what this section shows */
  section(title: string, what: string): void;
  say(line?: Safe): void;
  table(head: string[], rows: Part[][], right?: number[]): void;
  /** What goes on under a name, in a line that changes in place; null: it ended. Nothing where there is no terminal. */
  progress(name: string, doing: string | null): void;
  check(claim: string, holds: boolean, evidence: string): void;
  checks: Check[];
  end(): void;
}

const EMPTY = safe``;
/** Characters of a line of text. */
const WIDTH = 120;

export function createShow(output: Output): Show {
  const { paint } = output;
  const write = (line: Safe): void => void output.screen.write(`${line.text}\n`);
  const area: LiveArea = output.live ? createLiveArea(output.screen) : plainArea(write);
  const going = new Map<string, string>();
  const checks: Check[] = [];
  let sections = 0;
  const say = (line: Safe = EMPTY): void => area.say(line);
  return {
    paint,
    checks,
    say,
    section(title, what) {
      sections += 1;
      say();
      say(safe`${paint.bold(`${sections}  ${title}`)}`);
      for (const line of wrapped(what)) say(paint.dim(`   ${line}`));
      say();
    },
    table(head, rows, right = []) {
      for (const line of tableLines(head, rows, right, paint)) say(line);
    },
    progress(name, doing) {
      if (doing === null) going.delete(name);
      else going.set(name, doing);
      area.show([...going].map(([each, now]) => safe`   ${paint.cyan('…')} ${each}: ${paint.dim(now)}`));
    },
    check(claim, holds, evidence) {
      checks.push({ claim, holds, evidence });
      say(safe`   ${holds ? paint.green('✓') : paint.red('✗')} ${claim}${evidence === '' ? EMPTY : paint.dim(safe`  ${evidence}`)}`);
    },
    end: () => area.end(),
  };
}

/** Columns as wide as their widest cell; a Han character takes two places. */
function tableLines(head: string[], rows: Part[][], right: number[], paint: Paint): Safe[] {
  const texts = [head, ...rows.map((row) => row.map((cell) => safe`${cell}`.text))];
  const widths = head.map((_, column) => Math.max(...texts.map((row) => widthOf(row[column] ?? ''))));
  const line = (row: Part[]): Safe => {
    const cells = row.map((cell, column) => {
      const gap = ' '.repeat(Math.max(0, widths[column]! - widthOf(safe`${cell}`.text)));
      return right.includes(column) ? safe`${gap}${cell}` : safe`${cell}${gap}`;
    });
    return safe`   ${cells.reduce((before, cell) => safe`${before}   ${cell}`)}`;
  };
  return [line(head.map((name) => paint.dim(name))), ...rows.map(line)];
}

/** Lines of a text. */
export function wrapped(text: string, width = WIDTH): string[] {
  const found: string[] = [];
  for (const word of text.split(' ')) {
    const line = found.at(-1);
    if (line === undefined || line.length + word.length >= width) found.push(word);
    else found[found.length - 1] = `${line} ${word}`;
  }
  return found;
}

const COLOUR = new RegExp(`${String.fromCodePoint(27)}\\[[0-9;]*m`, 'g');

function widthOf(text: string): number {
  return [...text.replaceAll(COLOUR, '')].reduce((width, character) => width + (/[\p{Script=Han}\u3000-\u303f\uff00-\uff60]/u.test(character) ? 2 : 1), 0);
}
