import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { weeklyReportAgent } from '../../../../src/agents/weekly-report/agent.ts';
import type { WeeklyReportInput, WeeklyReportOutput } from '../../../../src/agents/weekly-report/schemas.ts';
import { combineVerdicts } from '../../../../src/policy/score.ts';
import { EN, judgeByRules, rightReport, ZH } from './report.ts';

const NOT_GIVEN = { language: 'en', intent: 'weekly_report', emotion: null, entities: {}, missing: [] };

describe('deductions from 100', () => {
  const long = (input: WeeklyReportInput): WeeklyReportInput => ({ ...input, workItems: Array.from({ length: 6 }, (_, index) => `${input.workItems[0]} ${'ABCDEF'[index]}`) });
  it.each<[string, Partial<WeeklyReportOutput>, number, string[]]>([
    ['nothing wrong', {}, 100, []],
    ['missing title', { title: '本周' }, 70, ['title']],
    ['missing metrics', { keyMetrics: '' }, 60, ['key_metrics']],
    ['one metric missing', { keyMetrics: '关键指标：订单量 1280' }, 60, ['key_metrics']],
    ['missing title and metrics', { title: '汇报', keyMetrics: '' }, 30, ['title', 'key_metrics']],
  ])('%s', async (_name, change, score, failed) => {
    expect(await judgeByRules(ZH, change)).toMatchObject({ score, failed, passed: failed.length === 0 });
  });
  it.each([ZH, EN])('too long', async (input) => {
    expect(await judgeByRules(long(input))).toMatchObject({ score: 90, failed: ['at_most_8_lines'], passed: false });
    const [first = '', ...rest] = long(input).workItems;
    expect(await judgeByRules(long(input), { items: [`${first}; ${rest[0]}`, ...rest.slice(1)] })).toMatchObject({ score: 100, passed: true });
  });
  it('counts lines of text wherever they break, and no blank ones', async () => {
    expect(await judgeByRules(EN, { plan: 'Plan:\n\n\ngo on\n \nwith it' })).toMatchObject({ score: 100 });
    expect(await judgeByRules(EN, { plan: 'Plan:\na\nb\nc\nd' })).toMatchObject({ score: 90 });
  });
  it('is 60% rules and 40% judge once the rules pass', () => {
    const verdicts = (judge: number) =>
      weeklyReportAgent.evaluators
        .filter(({ kind }) => kind !== 'human')
        .map(({ name, kind, hard, weight }) => ({
          evaluator: name,
          kind,
          hard,
          weight,
          status: 'judged' as const,
          passed: true,
          score: kind === 'model' ? judge : 100,
          issues: [],
          keep: [],
          evidence: 'x',
        }));
    expect(combineVerdicts(verdicts(100), 80)).toMatchObject({ score: 100, passed: true });
    expect(combineVerdicts(verdicts(50), 80)).toMatchObject({ score: 80, passed: true });
    expect(combineVerdicts(verdicts(49), 80)).toMatchObject({ score: 79.6, passed: false });
    expect(combineVerdicts(verdicts(0), 80)).toMatchObject({ score: 60, passed: false });
  });
});

describe('corrections name the right line', () => {
  it.each([
    [ZH, { keyMetrics: '' }, 'Write the line: 关键指标：订单量 1280；转化率 3.2%'],
    [EN, { keyMetrics: 'Numbers: 1280' }, 'Write the line: Key metrics: Orders 1280; Conversion 3.2%'],
    [EN, { title: 'Status' }, 'Write the title: Weekly report: 2026-W48'],
    [EN, { items: ['Shipped the search page'] }, 'Write "Fixed 3 payment bugs" in these words.'],
    [ZH, { plan: '下周计划：完成 12 项' }, 'Leave "12" out'],
  ] as const)('%#', async (input, change, fix) => {
    const { verdicts } = await judgeByRules(input, change as Partial<WeeklyReportOutput>);
    expect(verdicts.flatMap(({ issues }) => issues.map((issue) => issue.fix)).join('\n')).toContain(fix);
  });
  it('and what to keep', async () => {
    const { verdicts } = await judgeByRules(ZH, { title: '本周' });
    expect(verdicts.flatMap(({ keep }) => keep)).toEqual(expect.arrayContaining(['关键指标：订单量 1280；转化率 3.2%', ...ZH.workItems]));
  });
});

