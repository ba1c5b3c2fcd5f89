import Table from 'cli-table3';
import { BARE } from './text/fit.ts';
import { createPaint, type Paint, type Part, Safe, safe } from './text/safe.ts';
import { processTerminal, type Terminal } from './terminal.ts';
import { visibleJson } from './text/visible.ts';

/** Where a command speaks: answers on stdout, progress and remarks on stderr. */
export interface Output {
  /** True: the answer is one JSON value on stdout, for a program. */
  json: boolean;
  /** Whether a person sees progress as it happens. */
  live: boolean;
  paint: Paint;
  /** Where progress goes: stderr beside JSON. */
  screen: NodeJS.WriteStream;
  print(line?: Safe): void;
  /** On stderr, so that it never mixes with an answer. */
  note(line: Safe): void;
  /** The answer as JSON; on a terminal with indentation. */
  printJson(value: unknown): void;
  table(head: string[], rows: Part[][], right?: number[]): void;
}

export interface OutputOptions {
  /** Asked for by `--json`. */
  json?: boolean;
  /** What is printed when stdout is no terminal and `--json` was not given. Default: JSON. */
  piped?: 'json' | 'text';
  terminal?: Pick<Terminal, 'stdout' | 'stderr' | 'environment'>;
}

export function createOutput(options: OutputOptions = {}): Output {
  const { stdout, stderr, environment } = options.terminal ?? processTerminal;
  const json = options.json === true || (!stdout.isTTY && (options.piped ?? 'json') === 'json');
  const speaks = json ? stderr : stdout;
  const colour = Boolean(speaks.isTTY) && !environment['NO_COLOR'] && environment['TERM'] !== 'dumb';
  const paint = createPaint(colour);
  const print = (line?: Safe): void => void stdout.write(`${line?.text ?? ''}\n`);
  return {
    json,
    live: Boolean(speaks.isTTY),
    paint,
    screen: speaks,
    print,
    note: (line) => void stderr.write(`${line.text}\n`),
    printJson: (value) => void stdout.write(`${visibleJson(value, stdout.isTTY ? 2 : 0)}\n`),
    table: (head, rows, right = []) => print(renderTable(paint, head, rows, right)),
  };
}

/** A table whose first column names and whose others count; an empty one is not printed. */
export function printFigures(output: Output, head: string[], rows: Part[][]): void {
  if (rows.length === 0) return;
  const right = head.slice(1).map((_, index) => index + 1);
  output.table(head, rows, right);
  output.print();
}

function renderTable(paint: Paint, head: string[], rows: Part[][], right: number[]): Safe {
  const table = new Table({
    chars: BARE,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
    colAligns: head.map((_, index) => (right.includes(index) ? 'right' : 'left')),
  });
  table.push(
    head.map((name) => paint.dim(name).text),
    ...rows.map((row) => row.map((cell) => safe`${cell}`.text)),
  );
  return Safe.fromVisible(
    table
      .toString()
      .split('\n')
      .map((line) => line.trimEnd())
      .join('\n'),
  );
}
