import { describe, expect, it } from 'vitest';
import { coverage, readPoints } from '../../../../src/agents/test-cases/evaluators/coverage.ts';
import { pointsOf } from '../../../../src/agents/test-cases/requirement-text.ts';
import { JudgeFailure } from '../../../../src/evaluation/define-evaluator.ts';
import { judge, output, REQUIREMENT } from './evaluate.ts';

const CASES = output({ title: 'A name of 13 characters is refused', covers: ['claimed only'] }, { title: 'A second folder <b>Same</b> is refused' });
const row = (more: object = {}) => ({ point: 1, caseId: 'TC-001', quote: 'A name of 13 characters is refused', reason: 'it is too long', covered: true, ...more });
const read = (...rows: object[]) =>
  readPoints(
    { points: rows },
    rows.map((_, index) => `point ${index + 1}`),
    CASES,
  );

describe('coverage, point by point', () => {
  it('takes a quote that stands in the case that it names', () => {
    expect(read(row(), row({ point: 2, caseId: 'TC-002', quote: 'folder &lt;b&gt;Same&lt;/b&gt; is' }))).toMatchObject([
      { point: 'point 1', covered: true },
      { point: 'point 2', covered: true },
    ]);
  });

  it.each<[string, object, string]>([
    ['a quote of another case', { caseId: 'TC-002' }, 'is not in TC-002'],
    ['a made-up quote', { quote: 'A name of 14 characters' }, 'is not in TC-001'],
    ['no quote', { quote: ' – ' }, 'nothing is quoted'],
    ['what the case only claims', { quote: 'claimed only' }, 'is not in TC-001'],
    ['a case that is not there', { caseId: 'TC-007' }, 'there is no case'],
    ['another point', { point: 2 }, ''],
  ])('refuses %s', (_what, more, why) => expect(read(row(more))).toContain(why));

  it('asks again with what was wrong, then fails as a judge; the output gets no score of 0', async () => {
    const asked: string[] = [];
    const lying = judge(coverage, CASES, {
      input: { coveragePoints: ['a point'] },
      judge: async ({ user }) => {
        asked.push(user);
        return { ok: true, value: { points: [row({ quote: 'made up' })] }, raw: '' };
      },
    });
    await expect(lying).rejects.toThrow(JudgeFailure);
    expect(asked).toHaveLength(2);
    expect(asked[1]).toContain('is not in TC-001');
    expect(asked[0]).not.toContain('claimed only');
  });

  it('scores the share of points and names the open ones', async () => {
    const value = { points: [row(), row({ point: 2, covered: false, caseId: '', quote: '', reason: 'nobody renames without permission' })] };
    expect(await judge(coverage, CASES, { input: { coveragePoints: ['length', 'permission'] }, judge: async () => ({ ok: true, value, raw: '' }) })).toMatchObject({
      passed: false,
      score: 50,
      issues: [{ type: 'coverage', subject: 'permission', message: 'No case covers "permission".' }],
    });
  });
});

describe('points of a requirement', () => {
  it('are those given, else the sentences that state a rule', () => {
    expect(pointsOf({ requirement: REQUIREMENT, coveragePoints: ['b', 'a', 'b'] })).toEqual(['b', 'a']);
    expect(pointsOf({ requirement: REQUIREMENT })).toEqual([
      'A folder name must have at most 12 characters.',
      'Only roles with permission may rename a folder.',
      'Two folders must not share a name.',
    ]);
    expect(pointsOf({ requirement: '# Title\n\n成员可以改名。\n- 名称不能重复\n- 说明文字' })).toEqual(['成员可以改名。', '名称不能重复']);
    expect(pointsOf({ requirement: 'It prints a line.' })).toEqual(['It prints a line.']);
  });
});