describe('key metrics', () => {
  const line = async (keyMetrics: string, metrics: NonNullable<WeeklyReportInput['metrics']>) =>
    (await judgeByRules({ ...EN, metrics }, { keyMetrics })).failed.includes('key_metrics');
  it.each<[string, NonNullable<WeeklyReportInput['metrics']>]>([
    ['Key metrics: Orders 1,280', { Orders: 1280 }],
    ['KEY METRICS - orders: 1280.', { Orders: 1280 }],
    ['Key metrics: orders = 1280 (final)', { Orders: '1,280' }],
    ['Key metrics: rate 3.2 %', { Rate: '3.2%' }],
    ['Key metrics: change -5', { Change: -5 }],
    ['Key metrics: satisfaction good; mood better', { Satisfaction: 'good', Mood: 'better' }],
    ['Key metrics: orders growth 5%; orders 7', { Orders: 7, 'Orders growth': '5%' }],
    ['Ｋｅｙ ｍｅｔｒｉｃｓ：Orders １２８０', { Orders: 1280 }],
    ['Key metrics: C++ builds 4; (a|b) 5', { 'C++ builds': 4, '(a|b)': 5 }],
    ['Key metrics: budget $1,000', { Budget: '$1,000' }],
  ])('%s', async (keyMetrics, metrics) => {
    expect(await line(keyMetrics, metrics)).toBe(false);
  });
  it.each<[string, string, NonNullable<WeeklyReportInput['metrics']>]>([
    ['the name is missing', 'Key metrics: 1280', { Orders: 1280 }],
    ['another number', 'Key metrics: Orders 12800', { Orders: 1280 }],
    ['a part of a number', 'Key metrics: Orders 5.5', { Orders: 5 }],
    ['the sign is lost', 'Key metrics: change 5', { Change: -5 }],
    ['a sign is added', 'Key metrics: change -5', { Change: 5 }],
    ['values swapped', 'Key metrics: A 2; B 1', { A: 1, B: 2 }],
    ['a percentage for a number', 'Key metrics: Orders 5%', { Orders: 5 }],
    ['only the longer name', 'Key metrics: Orders growth 5%', { Orders: '5%', 'Orders growth': '5%' }],
    ['not provided although it was', 'Key metrics: not provided', { Orders: 5 }],
  ])('%s', async (_name, keyMetrics, metrics) => {
    expect(await line(keyMetrics, metrics)).toBe(true);
  });
  it.each([
    [ZH, '关键指标：未提供', true],
    [EN, 'Key metrics: not provided', true],
    [ZH, '关键指标：', false],
    [EN, '', false],
    [EN, 'not provided', false],
  ] as const)('none given: %#', async ({ metrics: _none, ...input }, keyMetrics, passes) => {
    expect((await judgeByRules(input, { keyMetrics }, { perception: NOT_GIVEN })).failed.includes('key_metrics')).toBe(!passes);
  });
  it('takes those that a person answered with', async () => {
    const { metrics: _none, ...input } = EN;
    const perception = { ...NOT_GIVEN, entities: { Orders: '77' } };
    expect((await judgeByRules(input, { keyMetrics: 'Key metrics: Orders 77' }, { perception })).failed).toEqual([]);
    expect((await judgeByRules(input, { keyMetrics: 'Key metrics: not provided' }, { perception })).failed).toEqual(['key_metrics']);
  });
});

