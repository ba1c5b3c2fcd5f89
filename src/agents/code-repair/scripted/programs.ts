import { CALCULATIONS } from './calculations.ts';
import { LOOKUPS } from './lookups.ts';
import { PLAIN } from './plain.ts';
import { JAVASCRIPT_DATA, PYTHON_DATA, type Skill } from './skill.ts';

const COMMON: Skill[] = [
  {
    task: /\bsum of the numbers\b|数字之和/i,
    first: { python: `${PYTHON_DATA}print(sum(data))\n`, javascript: `${JAVASCRIPT_DATA}console.log(data.reduce((total, item) => total + item, 0));\n` },
    repaired: {
      python: `${PYTHON_DATA}print(sum(item for item in data if isinstance(item, (int, float)) and not isinstance(item, bool)))\n`,
      javascript: `${JAVASCRIPT_DATA}console.log(data.filter((item) => typeof item === 'number').reduce((total, item) => total + item, 0));\n`,
    },
    mistake: 'types',
    shownBy: /isinstance|typeof/,
    learnsFrom: /TypeError: unsupported operand|wrong_output: .* gave "\\?"?0?a|Adds only the items that are numbers/,
    approach: 'Adds only the items that are numbers, and leaves out text.',
  },
  {
    task: /\bcount(?:s|ing)? (?:the )?words\b/i,
    first: {
      python: `${PYTHON_DATA}counts = {}\nfor word in data:\n    counts[word] += 1\nprint(json.dumps(counts))\n`,
      javascript: `${JAVASCRIPT_DATA}const counts = {};\nfor (const word of data) counts[word] += 1;\nconsole.log(JSON.stringify(counts));\n`,
    },
    repaired: {
      python: `${PYTHON_DATA}counts = {}\nfor word in data:\n    counts[word] = counts.get(word, 0) + 1\nprint(json.dumps(counts))\n`,
      javascript: `${JAVASCRIPT_DATA}const counts = {};\nfor (const word of data) counts[word] = (counts[word] ?? 0) + 1;\nconsole.log(JSON.stringify(counts));\n`,
    },
    mistake: 'key',
    shownBy: /\.get\(|\?\?/,
    learnsFrom: /KeyError|gave "\{\\"\w+\\":null/,
    approach: 'Starts every count at 0, so that the first occurrence of a word has something to be added to.',
  },
  {
    task: /\bhalve\b.*\buntil\b/is,
    first: {
      python: `${PYTHON_DATA}steps = 0\nwhile data > 0:\n    data = -(-data // 2)\n    steps += 1\nprint(steps)\n`,
      javascript: `let data = JSON.parse(require('fs').readFileSync(0, 'utf8'));\nlet steps = 0;\nwhile (data > 0) {\n  data = Math.ceil(data / 2);\n  steps += 1;\n}\nconsole.log(steps);\n`,
    },
    repaired: {
      python: `${PYTHON_DATA}steps = 0\nwhile data > 0:\n    data = data // 2\n    steps += 1\nprint(steps)\n`,
      javascript: `let data = JSON.parse(require('fs').readFileSync(0, 'utf8'));\nlet steps = 0;\nwhile (data > 0) {\n  data = Math.floor(data / 2);\n  steps += 1;\n}\nconsole.log(steps);\n`,
    },
    mistake: 'loop',
    shownBy: /data \/\/ 2$|Math\.floor/m,
    learnsFrom: /Timeout: .* timed out/,
    approach: 'Rounds down, so that the number really reaches 0 and the loop ends.',
  },
  {
    task: /\bgreeting\b/i,
    first: {
      python: "import os\n\nprint('Hello, ' + os.environ.get('USER', 'world') + '!')\n",
      javascript: "console.log('Hello, ' + (process.env.USER ?? 'world') + '!');\n",
    },
    repaired: { python: `${PYTHON_DATA}print('Hello, ' + data['name'] + '!')\n`, javascript: `${JAVASCRIPT_DATA}console.log('Hello, ' + data.name + '!');\n` },
    mistake: 'environment',
    shownBy: /data(?:\['|\.)name/,
    learnsFrom: /Refused_environment/,
    approach: 'Takes the name from the data instead of the environment, which is not available.',
  },
  {
    task: /\bmean\b|平均/i,
    first: {
      python: 'def mean(numbers):\n    return sum(numbers) / len(numbers)\n',
      javascript: 'function mean(numbers) {\n  return numbers.reduce((total, item) => total + item) / numbers.length;\n}\n',
    },
    repaired: {
      python: 'def mean(numbers):\n    return sum(numbers) / len(numbers) if numbers else 0\n',
      javascript: 'function mean(numbers) {\n  return numbers.length === 0 ? 0 : numbers.reduce((total, item) => total + item, 0) / numbers.length;\n}\n',
    },
    mistake: 'divisor',
    shownBy: /if numbers|length === 0/,
    learnsFrom: /ZeroDivisionError|Reduce of empty array|mean\(\[\]\) (?:raised|gave)/i,
    approach: 'Gives 0 for an empty list before dividing by its length.',
  },
];

/** The first that fits is taken. */
export const SKILLS: Skill[] = [...COMMON, ...CALCULATIONS, ...LOOKUPS, ...PLAIN];

/** Words with which a task makes this model answer with its first code for ever: a model that does not listen. */
export const DEAF = /\bexactly as (?:it is|given)\b|一字不改/i;
