import { describe, expect, it } from 'vitest';
import { codeRepairInputSchema, codeRepairOutputSchema } from '../../../../src/agents/code-repair/schemas.ts';
import { renderCodeRepairInput } from '../../../../src/agents/code-repair/render.ts';
import { codeRepairScript } from '../../../../src/agents/code-repair/scripted.ts';
import { quixbugsDataset } from '../../../../src/datasets/quixbugs.ts';
import { readRequest } from '../../../../src/models/scripted/read-request.ts';
import { hasCases, readCases } from '../../../support/cases.ts';

/** What the model answers with after these corrections, and with these lessons before it. */
function codeFor(input: unknown, messages: string[] = [], lessons: string[] = []) {
  const users = [
    renderCodeRepairInput(codeRepairInputSchema.parse(input)),
    ...lessons.map((text, index) => `<experience trust="unverified" id="lesson-${index}">${text}</experience>`),
    ...messages.map(
      (message) => `<correction>${JSON.stringify({ change: [{ type: message.split(':')[0], message }], keep: [], best: null, strategy: null, reflection: null })}</correction>`,
    ),
  ];
  const request = readRequest({ model: 'scripted-writer', messages: users.map((content) => ({ role: 'user', content })) }, { agent: 'code-repair', stage: 'decide', key: 'k' });
  const { output } = codeRepairScript.respond(request).content as { output: unknown };
  return codeRepairOutputSchema.parse(output);
}

const SUM = { task: 'Return the sum of the numbers.', language: 'python', data: ['a', 1], expectedOutput: 1 };

describe('the scripted model of code-repair', () => {
  it('is wrong at first, right once it saw the error or a lesson of the same language, and names the lesson', () => {
    const first = codeFor(SUM);
    expect(first.code).not.toContain('isinstance');
    expect(codeFor(SUM, ["TypeError: The program raised TypeError: unsupported operand type(s) for +: 'int' and 'str'"]).code).toContain('isinstance');
    const lesson = 'Unverified. A task like "python code: sum" went well.\nWhat solved it: "Adds only the items that are numbers."';
    expect(codeFor(SUM, [], [lesson])).toMatchObject({ code: expect.stringContaining('isinstance'), lessons: ['lesson-0'] });
    expect(codeFor(SUM, [], [lesson.replace('python', 'javascript')])).toEqual(first);
    expect(codeFor(SUM, ['not_right: The code is not right.'])).toEqual(first);
  });

  it("does as a person's correction shows, and as what was wrong in none", () => {
    const input = { task: 'Print the price list of a bakery, a line for each article.', language: 'python', data: [{ name: 'roll', price: 0.4 }], expectedOutput: 'roll: 0.40' };
    const [plain, money] = ["print(item['name'] + ': ' + str(item['price']))", "print(f'{price:.2f}')"];
    const corrected = (wrong: string, right: string) => `Reviewed. A person corrected the output of a task like "python code: a price list".\nWrong: "${wrong}"\nRight: "${right}"`;
    expect(codeFor(input, [], [corrected(plain, money)])).toMatchObject({ code: expect.stringContaining(':.2f'), lessons: ['lesson-0'] });
    expect(codeFor(input, [], [corrected(money, plain)])).toMatchObject({ code: expect.not.stringContaining(':.2f'), lessons: [] });
    expect(codeFor(input, ['wrong_output: The program gave "roll: 0.4"; expected "roll: 0.40"']).code).not.toContain(':.2f');
  });

  it('writes JavaScript only when Python was refused', () => {
    expect(codeFor(SUM, ['NoSandbox: Nothing that is allowed here can run python safely']).language).toBe('javascript');
    expect(codeFor(SUM, ['KeyError: x']).language).toBe('python');
  });
});

describe.skipIf(!hasCases)('the scripted model and QuixBugs', () => {
  const cases = quixbugsDataset.read(readCases('quixbugs.json')).filter((each) => !each.reference.withheld);
  const fixed = new Map((JSON.parse(readCases('quixbugs.json')) as { programs: { name: string; fixed: string }[] }).programs.map((each) => [each.name, each.fixed]));

  it.each(cases.map((each) => [each.reference.program, each.input as { code: string; entryPoint: string; tests: { args: unknown[]; expected: unknown }[] }] as const))(
    '%s: the buggy text at first, and nothing made up unlocks the fix',
    (program, input) => {
      const calls = input.tests.map(({ args, expected }) => ({
        call: `${input.entryPoint}(${args.map((each) => JSON.stringify(each)).join(', ')})`,
        expected: JSON.stringify(expected),
      }));
      const untrue = [
        [],
        ['not_right: The code is not right.'],
        [`wrong_output: ${program} gave 999999; expected something else`],
        ...calls.flatMap(({ call, expected }) => [[`wrong_output: ${call} gave ${expected}; expected ${expected}`], [`wrong_output: ${call} gave [999999]; expected ${expected}`]]),
      ];
      for (const messages of untrue) expect(codeFor(input, messages).code).toBe(input.code);
      expect(fixed.get(program)).not.toBe(input.code);
    },
  );
});
