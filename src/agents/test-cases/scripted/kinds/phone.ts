import { firstRecipe, type Example, type Kind, type Recipe } from '../kind.ts';

/** A subscriber number for each point, so that no two examples share one. */
const subscriber = (index: number): string => String(2_000 + index * 37).padStart(4, '0');
const written = (area: string, exchange: string, index: number, prefix = ''): string => `${prefix}(${area}) ${exchange}-${subscriber(index)}`;

interface Written {
  phrase: string;
  expected: unknown;
}
const good = (phrase: string): Written => ({ phrase, expected: phrase.replace(/\D/g, '').slice(-10) });
const bad = (phrase: string, error: string): Written => ({ phrase, expected: { error } });

/** With the country code in front where the point speaks of eleven digits. */
const startsWrong =
  (part: 'area' | 'exchange', digit: '0' | '1', prefix: string) =>
  (index: number): Written =>
    bad(
      part === 'area' ? written(`${digit}23`, '456', index, prefix) : written('223', `${digit}56`, index, prefix),
      `${part} code cannot start with ${digit === '0' ? 'zero' : 'one'}`,
    );

const RECIPES: Recipe<Written>[] = [
  ...(['area', 'exchange'] as const).flatMap((part) =>
    (['0', '1'] as const).flatMap((digit): Recipe<Written>[] => [
      { words: new RegExp(`${part} code (?:starts|cannot start) with ${digit}.*11`, 'i'), make: startsWrong(part, digit, '1 ') },
      { words: new RegExp(`${part} code (?:starts|cannot start) with ${digit}`, 'i'), make: startsWrong(part, digit, '') },
    ]),
  ),
  { words: /letters/i, make: (index) => bad(`223-abc-${subscriber(index)}`, 'letters not permitted') },
  { words: /invalid with punctuation/i, make: (index) => bad(`223-@:!-${subscriber(index)}`, 'punctuations not permitted') },
  { words: /more than 11/i, make: (index) => bad(`32123456${subscriber(index)}`, 'must not be greater than 11 digits') },
  { words: /does not start with a 1|must start with 1/i, make: (index) => bad(`2223456${subscriber(index)}`, '11 digits must start with 1') },
  { words: /\b9 digits|fewer/i, make: (index) => bad(`22345${subscriber(index)}`, 'must not be fewer than 10 digits') },
  { words: /starting with 1 even with punctuation/i, make: (index) => good(written('223', '456', index, '+1 ')) },
  { words: /11 digits|country code/i, make: (index) => good(`1223456${subscriber(index)}`) },
  { words: /dots/i, make: (index) => good(`223.456.${subscriber(index)}`) },
  { words: /spaces/i, make: (index) => good(`223 456   ${subscriber(index)}   `) },
];

const example = ({ phrase, expected }: { phrase: unknown; expected: unknown }): Example => ({ data: { property: 'clean', input: { phrase } }, expected });

export const phoneKind: Kind = {
  forPoint: (point, index) => example(firstRecipe(RECIPES, point.replace(/(?<=11)-digit/, ' digits'), index, (each) => good(written('223', '456', each)))),
  boundary: (boundary) => {
    switch (boundary) {
      case 'empty':
        return example(bad('', 'must not be fewer than 10 digits'));
      case 'negative':
        return example(good(`-223-456-${subscriber(90)}`));
      case 'maximum':
        return example(bad('9'.repeat(60), 'must not be greater than 11 digits'));
      case 'wrong_type':
        return example({ phrase: 2_234_567_890, expected: { error: 'wrong type' } });
      case 'permission':
        return null;
    }
  },
};
