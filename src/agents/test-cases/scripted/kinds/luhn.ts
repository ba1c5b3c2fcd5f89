import { firstRecipe, search, type Example, type Kind, type Recipe } from '../kind.ts';

/** The weighted sum, mod 10. */
function remainder(digits: string): number {
  const sum = digits
    .split('')
    .toReversed()
    .reduce((total, character, place) => {
      const value = Number(character) * (place % 2 === 1 ? 2 : 1);
      return total + (value > 9 ? value - 9 : value);
    }, 0);
  return sum % 10;
}

const isValid = (text: string): boolean => /^[\d ]*$/.test(text) && text.replaceAll(' ', '').length > 1 && remainder(text.replaceAll(' ', '')) === 0;

/** The body with the last digit that leaves this remainder. */
function ending(body: string, wanted: number): string {
  const last = [...'0123456789'].find((digit) => remainder(body + digit) === wanted);
  return body + (last ?? '0');
}

const grouped = (digits: string, size: number): string => digits.match(new RegExp(`.{1,${size}}`, 'g'))!.join(' ');
const body = (index: number): string => String(4_012_345 + index * 7_919);
const valid = (index: number): string => ending(body(index), 0);
const long = (index: number): string => `${body(index)}${body(index + 3)}`;
const reversed = (text: string): string => [...text].toReversed().join('');
const CHARACTERS = ['a', '-', '#', '%', ':', '$', 'b', '/'];

/** Of a valid number, one that has a character which is no digit. */
function spoiled(index: number): string {
  const number = valid(index);
  const at = index % number.length;
  return number.slice(0, at) + CHARACTERS[index % CHARACTERS.length]! + number.slice(at);
}

const RECIPES: Recipe<string>[] = [
  { words: /becomes invalid if reversed/i, make: (index) => String(search(18 + index, (each) => isValid(String(each)) && !isValid(reversed(String(each))))) },
  { words: /remains valid if reversed/i, make: (index) => String(search(200 + index, (each) => isValid(String(each)) && isValid(reversed(String(each))))) },
  { words: /more than a single zero/i, make: () => '00 0' },
  { words: /zero with (?:a )?space/i, make: () => ' 0' },
  { words: /single zero/i, make: () => '0' },
  { words: /single digit|length 1/i, make: () => '7' },
  { words: /at the end/i, make: (index) => `${valid(index)}a` },
  { words: /non-digit|non-numeric|not? (?:a )?digit|punctuation|symbol|letter|ascii|disallowed/i, make: spoiled },
  { words: /very long/i, make: (index) => grouped(ending('9876543210'.repeat(4) + String(index), 0), 10) },
  { words: /even remainder/i, make: (index) => ending(long(index), 4) },
  { words: /divisible by 5/i, make: (index) => ending(long(index), 5) },
  { words: /digit 9/i, make: (index) => ending(`9${index + 1}9`, 0) },
  { words: /odd number of digits/i, make: (index) => ending(String(search(1_000 + index, (each) => each % 2 === 0)), 0) },
  { words: /space/i, make: (index) => grouped(valid(index), 3) },
  { words: /even number of digits/i, make: (index) => ending(body(index).slice(0, 7), 0) },
  { words: /invalid|not valid|incorrect|wrong/i, make: (index) => grouped(ending(long(index), (index % 9) + 1), 4) },
];

const example = (value: unknown): Example => ({ data: { property: 'valid', input: { value } }, expected: typeof value === 'string' ? isValid(value) : { error: 'wrong type' } });

export const luhnKind: Kind = {
  forPoint: (point, index) => example(firstRecipe(RECIPES, point, index, valid)),
  boundary: (boundary) => {
    switch (boundary) {
      case 'empty':
        return example('');
      case 'negative':
        return example(`-${valid(50)}`);
      case 'maximum':
        return example(ending('1234567890'.repeat(6), 0));
      case 'wrong_type':
        return example(Number(valid(51)));
      case 'permission':
        return null;
    }
  },
};
