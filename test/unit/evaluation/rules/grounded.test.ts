import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EvaluationContext, Judgement } from '../../../../src/evaluation/define-evaluator.ts';
import { grounded, type GroundedOptions } from '../../../../src/evaluation/rules/index.ts';
import { readHan } from '../../../../src/evaluation/rules/number-words.ts';
import { callOf, contextOf } from '../context.ts';

const RESULT = {
  orderId: 'A001',
  status: 'in_transit',
  totalMinor: 129_900,
  total: '1299.00',
  currency: 'CNY',
  items: [
    { name: '电热水壶', quantity: 2, sku: 'SKU-KETTLE' },
    { name: 'Laptop 14"', quantity: 1, sku: 'SKU-L' },
  ],
  shippedAt: '2026-11-03T08:30:00.000Z',
  deliveryEstimate: '2026-11-12',
  carrier: 'SF Express',
  trackingNumber: 'SF1398720011',
  refundDays: 7,
  discount: 0.125,
  hotline: '400-800-1234',
  weight: 3.5,
};
const STATUSES = { in_transit: ['运输中', 'in transit'], delivered: ['已签收', 'delivered'], waiting_to_ship: ['待发货', 'waiting to ship'], shipped: ['发货'] };

const judge = (text: string, options: GroundedOptions = {}, change: Partial<EvaluationContext> = {}) =>
  grounded({ statuses: STATUSES, ...options }).evaluate(
    contextOf(text, { input: { message: '我的订单 A009 三周了，付了 88 元' }, calls: [callOf('get_order', RESULT)], ...change }),
  ) as Judgement;
const wrong = (text: string, options?: GroundedOptions, change?: Partial<EvaluationContext>) => judge(text, options, change).issues.map(({ subject }) => subject);

describe('values with a source, in whatever form', () => {
  test.each([
    'Order A001 is in transit.',
    '订单 a001 运输中',
    '订单Ａ００１运输中',
    'It costs 1299 yuan.',
    '共 1,299.00 元',
    '￥1299',
    '¥1,299',
    '１２９９元',
    'CNY 1299.00',
    '一千二百九十九元',
    '0.1299万元',
    '11月3日已寄出',
    '2026年11月3日',
    '2026-11-03',
    '2026/11/3',
    'November 3, 2026',
    '3 November',
    'Nov 3rd',
    '十一月三日',
    '二〇二六年十一月十二日',
    '11月12号送到',
    '12日送到',
    '11月送到',
    '11/12/2026',
    '12/11/2026',
    '8:30 寄出',
    '七天内退款',
    '7 天内退款',
    '7个工作日',
    'within seven days',
    'within 7 business days',
    '两件商品',
    '2 items',
    '12.5%',
    '百分之十二点五',
    '12.5 percent',
    '13%',
    '3.5kg',
    '3.5 公斤',
    '400-800-1234',
    '快递单号 SF1398720011',
    'SKU-KETTLE',
    'Laptop 14"',
    '订单 A009',
    '88 元',
    '三周',
    '您说三周了',
    '两种商品中的 2 种',
  ])('%o', (text) => {
    expect(wrong(text)).toEqual([]);
  });
});

describe('values without one', () => {
  test.each([
    ['订单 A002 运输中', ['A002']],
    ['A0012', ['A0012']],
    ['A00', ['A00']],
    ['共 1298 元', ['1298']],
    ['共 12,990 元', ['12,990']],
    ['１２９８元', ['1298']],
    ['一千二百九十八元', ['一千二百九十八']],
    ['11月4日', ['11月4日']],
    ['2025年11月3日', ['2025年11月3日']],
    ['2026-11-04', ['2026-11-04']],
    ['December 3', ['December 3']],
    ['十二月三日', ['十二月三日']],
    ['9:30', ['9:30']],
    ['五天内退款', ['五']],
    ['within four days', ['four']],
    ['within 24 hours', ['24']],
    ['15%', ['15%']],
    ['百分之十五', ['百分之十五']],
    ['400-800-9999', ['400-800-9999']],
    ['SF1398720012', ['SF1398720012']],
    ['已签收', ['delivered']],
    ['It was delivered.', ['delivered']],
    ['https://refund.example.com/x', ['https://refund.example.com/x']],
    ['ask help@example.com', ['help@example.com']],
    ['运输中，还有 4 件', ['4']],
    ['1.2.3 版', ['1.2.3']],
    ['十分钟', ['十']],
  ])('%o: %o', (text, subjects) => {
    expect(wrong(text)).toEqual(subjects);
  });
  test('say where, and what the sources have instead', () => {
    const [issue] = judge('您好，订单 A001 将于 11月5日 送达。').issues;
    expect(issue).toMatchObject({ type: 'ungrounded_date', severity: 'high', subject: '11月5日', evidence: '您好，订单 A001 将于 11月5日 送达。' });
    expect(issue?.fix).toContain('2026-11-12');
    expect(judge('A001 与 A002').score).toBe(50);
    expect(judge('A001 与 A002').keep).toEqual(['A001']);
  });
});

