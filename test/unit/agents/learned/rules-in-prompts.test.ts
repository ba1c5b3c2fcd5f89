import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { learningTasks } from '../../../../src/cli/demo/learning/tasks.ts';
import { seededRandom, type Random } from '../../../../src/policy/statistics/random.ts';
import { firstCode, firstReply } from './prompts.ts';
import { codeRepairRules, supportRules } from './rule-texts.ts';

const SHUFFLES = 100;

const AGENTS = [
  { agent: 'code-repair', rules: codeRepairRules(), write: firstCode },
  { agent: 'support', rules: await supportRules(), write: (input: unknown, sentences: readonly string[]) => firstReply(input as never, sentences).reply },
] as const;

/** Harmless sentences; words of them make placebos of any length. */
const HARMLESS =
  'The meeting room on the second floor has a new table and four chairs that colleagues from the other office brought along last week when they came over for lunch and stayed until late'.split(
    ' ',
  );

function shuffled(sentence: string, random: Random): string {
  const words = sentence.split(' ');
  for (let last = words.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    [words[last], words[other]] = [words[other]!, words[last]!];
  }
  return words.join(' ');
}

const placebo = (sentence: string): string =>
  sentence
    .split(' ')
    .map((_, index) => HARMLESS[index % HARMLESS.length])
    .join(' ');

describe.each(AGENTS)('the scripted model of $agent', ({ agent, rules, write }) => {
  const tasks = [...learningTasks(agent, 1), ...learningTasks(agent, 2)];

  it('gets tasks of a kind wrong at first, and right with one of the rules that are learned', () => {
    for (const { kind, input } of tasks) {
      const bare = write(input, []);
      const helpful = rules.filter((rule) => write(input, [rule]) !== bare);
      expect({ input, helpful: helpful.length }).toEqual({ input, helpful: kind === 'right' ? 0 : 1 });
    }
  });

  it('is not helped by the same words shuffled, nor by others of equal length', () => {
    const random = seededRandom(20_260);
    const oneOfEach = [...Map.groupBy(tasks, ({ kind, run }) => `${kind} ${run}`).values()].map(([task]) => task!);
    for (const { input } of oneOfEach) {
      const bare = write(input, []);
      for (const rule of rules) {
        const changed = [placebo(rule), ...Array.from({ length: SHUFFLES }, () => shuffled(rule, random))].filter((sentence) => write(input, [sentence]) !== bare);
        expect({ rule, changed }).toEqual({ rule, changed: [] });
      }
    }
  });

  it('is not helped by a rule that says not to', () => {
    for (const { input } of tasks) {
      const bare = write(input, []);
      for (const rule of rules) expect(write(input, [`Do not ${rule[0]!.toLowerCase()}${rule.slice(1)}`])).toBe(bare);
    }
  });

  it('has no five words of a rule in its source', () => {
    const files = [...globSync(`src/agents/${agent}/scripted/**/*.ts`), `src/agents/${agent}/scripted.ts`, ...globSync('src/models/scripted/*.ts')];
    expect(files.length).toBeGreaterThan(5);
    const source = wordsOf(files.map((file) => readFileSync(file, 'utf8').replaceAll(/\\[bsw]|\(\?[:=!<]+|\[\^[^\]]*\]|[?+*]/g, ' ')).join('\n'));
    for (const rule of rules) {
      const words = wordsOf(rule).trim().split(' ');
      const runs = words.slice(0, -4).map((_, index) => ` ${words.slice(index, index + 5).join(' ')} `);
      expect(runs.filter((run) => source.includes(run))).toEqual([]);
    }
  });
});

function wordsOf(text: string): string {
  return ` ${
    text
      .toLowerCase()
      .match(/[\p{L}\p{N}']+/gu)
      ?.join(' ') ?? ''
  } `;
}

describe('a harmful rule harms', () => {
  it('a heading is printed where the result alone is wanted; types are not checked although another rule says so', () => {
    const [reverse] = learningTasks('code-repair', 1).filter(({ kind }) => kind === 'right');
    expect(firstCode(reverse!.input, ['Print a heading before the result, so that people see at once what it is.'])).toMatch(/^print\('Result:'\)/);
    const [sum] = learningTasks('code-repair', 1).filter(({ kind }) => kind === 'types');
    const types = codeRepairRules().find((rule) => firstCode(sum!.input, [rule]) !== firstCode(sum!.input, []))!;
    expect(firstCode(sum!.input, [types, 'Do not check the types of values: it makes programs long.'])).toBe(firstCode(sum!.input, []));
  });

  it('a day is promised where only the status was asked for', () => {
    const right = { message: 'Could you look up the status of A001?' };
    expect(firstReply(right, []).reply).not.toContain('definitely');
    expect(firstReply(right, ['Promise every customer the exact day of arrival, so that nobody has to ask again.']).reply).toContain('definitely');
    expect(firstReply(right, ['Never promise every customer the exact day of arrival.']).reply).not.toContain('definitely');
  });
});

describe('an example from an earlier task', () => {
  const example = (situation: string, wrong: string, right: string) =>
    `<example id="e1">\n<situation>${situation}</situation>\n<wrong>${wrong}</wrong>\n<right>${right}</right>\n</example>`;

  it('shows code of the same kind what was right', () => {
    const [sum, other] = learningTasks('code-repair', 1).filter(({ kind }) => kind === 'types');
    const [, , , product] = learningTasks('code-repair', 1).filter(({ kind }) => kind === 'types');
    const shown = example('python code: print the sum of the numbers', 'print(sum(data))', 'print(sum(item for item in data if isinstance(item, (int, float))))');
    for (const { input } of [sum!, other!]) expect(firstCode(input, [], shown)).not.toBe(firstCode(input, []));
    expect(firstCode(product!.input, [], shown)).toBe(firstCode(product!.input, []));
    expect(firstCode(sum!.input, [], example('python code: print the sum of the numbers', 'print(sum(data))', 'print(sum(data))'))).toBe(firstCode(sum!.input, []));
  });

  it('shows a reply what was right', () => {
    const message = 'When will order A001 arrive?';
    const shown = example('when', 'It will definitely arrive tomorrow.', 'The estimated delivery is 2026-01-05.');
    expect(firstReply({ message }, [], shown).reply).not.toContain('definitely');
    expect(firstReply({ message }, [], example('when', 'It is on its way.', 'The estimated delivery is 2026-01-05.')).reply).toContain('definitely');
  });
});
