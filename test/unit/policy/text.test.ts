import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutText, oneLine } from '../../../src/policy/text.ts';

const texts = fc.string({ unit: 'grapheme', maxLength: 200 });

describe('cutText', () => {
  it('keeps what fits and marks a cut', () => {
    expect(cutText('order', 5)).toBe('order');
    expect(cutText('orders', 5)).toBe('orde…');
  });

  it('never splits a surrogate pair', () => {
    expect(cutText('ab😀cd', 4)).toBe('ab…');
    expect(cutText('ab😀cd', 5)).toBe('ab😀…');
  });

  it('is never longer than asked, well formed when the text is, and the same when cut again', () => {
    fc.assert(
      fc.property(texts, fc.nat(50), (text, max) => {
        const cut = cutText(text, max);
        expect(cut.length).toBeLessThanOrEqual(max);
        expect(cut.isWellFormed()).toBe(true);
        expect(cutText(cut, max)).toBe(cut);
        if (text.length > max && max > 0) expect(cut.endsWith('…')).toBe(true);
      }),
    );
  });
});

describe('oneLine', () => {
  it('makes one line of many', () => {
    expect(oneLine('  one\r\n\ttwo\u0000three \u2028 four ', 40)).toBe('one two three four');
  });

  it('has no line break and no more than `max` characters, however long the text', () => {
    fc.assert(
      fc.property(texts, fc.nat(50), (text, max) => {
        const line = oneLine(text.repeat(30), max);
        expect(line.length).toBeLessThanOrEqual(max);
        expect(line).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
      }),
    );
  });
});
