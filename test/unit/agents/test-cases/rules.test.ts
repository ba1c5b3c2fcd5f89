import { describe, expect, it } from 'vitest';
import { boundariesOf, boundaryValues } from '../../../../src/agents/test-cases/evaluators/boundary-values.ts';
import { caseFormat } from '../../../../src/agents/test-cases/evaluators/case-format.ts';
import { requirementMentioned } from '../../../../src/agents/test-cases/evaluators/requirement-mentioned.ts';
import { judge, output, REQUIREMENT, testCase } from './evaluate.ts';

const values = (...data: unknown[]) => output(...data.map((each) => ({ data: JSON.stringify(each) })));
const missing = async (...data: unknown[]): Promise<string[]> =>
  (await judge(boundaryValues, values({ name: 'abc' }, { name: 'def' }, ...data))).issues.map(({ subject }) => subject!);

describe('boundary values', () => {
  it('belong to the requirement', () => {
    expect(boundariesOf(REQUIREMENT)).toEqual(['empty', 'negative', 'maximum', 'wrong_type', 'permission']);
    expect(boundariesOf('A tag must begin with a letter.')).toEqual(['empty', 'maximum', 'wrong_type']);
    expect(boundariesOf('只有管理员可以删除文档。')).toEqual(['empty', 'maximum', 'wrong_type', 'permission']);
  });

  it.each<[string, unknown]>([
    ['empty', { name: '' }],
    ['empty', { name: '  ' }],
    ['empty', { name: null }],
    ['empty', { names: [] }],
    ['negative', { name: 'x', nth: -1 }],
    ['negative', { name: '-7' }],
    ['maximum', { name: 'twelve chars' }],
    ['maximum', { name: 'x'.repeat(40) }],
    ['maximum', { name: 'x', nth: 1_000_000 }],
    ['wrong_type', { name: 7 }],
    ['wrong_type', { name: ['abc'] }],
  ])('%s is in %j', async (boundary, data) => {
    expect(await missing()).toContain(boundary);
    expect(await missing(data)).not.toContain(boundary);
  });

  it('letters among digits are another type', async () => {
    const numbers = output(...['055 444', '055 445', '055-446'].map((value) => ({ data: JSON.stringify({ value }) })), { data: '{"value":"055a444"}' });
    expect((await judge(boundaryValues, numbers)).issues.map(({ subject }) => subject)).not.toContain('wrong_type');
  });

  it('permission needs an actor in the data and a refusal in the result', async () => {
    const of = async (data: unknown, expected: string) => (await judge(boundaryValues, output({ data: JSON.stringify(data), expected }))).issues.map(({ subject }) => subject);
    expect(await of({ name: 'abc', role: 'guest' }, 'refused: permission denied')).not.toContain('permission');
    expect(await of({ name: 'abc', role: 'guest' }, 'renamed')).toContain('permission');
    expect(await of({ name: 'abc' }, 'refused: permission denied')).toContain('permission');
  });

  it('echoing the issues in titles, steps, covers or as a description earns nothing', async () => {
    const bare = await judge(boundaryValues, output({}, {}));
    const words = bare.issues.map(({ message, fix }) => `${message} ${fix}`);
    const echoed = await judge(
      boundaryValues,
      output({ title: words.join(' ').slice(0, 300), steps: words, covers: words, preconditions: words.join(' ') }, { data: JSON.stringify({ name: 'a value that is empty' }) }),
    );
    expect(echoed.score).toBe(bare.score);
    expect(bare.score).toBe(0);
  });

  it('scores by share, with one issue for each that is missing', async () => {
    const { score, issues, passed } = await judge(boundaryValues, values({ name: 'abc' }, { name: 'def' }, { name: '' }, { name: 'x', nth: -1 }));
    expect([score, passed, issues.map(({ type, subject }) => `${type} ${subject}`)]).toEqual([40, false, ['boundary maximum', 'boundary wrong_type', 'boundary permission']]);
  });
});

describe('case format', () => {
  const issuesOf = async (given: Parameters<typeof judge>[1], more: Parameters<typeof judge>[2] = {}) =>
    (await judge(caseFormat, given, more)).issues.map(({ type, subject }) => `${type} ${subject}`);

  it('is all or nothing', async () => {
    expect(await judge(caseFormat, output({}, {}))).toMatchObject({ passed: true, score: 100, issues: [] });
    expect(await judge(caseFormat, output({}, { id: 'TC-003' }))).toMatchObject({ passed: false, score: 0 });
  });

  it('finds what is misnumbered, empty, twice there or in another format', async () => {
    expect(await issuesOf(output({ id: 'TC-000' }))).toEqual(['format numbering']);
    expect(await issuesOf(output({ steps: [] }, { expected: ' ' }))).toEqual(['format TC-001', 'format TC-002']);
    expect(await issuesOf(output({ title: 'Same thing' }, { title: 'same  thing' }))).toEqual(['duplicate TC-002']);
    expect(await issuesOf(output({ data: '{"a": 1, "b": 2}' }, { data: '{"b":2,"a":1}' }))).toEqual(['duplicate TC-002']);
    expect(await issuesOf(output({ data: '{"a": 1}' }, { data: '{"a":1}', preconditions: 'after a restart' }))).toEqual([]);
    expect(await issuesOf(output({}), { input: { format: 'gherkin' } })).toEqual(['format format']);
  });

  it('a kept case that changed, moved or went is an issue of its own; new ones and those to change are free', async () => {
    const before = output({}, {}, {});
    const [first, second, third] = before.cases as [(typeof before.cases)[0], (typeof before.cases)[0], (typeof before.cases)[0]];
    const after = (...cases: typeof before.cases) => ({ ...before, cases });
    const keep = { keep: ['TC-001', 'TC-002', 'the words of a judge'] };
    expect(await issuesOf(after(first, second, { ...third, expected: 'refused' }, testCase({ id: 'TC-004' })), { previous: before, correction: keep })).toEqual([]);
    expect(await issuesOf(after(first, { ...second, title: `${second.title}.` }, third), { previous: before, correction: keep })).toEqual(['kept_case_changed TC-002']);
    expect(await issuesOf(after(first), { previous: before, correction: keep })).toEqual(['kept_case_changed TC-002']);
    expect(await issuesOf(after(first, { ...second, title: 'free' }, third), { previous: before, correction: { keep: ['TC-001'] } })).toEqual([]);
  });
});

describe('requirement mentioned', () => {
  it("counts the requirement's own words, and says which cases can stay", async () => {
    const good = await judge(requirementMentioned, output({ title: 'rename a folder to another name' }, { id: 'TC-009' }));
    expect(good).toMatchObject({ passed: true, score: 100, keep: ['TC-001'] });
    const elsewhere = await judge(requirementMentioned, output({ title: 'pay an invoice', steps: ['pay it'], data: '{"amount": 5}' }));
    expect(elsewhere).toMatchObject({ passed: false, score: 0, issues: [expect.objectContaining({ type: 'requirement' })] });
  });
});
