import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { directions, hasHidden, pieces, plain, visibleJson } from '../../../src/console/text/visible.ts';

describe('text that an approver reads', () => {
  test.each([
    ['rm -rf ./\u202Egnp.elif_ngineb', 'rm -rf ./⟨U+202E⟩gnp.elif_ngineb'],
    ['pay\u200Bpal.com', 'pay⟨U+200B⟩pal.com'],
    ['\u001b[2K\rsafe', '⟨U+001B⟩[2K⟨U+000D⟩safe'],
    ['a\u0000b', 'a⟨U+0000⟩b'],
    ['\u2066x\u2069', '⟨U+2066⟩x⟨U+2069⟩'],
    ['x\u{e0041}y', 'x⟨U+E0041⟩y'],
    ['a\u200Db', 'a⟨U+200D⟩b'],
    ['a\u200Cb', 'a⟨U+200C⟩b'],
  ])('UI-06 names what would not be seen: %j', (text, shown) => {
    expect(plain(text)).toBe(shown);
    expect(hasHidden({ deep: [text] })).toBe(true);
    expect(hasHidden({ [text]: 1 })).toBe(true);
  });

  test.each(['שלום עולם', 'مرحبا بالعالم', 'می‌خواهم', 'क्‍ष', '👨‍👩‍👧 ❤️ 🏳️‍🌈', '中文，全角　空格', 'line one\nline two\r\n\ttab'])('UI-06 leaves what writing needs: %j', (text) => {
    expect(
      pieces(text)
        .map((piece) => piece.text)
        .join(''),
    ).toBe(text);
    expect(hasHidden(text)).toBe(false);
  });

  test('a lone carriage return is no line break: a terminal would overwrite the line', () => {
    expect(pieces('rm -rf /\recho ok').some((piece) => piece.hidden)).toBe(true);
  });

  test('what a program reads stands in its order: words from right to left are kept apart', () => {
    expect(directions('rm "שלום עולם" [2] مرحبا.txt')).toEqual([
      { text: 'rm "', rightToLeft: false },
      { text: 'שלום עולם', rightToLeft: true },
      { text: '" [2] ', rightToLeft: false },
      { text: 'مرحبا', rightToLeft: true },
      { text: '.txt', rightToLeft: false },
    ]);
    expect(directions('plain')).toEqual([{ text: 'plain', rightToLeft: false }]);
    expect(directions('')).toEqual([]);
  });

  test('JSON for editing shows the same and parses to the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(visibleJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
    const tricky = { command: 'rm ./\u202Egnp', name: 'a\u200Bb' };
    expect(visibleJson(tricky)).not.toMatch(/[\u202E\u200B]/);
    expect(JSON.parse(visibleJson(tricky))).toEqual(tricky);
  });
});