describe('what is no value', () => {
  test.each([
    '1. 拒收包裹\n2. 退货',
    '1) refuse it\n2) return it',
    '（1）拒收\n（2）退货',
    '您可以：1、拒收；2、退货',
    '第1步，第 2 步',
    'Step 3: wait. Option 4.',
    '①拒收 ②退货',
    '请回复 1 或 2。',
    'Reply 1 or 2, or choose "4".',
    '- 5. nested',
    '第一，第二天',
    '一次性、统一、万一、十分感谢、一下、千万不要、一个办法',
    '星期三、周五',
    'the 1st and 2nd try',
    'one of them',
    'COVID',
    '',
  ])('%o', (text) => {
    expect(wrong(text)).toEqual([]);
  });
  test.each([
    ['1.5 元', ['1.5']],
    ['2026年3月', ['2026年3月']],
    ['1、5 件', ['5']],
    ['合计：4 元', ['4']],
    ['请选择 4 件', ['4']],
    ['回复 15 元', ['15']],
  ])('but %o has %o', (text, subjects) => {
    expect(wrong(text)).toEqual(subjects);
  });
});

describe('sources', () => {
  test('are never what the model wrote: arguments, failed calls, other words', () => {
    const calls = [callOf('refund', null, { status: 'failure', arguments: { amount: 777 }, reason: 'no order A777' })];
    expect(wrong('A777 for 777', {}, { calls })).toEqual(['A777', '777']);
  });
  test('minor units count only where the agent says so', () => {
    expect(wrong('12.99', { scales: [1] })).toEqual(['12.99']);
    expect(wrong('共 1299 元', { scales: [1, 0.01] }, { calls: [callOf('x', { minor: 129_900 })] })).toEqual([]);
  });
  test('allowed values, own id forms, chosen fields', () => {
    expect(wrong('拨打 95588，24 小时', { allow: ['95588', 24] })).toEqual([]);
    expect(wrong('工单 №17-В', { ids: [/№[\p{L}\d-]+/u] })).toHaveLength(1);
    expect(wrong('999 A777', { fields: ['reply'] }, { output: { reply: 'A001', note: '999' } })).toEqual([]);
    expect(wrong('A001', { fields: ['reply'] }, { output: { reply: '999', note: 'x' } })).toEqual(['999']);
  });
  test('how many there are is known', () => {
    expect(wrong('您有 3 个订单', {}, { calls: [callOf('list', { orders: ['A', 'B', 'C'] })] })).toEqual([]);
    expect(wrong('您有 4 个订单', {}, { calls: [callOf('list', { orders: ['A', 'B', 'C'] })] })).toEqual(['4']);
  });
  test('the longest status word wins', () => {
    expect(wrong('待发货', {}, { calls: [callOf('x', { status: 'waiting_to_ship' })], input: '' })).toEqual([]);
  });
});

test.each([
  ['三', 3],
  ['十', 10],
  ['十五', 15],
  ['二十', 20],
  ['二百九十九', 299],
  ['两百', 200],
  ['三百五', 350],
  ['三百零五', 305],
  ['一千零五', 1005],
  ['三万五', 35_000],
  ['一亿二千万', 120_000_000],
  ['二〇二六', 2026],
  ['一点五', 1.5],
  ['十万', 100_000],
])('%s is %d', (text, value) => {
  expect(readHan(text)).toBe(value);
});

test('property: never throws, and a text made of what the tools returned is grounded', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const judgement = judge(text);
      expect(judgement.evidence).not.toBe('');
    }),
    { numRuns: 300 },
  );
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10_000_000 }), fc.constantFrom('共 # 元', '#元', 'costs # yuan', '¥#', '（#）件'), (number, template) => {
      const calls = [callOf('x', { number })];
      for (const form of [String(number), number.toLocaleString('en'), number.toFixed(2)]) expect(wrong(template.replace('#', form), {}, { calls })).toEqual([]);
    }),
    { numRuns: 200 },
  );
});

test('a long text takes no time', () => {
  const started = performance.now();
  judge('订单 A001 共 1299 元，11月3日寄出。'.repeat(2_000));
  judge('1,'.repeat(20_000));
  judge('一二三'.repeat(20_000));
  judge('a-1'.repeat(20_000));
  expect(performance.now() - started).toBeLessThan(5_000);
});
