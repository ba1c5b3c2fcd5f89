import { JAVASCRIPT_DATA, PYTHON_DATA, type Skill } from './skill.ts';

export const LOOKUPS: Skill[] = [
  {
    task: /\b(?:last|latest|newest) (?:item|reading|entry)\b|最后一项/i,
    first: { python: `${PYTHON_DATA}print(data[-1])\n`, javascript: `${JAVASCRIPT_DATA}console.log(data.at(-1).toString());\n` },
    repaired: {
      python: `${PYTHON_DATA}print(data[-1] if data else 'none')\n`,
      javascript: `${JAVASCRIPT_DATA}console.log(data.length === 0 ? 'none' : data.at(-1).toString());\n`,
    },
    mistake: 'index',
    learnsFrom: /IndexError|Cannot read properties|Says "none" where there is nothing/,
    shownBy: /if data else|length === 0/,
    approach: 'Says "none" where there is nothing to take.',
  },
  {
    task: /\bbasket\b|购物篮/i,
    first: {
      python: `${PYTHON_DATA}print(sum(data['prices'][item] for item in data['items']))\n`,
      javascript: `${JAVASCRIPT_DATA}console.log(data.items.reduce((total, item) => total + data.prices[item], 0));\n`,
    },
    repaired: {
      python: `${PYTHON_DATA}print(sum(data['prices'].get(item, 0) for item in data['items']))\n`,
      javascript: `${JAVASCRIPT_DATA}console.log(data.items.reduce((total, item) => total + (data.prices[item] ?? 0), 0));\n`,
    },
    mistake: 'key',
    learnsFrom: /KeyError|gave "?NaN|An item without a price costs nothing/,
    shownBy: /\.get\(|\?\?/,
    approach: 'An item without a price costs nothing.',
  },
  {
    task: /\bprice (?:list|tags?)\b|价目/i,
    first: {
      python: `${PYTHON_DATA}for item in data:\n    print(item['name'] + ': ' + str(item['price']))\n`,
      javascript: `${JAVASCRIPT_DATA}for (const item of data) console.log(item.name + ': ' + item.price);\n`,
    },
    repaired: {
      python: `${PYTHON_DATA}for item in data:\n    print(f"{item['name']}: {item['price']:.2f}")\n`,
      javascript: `${JAVASCRIPT_DATA}for (const item of data) console.log(item.name + ': ' + item.price.toFixed(2));\n`,
    },
    mistake: 'format',
    // a run shows what is wrong, not how a format is written: only code does
    learnsFrom: /:\.2f\b|toFixed\(2\)/,
    shownBy: /:\.2f\b|toFixed\(2\)/,
    approach: 'Prints every price with two decimals.',
  },
];
