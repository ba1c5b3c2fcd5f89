import { readFileSync } from 'node:fs';

/**
 * A requirement whose result can be computed: a reference implementation, run in the sandbox. `states` are the sentences that it implements: it
 * judges a requirement only when all of them stand there, so a requirement that says something else is never held to it.
 */
export interface Oracle {
  name: string;
  states: string[];
  /** Said to the writer: how `data` and `expected` are written for this requirement. Part of the task, like a function's signature. */
  interface: string;
  /** JavaScript: `run(property, input)` and the harness that feeds it. */
  code: string;
}

const read = (file: string): string => readFileSync(new URL(`./${file}.js`, import.meta.url), 'utf8');
const harness = read('harness');

const FAILURE = 'A failure is {"error": "<text>"}. A value of another type than named here is {"error": "wrong type"}.';

function oracle(name: string, states: string[], signature: string): Oracle {
  return { name, states, interface: `${signature} ${FAILURE}`, code: `${read(name)}\n${harness}` };
}

export const oracles: Oracle[] = [
  oracle(
    'luhn',
    [
      'Strings of length 1 or less are not valid.',
      'Spaces are allowed in the input, but they should be stripped before checking.',
      'All other non-digit characters are disallowed.',
    ],
    'data: {"property": "valid", "input": {"value": string}}. expected: true or false.',
  ),
  oracle(
    'isbn-verifier',
    [
      'The ISBN-10 format is 9 digits (0 to 9) plus one check character (either a digit or an X only).',
      'The program should be able to verify ISBN-10 both with and without separating dashes.',
    ],
    'data: {"property": "isValid", "input": {"isbn": string}}. expected: true or false.',
  ),
  oracle(
    'phone-number',
    ['where `N` is any digit from 2 through 9 and `X` is any digit from 0 through 9.', 'only 1 is considered a valid country code.'],
    'data: {"property": "clean", "input": {"phrase": string}}. expected: the 10 digits as a string. Errors, in the order of checking: "letters not permitted", "punctuations not permitted", "must not be fewer than 10 digits", "must not be greater than 11 digits", "11 digits must start with 1", "area code cannot start with zero", "area code cannot start with one", "exchange code cannot start with zero", "exchange code cannot start with one".',
  ),
  oracle(
    'grade-school',
    [
      'Grades should be sorted as 1, 2, 3, etc., and students within a grade should be sorted alphabetically by name.',
      'each student cannot be added more than once to a grade or the roster.',
    ],
    'data: {"property": "add" | "roster" | "grade", "input": {"students": [[name, whole number], …], "desiredGrade": whole number (for grade only)}}; the students are added in this order. expected: for add a list of true or false, one for each student; for roster and grade a list of names.',
  ),
  oracle(
    'bank-account',
    ['It should be possible to close an account; operations against a closed account must fail.', 'safely accessed from multiple threads/processes'],
    'data: {"property": "bankAccount", "input": {"operations": [{"operation": "open" | "close" | "balance"} | {"operation": "deposit" | "withdraw", "amount": number} | {"operation": "concurrent", "number": whole number up to 10000, "operations": […]}]}}. expected: what the last operation gives: the number for balance, else null; the first failure ends it. Errors: "account not open", "account already open", "amount must be greater than 0", "amount must be less than balance".',
  ),
];

const plain = (text: string): string => text.replace(/\s+/g, ' ').toLowerCase();

/** The oracle that a requirement has, or null. */
export function oracleFor(requirement: string): Oracle | null {
  const text = plain(requirement);
  return oracles.find(({ states }) => states.every((sentence) => text.includes(plain(sentence)))) ?? null;
}
