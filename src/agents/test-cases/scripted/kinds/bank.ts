import { firstRecipe, type Example, type Kind, type Recipe } from '../kind.ts';

type Operation = { operation: string; amount?: unknown; number?: number; operations?: Operation[] };
const open: Operation = { operation: 'open' };
const close: Operation = { operation: 'close' };
const balance: Operation = { operation: 'balance' };
const deposit = (amount: unknown): Operation => ({ operation: 'deposit', amount });
const withdraw = (amount: unknown): Operation => ({ operation: 'withdraw', amount });

const example = (operations: Operation[], expected: unknown): Example => ({ data: { property: 'bankAccount', input: { operations } }, expected });
const fails = (operations: Operation[], error: string): Example => example(operations, { error });

const NOT_OPEN = 'account not open';
const NOT_POSITIVE = 'amount must be greater than 0';
const amountFor = (index: number): number => 40 + index * 3;

const RECIPES: Recipe<Example>[] = [
  {
    words: /concurrent|parallel|race/i,
    make: (index) => example([open, { operation: 'concurrent', number: 500, operations: [deposit(3), withdraw(2)] }, withdraw(index + 1), balance], 500 - index - 1),
  },
  { words: /reopened/i, make: (index) => example([open, deposit(amountFor(index)), close, open, balance], 0) },
  { words: /already open/i, make: () => fails([open, open], 'account already open') },
  { words: /close an account that was not|closing .*not open/i, make: () => fails([close], NOT_OPEN) },
  { words: /deposit into (?:a )?closed/i, make: (index) => fails([open, close, deposit(amountFor(index))], NOT_OPEN) },
  { words: /deposit into (?:an )?unopened/i, make: (index) => fails([deposit(amountFor(index))], NOT_OPEN) },
  { words: /withdraw from (?:a )?closed/i, make: (index) => fails([open, deposit(amountFor(index)), close, withdraw(1)], NOT_OPEN) },
  { words: /closed/i, make: (index) => fails([open, deposit(amountFor(index)), close, balance], NOT_OPEN) },
  { words: /more than/i, make: (index) => fails([open, deposit(amountFor(index)), withdraw(amountFor(index) + 1)], 'amount must be less than balance') },
  { words: /withdraw negative/i, make: (index) => fails([open, deposit(amountFor(index)), withdraw(-5)], NOT_POSITIVE) },
  { words: /deposit negative|negative/i, make: (index) => fails([open, deposit(-amountFor(index))], NOT_POSITIVE) },
  { words: /newly|zero balance/i, make: () => example([open, balance], 0) },
  { words: /multiple deposits/i, make: (index) => example([open, deposit(amountFor(index)), deposit(7), balance], amountFor(index) + 7) },
  { words: /multiple operations|sequential/i, make: (index) => example([open, deposit(amountFor(index)), withdraw(10), deposit(30), withdraw(amountFor(index)), balance], 20) },
  { words: /withdraw twice/i, make: (index) => example([open, deposit(amountFor(index)), withdraw(30), withdraw(amountFor(index) - 30), balance], 0) },
  { words: /withdraw/i, make: (index) => example([open, deposit(amountFor(index)), withdraw(15), balance], amountFor(index) - 15) },
  { words: /deposit/i, make: (index) => example([open, deposit(amountFor(index)), balance], amountFor(index)) },
];

export const bankKind: Kind = {
  forPoint: (point, index) => firstRecipe(RECIPES, point, index, (each) => example([open, deposit(each + 1), deposit(2), balance], each + 3)),
  boundary: (boundary) => {
    switch (boundary) {
      case 'empty':
        return example([], null);
      case 'negative':
        return fails([open, deposit(-1)], NOT_POSITIVE);
      case 'maximum':
        return example([open, deposit(1_000_000_000_000), balance], 1_000_000_000_000);
      case 'wrong_type':
        return fails([open, deposit('ten')], 'wrong type');
      case 'permission':
        return null;
    }
  },
};
