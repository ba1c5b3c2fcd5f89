import { describe, expect, test } from 'vitest';
import { en } from '../../../src/console/i18n/en/index.ts';
import { zh } from '../../../src/console/i18n/zh/index.ts';

type Leaf = [place: string, text: string];

/** Every text with its place; those that take values are called with some. */
function leaves(value: unknown, place = ''): Leaf[] {
  if (typeof value === 'string') return [[place, value]];
  if (typeof value === 'function') return [[place, String((value as (...values: unknown[]) => string)(2, 3, 4, 5))]];
  return Object.entries(value as object).flatMap(([name, inner]) => leaves(inner, place === '' ? name : `${place}.${name}`));
}

describe('texts of the console', () => {
  test('are the same in both languages', () => {
    expect(
      leaves(zh)
        .map(([place]) => place)
        .toSorted(),
    ).toEqual(
      leaves(en)
        .map(([place]) => place)
        .toSorted(),
    );
  });

  test('are all translated', () => {
    // Token and JSON are words of both languages.
    const same = leaves(zh).filter(([, text]) => /[a-z]{3,}/i.test(text.replace(/token|json/gi, '')) && !/\p{Script=Han}/u.test(text));
    expect(same).toEqual([]);
    expect(leaves(en).filter(([, text]) => /\p{Script=Han}/u.test(text))).toEqual([]);
  });
});
