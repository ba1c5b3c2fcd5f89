import type { CodeLanguage } from '../schemas.ts';
import { JAVASCRIPT_DATA, PYTHON_DATA, type Skill } from './skill.ts';

const right = (task: RegExp, approach: string, code: Record<CodeLanguage, string>): Skill => ({
  task,
  first: code,
  repaired: code,
  mistake: null,
  learnsFrom: /(?!)/,
  shownBy: /(?!)/,
  approach,
});

/** What this model gets right at once. */
export const PLAIN: Skill[] = [
  right(/\breverse\b/i, 'Turns the text around.', { python: `${PYTHON_DATA}print(data[::-1])\n`, javascript: `${JAVASCRIPT_DATA}console.log([...data].reverse().join(''));\n` }),
  right(/\bsort\b.*\bnumbers\b/i, 'Sorts by value.', {
    python: `${PYTHON_DATA}print(json.dumps(sorted(data)))\n`,
    javascript: `${JAVASCRIPT_DATA}console.log(JSON.stringify(data.sort((left, right) => left - right)));\n`,
  }),
  right(/\bcapital letters\b/i, 'Writes the text in capitals.', {
    python: `${PYTHON_DATA}print(data.upper())\n`,
    javascript: `${JAVASCRIPT_DATA}console.log(data.toUpperCase());\n`,
  }),
  right(/\bsquares\b/i, 'Squares each number.', {
    python: `${PYTHON_DATA}print(json.dumps([item * item for item in data]))\n`,
    javascript: `${JAVASCRIPT_DATA}console.log(JSON.stringify(data.map((item) => item * item)));\n`,
  }),
  right(/\bwithout repeats\b/i, 'Keeps the first of each.', {
    python: `${PYTHON_DATA}print(json.dumps(list(dict.fromkeys(data))))\n`,
    javascript: `${JAVASCRIPT_DATA}console.log(JSON.stringify([...new Set(data)]));\n`,
  }),
];
