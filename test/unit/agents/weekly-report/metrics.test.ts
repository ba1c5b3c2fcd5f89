import { describe, expect, it } from 'vitest';
import { metricsIn } from '../../../../src/agents/weekly-report/metrics.ts';
import { weeklyReportPerceive } from '../../../../src/agents/weekly-report/perceive.ts';
import { weeklyReportInputSchema } from '../../../../src/agents/weekly-report/schemas.ts';

describe('metrics in an answer', () => {
  it.each<[string, [string, string][]]>([
    [
      '订单量 1280，转化率：3.2%。',
      [
        ['订单量', '1280'],
        ['转化率', '3.2%'],
      ],
    ],
    [
      '订单量1280、客诉3',
      [
        ['订单量', '1280'],
        ['客诉', '3'],
      ],
    ],
    [
      'orders 1,280, conversion rate: 3.2%',
      [
        ['orders', '1,280'],
        ['conversion rate', '3.2%'],
      ],
    ],
    [
      'Orders = 5; satisfaction: good\nchange -4',
      [
        ['Orders', '5'],
        ['satisfaction', 'good'],
        ['change', '-4'],
      ],
    ],
    ['p95 latency 120 ms', [['p95 latency', '120 ms']]],
    ['日活为5600', [['日活', '5600']]],
    [
      'budget $1,000,000, cost 5',
      [
        ['budget', '$1,000,000'],
        ['cost', '5'],
      ],
    ],
    ['没有', []],
    ['none', []],
    ['', []],
    [' , ;; ', []],
  ])('%s', (answer, metrics) => {
    expect(metricsIn(answer)).toEqual(metrics);
  });
});

describe('perceive, without a model', () => {
  const read = (input: object, answers: string[] = []) => {
    const parsed = weeklyReportInputSchema.parse({ workItems: ['x'], language: 'zh', ...input });
    const perception = { language: 'zh', missing: [], ...weeklyReportPerceive.understand!(parsed, answers, []) };
    return { entities: perception.entities, missing: weeklyReportPerceive.missing(perception, parsed, answers, []) };
  };
  it('asks for metrics when there are none, in the language of the report', () => {
    expect(read({}).missing).toMatchObject([{ field: 'metrics', onTimeout: 'continue', question: expect.stringContaining('关键指标') }]);
    expect(read({ metrics: {}, language: 'en' }).missing).toMatchObject([{ question: expect.stringContaining('key metrics') }]);
    expect(read({ metrics: { 日活: 1 } })).toEqual({ entities: {}, missing: [] });
  });
  it('asks once: an answer without metrics means that there are none', () => {
    expect(read({}, ['日活 5600'])).toEqual({ entities: { 日活: '5600' }, missing: [] });
    expect(read({}, ['没有'])).toEqual({ entities: {}, missing: [] });
  });
});

describe('input', () => {
  it.each([
    { workItems: [] },
    { workItems: [' '] },
    { workItems: ['x'], language: 'fr' },
    { workItems: ['x'], language: 'zh', metrics: { a: true } },
    { workItems: ['x'], language: 'zh', other: 1 },
    { workItems: 'x', language: 'zh' },
  ])('%o is refused', (value) => {
    expect(weeklyReportInputSchema.safeParse({ language: 'en', ...value }).success).toBe(false);
  });
});
