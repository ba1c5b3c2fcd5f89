import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { TestCase } from '../../../src/agents/test-cases/schemas.ts';
import type { Outcome } from '../../../src/contracts/outcome.ts';
import { requirementsDataset } from '../../../src/datasets/requirements.ts';
import { runDataset } from '../../../src/datasets/run-dataset.ts';
import { sandboxPort } from '../agents/test-cases/sandbox-port.ts';

const file = new URL('../../../../shared/cases/requirements.json', import.meta.url);
const cases = existsSync(file) ? requirementsDataset.read(readFileSync(file, 'utf8')) : [];
const luhn = cases.find(({ id }) => id === 'luhn');

type Made = Pick<TestCase, 'data' | 'expected' | 'covers'>;
const made = (value: string, expected: string, ...covers: string[]): Made => ({ data: JSON.stringify({ property: 'valid', input: { value } }), expected, covers });

async function figuresFor(given: Made[]) {
  const output = {
    subject: 's',
    format: 'markdown',
    cases: given.map((each, index) => ({ id: `TC-00${index + 1}`, title: `t${index}`, preconditions: '', steps: ['s'], ...each })),
  };
  const outcome = { outcome: 'passed', score: 90, attempts: [{}], output, usage: { inputTokens: 1, outputTokens: 1, costMicros: 1 } } as unknown as Outcome;
  const { total } = await requirementsDataset.figures([{ case: luhn!, taskId: 't', outcome, error: null }], { sandbox: sandboxPort('auto') });
  return total;
}

describe.skipIf(!luhn)('figures of the requirements dataset', () => {
  it('an agent is never shown the canonical cases', () => {
    expect(Object.keys(luhn!.input as object)).toEqual(['requirement', 'coveragePoints']);
    expect(JSON.stringify(cases.map(({ input }) => input))).not.toContain('"expected"');
  });

  it('a right pair for the point counts', async () => {
    expect(await figuresFor([made('055 444 285', 'true', 'a valid Canadian SIN')])).toMatchObject({
      points: 22,
      claimed: 1,
      covered: 1,
      pairs: 1,
      confirmed: 1,
      confirmedPercent: 100,
    });
  });

  it('a claim with a wrong result, or with a right result of another sort, covers nothing', async () => {
    expect(await figuresFor([made('055 444 285', 'false', 'a valid Canadian SIN')])).toMatchObject({ claimed: 1, covered: 0, confirmed: 0, confirmedPercent: 0 });
    expect(await figuresFor([made('055 444 286', 'false', 'a valid Canadian SIN')])).toMatchObject({ claimed: 1, covered: 0, confirmed: 1 });
  });

  it('no output, no coverage', async () => {
    const { total, cases: rows } = await requirementsDataset.figures([{ case: luhn!, taskId: 't', outcome: null, error: 'the worker was away' }], { sandbox: sandboxPort('auto') });
    expect(total).toMatchObject({ points: 22, covered: 0, coveragePercent: 0, pairs: 0, confirmedPercent: null });
    expect(rows).toMatchObject([{ case: 'luhn', outcome: 'the worker was away' }]);
  });

  it('a requirement without an implementation is held to its canonical pairs', async () => {
    const unknown = { ...luhn!, reference: { ...luhn!.reference, requirement: 'Something else.' } };
    const output = {
      subject: 's',
      format: 'markdown',
      cases: [{ id: 'TC-001', title: 't', preconditions: '', steps: ['s'], data: '{"input":{"value":"059"},"property":"valid"}', expected: 'true', covers: [] }],
    };
    const outcome = { outcome: 'passed', score: 1, attempts: [], output, usage: { inputTokens: 0, outputTokens: 0, costMicros: 0 } } as unknown as Outcome;
    expect((await requirementsDataset.figures([{ case: unknown, taskId: 't', outcome, error: null }], { sandbox: sandboxPort('auto') })).cases).toMatchObject([
      { reference: 'canonical pairs', confirmed: 1 },
    ]);
  });
});

it('a file of another form is refused with what is wrong', () => {
  expect(() => requirementsDataset.read('{"items": [{"id": "x"}]}')).toThrow('requirement_md');
});

it('runs every case, in order, though one fails', async () => {
  const dataset = { ...requirementsDataset, name: 'd' };
  const three = ['a', 'b', 'c'].map((id) => ({ id, input: id, reference: null as never }));
  const results = await runDataset({
    dataset,
    cases: three,
    suffix: '-1',
    start: async (_agent, input, taskId) => {
      if (input === 'b') throw new Error('no');
      return { taskId } as Outcome;
    },
  });
  expect(results.map(({ taskId, outcome, error }) => [taskId, outcome === null, error])).toEqual([
    ['d-a-1', false, null],
    ['d-b-1', true, 'no'],
    ['d-c-1', false, null],
  ]);
});
