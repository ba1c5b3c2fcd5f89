import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createOutput } from '../../../src/cli/output.ts';
import { createPaint, join, lines, safe } from '../../../src/cli/text/safe.ts';
import { visible, visibleJson } from '../../../src/cli/text/visible.ts';

/** Anything that can move a cursor, hide or reorder text; what `visible` itself writes is none of it. */
const STEERS = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e0fff}]/u;
const nasty = fc.string({
  unit: fc.oneof(
    fc.constantFrom('\u001b', '\u0007', '\u009b', '\n', '\r', '\t', '\0', '\u202e', '\u2066', '\u200b', '\u2028', '\ufeff', '\ud800', '\u{e0041}', 'A', '订', '👍'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  ),
});

describe('visible', () => {
  test('nothing that steers a terminal is left, whatever comes in', () => {
    fc.assert(
      fc.property(nasty, (text) => {
        expect(visible(text)).not.toMatch(STEERS);
      }),
    );
  });
  test.each([
    ['\u001b[2J', '⟨U+001B⟩[2J'],
    ['A\u202e100', 'A⟨U+202E⟩100'],
    ['two\r\nlines\nand\rmore', 'two⏎lines⏎and⏎more'],
    ['a\u200bb\u{e0041}', 'a⟨U+200B⟩b⟨U+E0041⟩'],
    ['lone \ud83d', 'lone ⟨U+D83D⟩'],
    ['订单 A001：退款 ¥159.00 👨‍👩‍👧', '订单 A001：退款 ¥159.00 👨‍👩‍👧'],
    ['a\u200db', 'a⟨U+200D⟩b'],
    ['❤️', '❤️'],
    ['x\ufe00\ufe01\u{e0100}', 'x\ufe00⟨U+FE01⟩⟨U+E0100⟩'],
  ])('%j', (text, shown) => {
    expect(visible(text)).toBe(shown);
  });
});

describe('visibleJson', () => {
  test('shows what is hidden and parses to the same value, with and without indentation', () => {
    fc.assert(
      fc.property(fc.dictionary(nasty, nasty), fc.constantFrom(0, 2), (value, indent) => {
        const json = visibleJson(value, indent);
        expect(json.replaceAll('\n', '')).not.toMatch(STEERS);
        expect(JSON.stringify(JSON.parse(json))).toBe(JSON.stringify(value));
      }),
    );
  });
});

describe('safe', () => {
  test('makes visible what is interpolated, however deep, and leaves our own colours alone', () => {
    const paint = createPaint(true);
    expect(safe`task ${'x\u001b[31m'} ${paint.bold('y\u202e')}`.text).toBe('task x⟨U+001B⟩[31m \u001b[1my⟨U+202E⟩\u001b[22m');
    expect(join(['a\u0007', null, '', safe`b`], ', ').text).toBe('a⟨U+0007⟩, b');
    expect(lines('one\ntwo\u001b', '| ').map(String)).toEqual(['| one', '| two⟨U+001B⟩']);
  });
  test('without a terminal there is no colour', () => {
    expect(createPaint(false).red('no').text).toBe('no');
  });
});

describe('output', () => {
  const terminal = (isTTY: boolean) => {
    const said: string[] = [];
    return { said, stream: { isTTY, write: (text: string) => said.push(text) } as unknown as NodeJS.WriteStream };
  };
  const on = (isTTY: boolean) => ({ stdout: terminal(isTTY).stream, stderr: terminal(isTTY).stream, environment: {} });
  test.each([
    [{ tty: true, environment: {} }, true],
    [{ tty: true, environment: { NO_COLOR: '1' } }, false],
    [{ tty: true, environment: { TERM: 'dumb' } }, false],
    [{ tty: false, environment: {} }, false],
  ])('%j: colour %j', ({ tty, environment }, coloured) => {
    const { said, stream } = terminal(tty);
    const output = createOutput({ piped: 'text', terminal: { stdout: stream, stderr: stream, environment } });
    output.print(output.paint.green('ok'));
    expect(said.join('').includes('\u001b')).toBe(coloured);
  });
  test('JSON where stdout is no terminal, unless a command says text', () => {
    expect(createOutput({ terminal: on(false) }).json).toBe(true);
    expect(createOutput({ piped: 'text', terminal: on(false) }).json).toBe(false);
    expect(createOutput({ terminal: on(true) }).json).toBe(false);
  });
  test('a table keeps its columns with Chinese text and makes cells safe', () => {
    const { said, stream } = terminal(true);
    createOutput({ terminal: { stdout: stream, stderr: stream, environment: { NO_COLOR: '1' } } }).table(
      ['id', 'text'],
      [
        ['订单', 'a\u001b'],
        ['x', 'b'],
      ],
    );
    expect(said.join('')).toBe('id    text\n订单  a⟨U+001B⟩\nx     b\n');
  });
});
