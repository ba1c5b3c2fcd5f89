import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { showDraft } from '../../../src/cli/chat/reply.ts';
import { createLiveArea, type LiveArea } from '../../../src/cli/live/live-area.ts';
import { fitTo } from '../../../src/cli/text/fit.ts';
import { createPaint, safe } from '../../../src/cli/text/safe.ts';
import type { Watched } from '../../../src/live/watch.ts';

const CODES = new RegExp(String.raw`(\u001b\[\d*[AJ]|\n)`);
const UP = new RegExp(String.raw`^\u001b\[(\d+)A$`);

/** What a terminal shows after these writes: it knows the codes that the area uses. */
function screenOf(columns = 40, rows = 10) {
  const shown: string[] = [''];
  const write = (text: string): boolean => {
    for (const part of text.split(CODES)) {
      const up = UP.exec(part);
      if (up) shown.splice(shown.length - 1 - Number(up[1]), Infinity, '');
      else if (part === '\n') shown.push('');
      else if (!part.startsWith('\u001b[')) shown[shown.length - 1] += part;
    }
    return true;
  };
  return { stream: { write, columns, rows }, shown: () => shown.slice(0, -1) };
}

test('lines stay above, the area changes in place and goes away', () => {
  const { stream, shown } = screenOf();
  const area = createLiveArea(stream);
  area.show([safe`one`, safe`two`]);
  area.say(safe`said`);
  expect(shown()).toEqual(['said', 'one', 'two']);
  area.show([safe`three`]);
  area.say(safe`said more`);
  expect(shown()).toEqual(['said', 'said more', 'three']);
  area.end();
  expect(shown()).toEqual(['said', 'said more']);
});

test('a line that would wrap, and more lines than the terminal has, are cut: else the wrong rows would be cleared', () => {
  const { stream, shown } = screenOf(20, 4);
  const area = createLiveArea(stream);
  area.show([safe`${'x'.repeat(50)}`, safe`订单订单订单订单订单订单`, safe`c`, safe`d`, safe`e`]);
  expect(shown()).toHaveLength(3);
  expect(shown()[0]).toBe(`${'x'.repeat(18)}…`);
  area.end();
  expect(shown()).toEqual([]);
});

test('a line is cut by columns, and its colours end', () => {
  const paint = createPaint(true);
  const cut = fitTo(safe`${paint.red('abcdef')}`, 4).text;
  expect(stripVTControlCharacters(cut)).toBe('abc…');
  expect(cut).toContain('\u001b[39m');
  expect(fitTo(safe`ab`, 4).text).toBe('ab');
});

test('a draft is marked as one, grows, begins anew, and goes away when it broke off', () => {
  let shown: string[] = [];
  const area: LiveArea = { say: () => {}, end: () => {}, show: (lines) => void (shown = lines.map(({ text }) => text)) };
  const drafts = new Map<string, string>();
  const feed = (watched: Watched): string[] => {
    showDraft(watched, drafts, area, createPaint(false));
    return shown;
  };
  const delta = (offset: number, text: string): Watched => ({ type: 'delta', callKey: 'k', stage: 'decide', try: 1, offset, text, draft: true });
  expect(feed(delta(0, 'Hello, '))).toEqual(['draft, not checked yet:', '  Hello, ']);
  expect(feed(delta(7, 'it is\u001b on its way'))).toEqual(['draft, not checked yet:', '  Hello, it is⟨U+001B⟩ on its way']);
  feed({ type: 'delta_reset', callKey: 'k', stage: 'decide', try: 2 });
  expect(feed(delta(0, 'Good day'))).toEqual(['draft, not checked yet:', '  Good day']);
  expect(feed({ type: 'delta_end', callKey: 'k', complete: true }).at(-1)).toBe('  Good day');
  expect(feed({ type: 'delta_end', callKey: 'k', complete: false }).join('')).not.toContain('Good day');
});