/** Digits and letters of one kind each, so that the test knows which numbers were given. */
const word = fc.stringMatching(/^[a-z]{3,10}$/).filter((text) => !/^(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|.*teen|.*ty)$/.test(text) && text !== 'key');
const number = fc.oneof(
  fc.integer({ min: 0, max: 9_999_999 }),
  fc.integer({ min: 1, max: 99_999 }).map((cents) => cents / 100),
);
const input = fc
  .record({
    workItems: fc.uniqueArray(
      fc.tuple(word, word, number).map(([verb, noun, count]) => `${verb} ${count} ${noun}`),
      { minLength: 1, maxLength: 5 },
    ),
    metrics: fc.dictionary(
      word.map((name) => `metric ${name}`),
      fc.oneof(
        number,
        number.map((value) => `${value}%`),
        word,
      ),
      { minKeys: 1, maxKeys: 5, noNullPrototype: true },
    ),
    week: fc.option(
      fc.integer({ min: 1, max: 53 }).map((week) => `2026-W${week}`),
      { nil: undefined },
    ),
    language: fc.constantFrom('zh' as const, 'en' as const),
  })
  .map(({ week, ...rest }): WeeklyReportInput => ({ ...rest, ...(week === undefined ? {} : { week }) }));
const givenNumbers = ({ workItems, metrics = {}, week = '' }: WeeklyReportInput): number[] =>
  [...workItems, ...Object.entries(metrics).flat().map(String), week].flatMap((text) => text.match(/\d+(?:\.\d+)?/g) ?? []).map(Number);

describe('numbers', () => {
  it('that were given never fail a right report', async () => {
    await fc.assert(
      fc.asyncProperty(input, async (given) => {
        expect((await judgeByRules(given)).failed).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
  it('that nobody gave are always caught, in every part and form', async () => {
    const forms = [
      (n: number) => `${n}`,
      (n: number) => n.toLocaleString('en-US'),
      (n: number) => `${n}%`,
      (n: number) => `（${n}）`,
      (n: number) => `${n}、`,
      (n: number) => `${n}. next`,
      (n: number) => `${n} 个`,
      (n: number) => `up ${n} points`,
    ];
    await fc.assert(
      fc.asyncProperty(
        input,
        fc.integer({ min: 1, max: 9_999_999 }),
        fc.constantFrom(...forms),
        fc.constantFrom('title', 'items', 'keyMetrics', 'plan'),
        async (given, invented, form, part) => {
          const known = givenNumbers(given);
          // a share may be said of a fraction: 0.07 is 7%
          fc.pre(!known.some((each) => each === invented || Math.round(each * 100) === invented));
          const right = rightReport(given);
          const added = ` ${form(invented)}`;
          const change = part === 'items' ? { items: right.items.map((line, index) => (index === 0 ? line + added : line)) } : { [part]: `${right[part as 'title']}${added}` };
          expect((await judgeByRules(given, change)).failed).toContain('no_invented_numbers');
        },
      ),
      { numRuns: 300 },
    );
  });
  it.each(['完成 12 项', '完成十二个需求', '接待三家客户', 'twelve bugs fixed', 'closed two tickets', '环比增长 18%', '增长百分之十八', '12 月上线', '1. 登录', '2、修复'])(
    '%s',
    async (plan) => {
      expect((await judgeByRules({ ...EN, workItems: ['Shipped it'], metrics: { Mood: 'good' } }, { plan })).failed).toEqual(['no_invented_numbers']);
    },
  );
  it('does not know how many items there are, unless somebody said so', async () => {
    expect((await judgeByRules(ZH, { plan: '下周计划：推进 2 项工作' })).failed).toEqual(['no_invented_numbers']);
  });
  it.each(['统一口径，十分重要', 'one of them goes on', '万一失败，再试一次', 'the first and second draft'])('%s is none', async (plan) => {
    expect((await judgeByRules(EN, { plan })).failed).toEqual([]);
  });
});

describe('work items', () => {
  it('are found whatever case, width and space, also several on a line', async () => {
    expect((await judgeByRules(EN, { items: ['SHIPPED the  search page；fixed ３ payment bugs.'] })).failed).toEqual([]);
  });
  it('must stand among the items, all of them', async () => {
    expect(await judgeByRules(EN, { items: ['Fixed 3 payment bugs'] })).toMatchObject({ failed: ['work_items'], types: ['missing_part'], score: 95 });
    expect((await judgeByRules(EN, { items: ['Fixed 3 payment bugs'], plan: 'Plan: Shipped the search page' })).failed).toEqual(['work_items']);
  });
});
