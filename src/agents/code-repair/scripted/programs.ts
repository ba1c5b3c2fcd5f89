import type { CodeLanguage } from '../schemas.ts';

/** What this model writes for a kind of task: plain at first, with a mistake; right once a run showed the mistake, or a lesson warned of it. */
export interface Skill {
  /** Words of the task that set it off. */
  task: RegExp;
  first: Record<CodeLanguage, string>;
  repaired: Record<CodeLanguage, string>;
  /** What a run must have said, or a lesson, before it knows better. */
  learnsFrom: RegExp;
  approach: string;
}

const PYTHON_DATA = 'import json\nimport sys\n\ndata = json.load(sys.stdin)\n';
const JAVASCRIPT_DATA = "const data = JSON.parse(require('fs').readFileSync(0, 'utf8'));\n";

export const SKILLS: Skill[] = [
  {
    task: /\bsum of the numbers\b|数字之和/i,
    first: { python: `${PYTHON_DATA}print(sum(data))\n`, javascript: `${JAVASCRIPT_DATA}console.log(data.reduce((total, item) => total + item, 0));\n` },
    repaired: {
      python: `${PYTHON_DATA}print(sum(item for item in data if isinstance(item, (int, float)) and not isinstance(item, bool)))\n`,
      javascript: `${JAVASCRIPT_DATA}console.log(data.filter((item) => typeof item === 'number').reduce((total, item) => total + item, 0));\n`,
    },
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
    learnsFrom: /ZeroDivisionError|Reduce of empty array|mean\(\[\]\) (?:raised|gave)/i,
    approach: 'Gives 0 for an empty list before dividing by its length.',
  },
];

/** Words with which a task makes this model answer with its first code for ever: a model that does not listen. */
export const DEAF = /\bexactly as (?:it is|given)\b|一字不改/i;
