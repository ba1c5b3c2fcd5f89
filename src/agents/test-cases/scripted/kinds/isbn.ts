import { firstRecipe, search, type Example, type Kind, type Recipe } from '../kind.ts';

/** The check character of nine digits. */
function checkOf(nine: string): string {
  const sum = [...nine].reduce((total, digit, place) => total + Number(digit) * (10 - place), 0);
  const check = (11 - (sum % 11)) % 11;
  return check === 10 ? 'X' : String(check);
}

function isValid(text: string): boolean {
  const plain = text.replaceAll('-', '');
  return /^\d{9}[\dX]$/.test(plain) && checkOf(plain.slice(0, 9)) === plain[9];
}

const nineWith = (index: number, check: (character: string) => boolean): string => String(search(359_821_507 + index * 131, (each) => check(checkOf(String(each)))));
const isDigit = (character: string): boolean => character !== 'X' && character !== '0';
const nine = (index: number): string => nineWith(index, isDigit);
const ten = (index: number): string => nine(index) + checkOf(nine(index));
const dashed = (text: string): string => `${text.slice(0, 1)}-${text.slice(1, 4)}-${text.slice(4, 9)}${text.length > 9 ? `-${text.slice(9)}` : ''}`;
const replaced = (text: string, at: number, by: string): string => text.slice(0, at) + by + text.slice(at + 1);
const another = (text: string): string => replaced(text, 9, text[9] === '1' ? '2' : '1');

const RECIPES: Recipe<string>[] = [
  { words: /empty/i, make: () => '' },
  { words: /should not be used for 0/i, make: (index) => `${nineWith(index, (check) => check === '0')}X` },
  { words: /check digit in isbn is not treated as zero/i, make: (index) => dashed(`${nineWith(index, (check) => check === '0')}B`) },
  { words: /not treated as zero/i, make: (index) => dashed(replaced(ten(index), 4, 'P')) },
  { words: /before checking length/i, make: (index) => `${ten(index).slice(0, 4)}P${ten(index).slice(4)}` },
  { words: /after checking length|invalid characters?/i, make: (index) => replaced(ten(index), 5, 'P') },
  { words: /X is (?:only|not)/i, make: (index) => dashed(replaced(ten(index), 5, 'X')) },
  { words: /character other than X/i, make: (index) => dashed(`${nine(index)}A`) },
  { words: /without (?:separating )?dashes and X|dashes and X/i, make: (index) => `${nineWith(index, (check) => check === 'X')}X` },
  { words: /check digit of 10|\bX\b/i, make: (index) => dashed(`${nineWith(index, (check) => check === 'X')}X`) },
  { words: /only one check digit/i, make: (index) => `${dashed(ten(index))}7` },
  { words: /too long but contains/i, make: (index) => `9${ten(index)}` },
  { words: /too long/i, make: (index) => `${ten(index)}X` },
  { words: /too short/i, make: () => '00' },
  { words: /9 characters/i, make: (index) => nine(index + 100) },
  { words: /without check digit and (?:without )?dashes/i, make: nine },
  { words: /without (?:a )?check digit/i, make: (index) => dashed(nine(index)) },
  { words: /invalid|not valid|wrong/i, make: (index) => dashed(another(ten(index))) },
  { words: /without/i, make: ten },
];

const example = (isbn: unknown): Example => ({ data: { property: 'isValid', input: { isbn } }, expected: typeof isbn === 'string' ? isValid(isbn) : { error: 'wrong type' } });

export const isbnKind: Kind = {
  forPoint: (point, index) => example(firstRecipe(RECIPES, point, index, (each) => dashed(ten(each)))),
  boundary: (boundary) => {
    switch (boundary) {
      case 'empty':
        return example('');
      case 'negative':
        return example(`-${ten(300)}`);
      case 'maximum':
        return example('1'.repeat(60));
      case 'wrong_type':
        return example(Number(ten(301)));
      case 'permission':
        return null;
    }
  },
};
