import { JAVASCRIPT_DATA, PYTHON_DATA, type Skill } from './skill.ts';

export const CALCULATIONS: Skill[] = [
  {
    task: /\bproduct of\b|\bmultiply\b|乘积/i,
    first: {
      python: `${PYTHON_DATA}product = 1\nfor item in data:\n    product = product * 1.0 * item\nprint(product)\n`,
      javascript: `${JAVASCRIPT_DATA}console.log(data.reduce((product, item) => product * item, 1));\n`,
    },
    repaired: {
      python: `${PYTHON_DATA}product = 1\nfor item in data:\n    if isinstance(item, (int, float)) and not isinstance(item, bool):\n        product *= item\nprint(product)\n`,
      javascript: `${JAVASCRIPT_DATA}console.log(data.filter((item) => typeof item === 'number').reduce((product, item) => product * item, 1));\n`,
    },
    mistake: 'types',
    learnsFrom: /TypeError: can't multiply|gave "?NaN|Multiplies only what is a number/,
    shownBy: /isinstance|typeof/,
    approach: 'Multiplies only what is a number.',
  },
  {
    task: /\b(?:largest|highest|greatest) (?:number|value|amount)\b|最大的数/i,
    first: { python: `${PYTHON_DATA}print(max(data))\n`, javascript: `${JAVASCRIPT_DATA}console.log(Math.max(...data));\n` },
    repaired: {
      python: `${PYTHON_DATA}print(max(item for item in data if isinstance(item, (int, float)) and not isinstance(item, bool)))\n`,
      javascript: `${JAVASCRIPT_DATA}console.log(Math.max(...data.filter((item) => typeof item === 'number')));\n`,
    },
    mistake: 'types',
    learnsFrom: /TypeError: '[<>]' not supported|gave "?NaN|Compares numbers with numbers alone/,
    shownBy: /isinstance|typeof/,
    approach: 'Compares numbers with numbers alone.',
  },
  {
    task: /\bpercent(?:age)?\b|百分比/i,
    first: {
      python: `${PYTHON_DATA}print(100 * data['part'] / data['whole'])\n`,
      javascript: `${JAVASCRIPT_DATA}console.log(100 * data.part / data.whole);\n`,
    },
    repaired: {
      python: `${PYTHON_DATA}print(100 * data['part'] / data['whole'] if data['whole'] else 0)\n`,
      javascript: `${JAVASCRIPT_DATA}console.log(data.whole === 0 ? 0 : 100 * data.part / data.whole);\n`,
    },
    mistake: 'divisor',
    learnsFrom: /ZeroDivisionError|gave "?(?:NaN|Infinity)|Gives 0 where the whole is 0/,
    shownBy: /if data\['whole'\]|whole === 0/,
    approach: 'Gives 0 where the whole is 0.',
  },
  {
    task: /\b(?:numerals|numbers written as text)\b|文本形式的数/i,
    first: {
      python: `${PYTHON_DATA}print(sum(int(item) for item in data))\n`,
      javascript: `${JAVASCRIPT_DATA}console.log(data.reduce((total, item) => total + Number(item), 0));\n`,
    },
    repaired: {
      python: `${PYTHON_DATA}print(sum(int(item) for item in data if item.strip().lstrip('-').isdigit()))\n`,
      javascript: `${JAVASCRIPT_DATA}console.log(data.filter((item) => /^-?\\d+$/.test(item.trim())).reduce((total, item) => total + Number(item), 0));\n`,
    },
    mistake: 'form',
    learnsFrom: /ValueError: invalid literal|gave "?NaN|Converts only what consists of digits/,
    shownBy: /isdigit|\\d\+\$/,
    approach: 'Converts only what consists of digits.',
  },
];
