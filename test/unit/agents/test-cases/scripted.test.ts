import { describe, expect, it } from 'vitest';
import { oracles } from '../../../../src/agents/test-cases/oracles/index.ts';
import { renderTestCasesInput } from '../../../../src/agents/test-cases/render.ts';
import { testCasesInputSchema, type TestCasesOutput } from '../../../../src/agents/test-cases/schemas.ts';
import { testCasesScript } from '../../../../src/agents/test-cases/scripted.ts';
import { duplicatesOf } from '../../../../src/agents/test-cases/case-identity.ts';
import { readRequest } from '../../../../src/models/scripted/read-request.ts';

/** What the scripted model answers to this conversation. */
function ask(users: string[]): TestCasesOutput {
  const reply = testCasesScript.respond(
    readRequest(
      { model: 'm', messages: [{ role: 'system', content: '' }, ...users.map((content) => ({ role: 'user', content }))] },
      { agent: 'test-cases', stage: 'decide', key: 'k' },
    ),
  );
  return (reply.content as { output: TestCasesOutput }).output;
}

const task = (requirement: string, coveragePoints?: string[]) => renderTestCasesInput(testCasesInputSchema.parse({ requirement, coveragePoints }));

describe('the scripted writer', () => {
  it('answers the same conversation alike', () => {
    expect(ask([task('A name must be short.')])).toEqual(ask([task('A name must be short.')]));
  });

  it.each(oracles.map((oracle) => [oracle.name, oracle] as const))('writes pairs for %s from points that it has never seen', (_name, oracle) => {
    const made = ask([task(oracle.states.join(' '), ['a thing that is valid', 'a thing that is invalid', 'something quite different'])]);
    expect([...duplicatesOf(made.cases)]).toEqual([]);
    for (const each of made.cases) expect(() => [JSON.parse(each.data), JSON.parse(each.expected)]).not.toThrow();
  });

  it('changes only what a correction names', () => {
    const requirement = 'A name must be short. A name must not be empty.';
    const before = ask([task(requirement)]);
    const correction = {
      change: [{ type: 'coverage', message: 'No case covers "A name must be short."' }],
      keep: ['TC-001'],
      best: { score: 50, output: { ...before, cases: before.cases.slice(1).map((each, index) => ({ ...each, id: `TC-00${index + 1}` })) } },
    };
    const after = ask([task(requirement), `<correction>${JSON.stringify(correction)}</correction>\nYour last output did not pass.`]);
    expect(after.cases.slice(0, -1)).toEqual(correction.best.output.cases);
    expect(after.cases.at(-1)).toMatchObject({ id: `TC-00${after.cases.length}`, covers: ['A name must be short.'] });
  });
});
