import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Evaluator, Judgement } from '../../../../src/evaluation/define-evaluator.ts';
import * as rules from '../../../../src/evaluation/rules/index.ts';
import { contextOf } from '../context.ts';

const judge = (evaluator: Evaluator, text: string, output?: unknown) => evaluator.evaluate(contextOf(text, output === undefined ? {} : { output })) as Judgement;
const types = (evaluator: Evaluator, text: string) => judge(evaluator, text).issues.map(({ type }) => type);

describe('words', () => {
  test('keywords: each missing one is an issue, the share is the score, the found are kept', () => {
    const judgement = judge(rules.keywords({ words: ['关键指标', 'Key metrics', '周报'] }), '周报\nkey METRICS: 3');
    expect(judgement).toMatchObject({
      passed: false,
      score: 67,
      issues: [{ type: 'missing_keyword', subject: '关键指标' }],
      keep: ['the keyword "Key metrics"', 'the keyword "周报"'],
    });
    expect(judge(rules.keywords({ words: ['a', 'b'], mode: 'any' }), 'xxb').passed).toBe(true);
    expect(judge(rules.keywords({ words: ['a', 'b'], mode: 'any' }), 'xx').passed).toBe(false);
  });
  test("keywords may depend on the task, and the fix may be the agent's own", () => {
    const rule = rules.keywords({ words: ({ input }) => [(input as { message: string }).message], fix: ({ subject }) => `Begin with ${subject}!` });
    expect(judge(rule, 'hi').issues).toMatchObject([{ subject: 'hello', fix: 'Begin with hello!' }]);
    expect(judge(rule, 'hello').passed).toBe(true);
    expect(judge(rules.length({ unit: 'lines', max: 1, fix: 'One line, please.' }), 'a\nb').issues[0]).toMatchObject({ type: 'too_many', fix: 'One line, please.' });
  });
  test('mentions: each part in its own words, whatever case, width, space and last mark', () => {
    const rule = rules.mentions({ what: 'item', parts: () => ['Fix the bug.', '完成 改版', 'Fix the bug.'] });
    expect(judge(rule, '- fix  the BUG；完成改版')).toMatchObject({ passed: true, score: 100, keep: ['Fix the bug.', '完成 改版'] });
    expect(judge(rule, 'fixed a bug，完成改版')).toMatchObject({
      passed: false,
      score: 50,
      issues: [{ type: 'missing_part', subject: 'Fix the bug.', fix: 'Write "Fix the bug." in these words.' }],
    });
  });
  test('grounded with every number: list numbers, words before any noun, and no counts', () => {
    const found = (text: string, everyNumber: boolean) =>
      (rules.grounded({ everyNumber }).evaluate(contextOf(text, { input: { items: ['a 7', 'b'] } })) as Judgement).issues.map(({ subject }) => subject);
    expect(found('1. 订单 7；3、三个 bugs, twelve bugs, 2 in all', false)).toEqual([]);
    expect(found('1. 订单 7；3、三个 bugs, twelve bugs, 2 in all', true)).toEqual(['1', '3', '三', 'twelve', '2']);
    expect(found('一个，十分', true)).toEqual([]);
  });
  test('forbidden words are whole words, next to Han too, and special characters are plain', () => {
    const rule = rules.forbiddenWords({ words: ['error', '保证', 'C++'], instead: { 保证: '预计' } });
    expect(types(rule, 'no errors, terror_error')).toEqual([]);
    expect(types(rule, '出现error了')).toEqual(['forbidden_word']);
    expect(judge(rule, '我们保证到货').issues[0]).toMatchObject({ subject: '保证', fix: 'Write "预计" instead.', evidence: '我们保证到货' });
    expect(types(rule, 'uses c++.')).toEqual(['forbidden_word']);
    expect(types(rule, 'uses C')).toEqual([]);
  });
});

describe('length', () => {
  test.each([
    ['characters', '你好 a😀👨‍👩‍👧', 5],
    ['words', 'It is 你好 2 go', 6],
    ['sentences', 'Costs 3.5 yuan. A001 is late! 好的。谢谢', 4],
    ['sentences', 'Ask J. Smith today.', 1],
    ['lines', 'a\n\n b \r\nc\n', 3],
    ['paragraphs', 'a\nb\n\nc\n \n\nd', 3],
    ['words', '', 0],
    ['sentences', '...', 0],
  ] as const)('%s of %o: %d', (unit, text, count) => {
    expect(rules.countUnits(text, unit)).toBe(count);
  });
  test('says by how much', () => {
    expect(judge(rules.length({ unit: 'lines', max: 2 }), 'a\nb\nc\nd').issues[0]).toMatchObject({
      type: 'too_many',
      message: 'There are 4 lines; it must be at most 2.',
      fix: 'Take out at least 2.',
    });
    expect(judge(rules.length({ unit: 'words', min: 3, max: 3 }), 'a b').issues[0]).toMatchObject({ type: 'too_few', fix: 'Add at least 1 more.' });
  });
});

describe('patterns', () => {
  test('present, absent, ends', () => {
    expect(types(rules.present({ pattern: /RF-\d+/, what: 'request number' }), 'RF-1')).toEqual([]);
    expect(judge(rules.present({ pattern: /RF-\d+/, what: 'request number' }), 'none').issues[0]).toMatchObject({ subject: 'request number', fix: 'Add request number.' });
    expect(types(rules.absent({ pattern: /TODO/i, what: 'note' }), 'todo')).toEqual(['not_allowed']);
    expect(types(rules.startsWith({ phrase: '您好' }), ' 您好，')).toEqual([]);
    expect(types(rules.startsWith({ phrase: '您好' }), '你好')).toEqual(['wrong_beginning']);
    expect(types(rules.noCommas(), '一，二')).toEqual(['not_allowed']);
  });
  test('a sticky or global pattern has no memory between runs', () => {
    const rule = rules.present({ pattern: /a/g, what: 'a' });
    expect([types(rule, 'a'), types(rule, 'a'), types(rule, 'a')]).toEqual([[], [], []]);
  });
});

describe('language', () => {
  test.each([
    ['您好，您的订单 A001 已通过 SF Express 发出。', 'zh'],
    ['Hello, your order A001 (电热水壶) is on its way to you.', 'en'],
    ['12345 A001', null],
    ['', null],
    ['こんにちは、ご注文は発送されました', null],
    ['```json\n{"status":"ok"}\n```好的', 'zh'],
    ['请看 https://example.com/a/b/c/d/e', 'zh'],
    ['你好', 'zh'],
    ['ｈｅｌｌｏ ｗｏｒｌｄ', 'en'],
  ])('%o is %s', (text, expected) => {
    expect(rules.languageOf(text).language).toBe(expected);
  });
  test('the wanted one may come from the task', () => {
    const rule = rules.language({ language: ({ input }) => (input as { language: 'zh' | 'en' }).language });
    expect((rule.evaluate(contextOf('hello there', { input: { language: 'zh' } })) as Judgement).issues).toMatchObject([{ type: 'wrong_language', fix: '请用中文写。' }]);
  });
});

describe('structure', () => {
  test('JSON schema names the places', () => {
    const schema = z.object({ title: z.string(), items: z.array(z.number()) });
    expect(judge(rules.fitsSchema({ schema }), '', { title: 'a', items: [1] }).passed).toBe(true);
    expect(judge(rules.fitsSchema({ schema }), '', { items: [1, 'x'] }).issues.map(({ subject }) => subject)).toEqual(['title', 'items.1']);
    expect(types(rules.jsonText({ schema }), '```json\n{"title":1,"items":[]}\n```')).toEqual(['schema']);
    expect(types(rules.jsonText(), 'Here: {"a":1}')).toEqual(['invalid_json']);
  });
  test('required fields are not blank; 0 and false are values', () => {
    const judgement = judge(rules.requiredFields({ fields: ['a', 'b.c', 'd', 'e', 'constructor'] }), '', { a: ' ', b: { c: 0 }, d: false, e: [] });
    expect(judgement.issues.map(({ subject }) => subject)).toEqual(['a', 'e', 'constructor']);
    expect(judgement.score).toBe(40);
  });
});

describe('noMarkup', () => {
  test.each([
    ['<tool_call>{"name":"x"}</tool_call>', 'tool_markup'],
    ['好的 <function=get_order>', 'tool_markup'],
    ['<|im_start|>assistant', 'tool_markup'],
    ['<｜tool▁calls▁begin｜>', 'tool_markup'],
    ['[TOOL_CALLS]', 'tool_markup'],
    ['{"name": "get_order", "arguments": {}}', 'tool_markup'],
    ['<think>hm</think> ok', 'thinking_markup'],
    ['{"_decision": 1}', 'internal_name'],
    ['Your order is [object Object].', 'object_dump'],
    ['合计 undefined。', 'object_dump'],
    ['Result: {"orderId":"A001","status":"in_transit","total":"299.00"}', 'json_dump'],
    ['[{"a":1,"b":"some longer text here"},{"a":2}]', 'json_dump'],
  ])('%o → %s', (text, type) => {
    expect(types(rules.noMarkup(), text)).toContain(type);
  });
  test.each([
    '您好，订单 A001 正在运输中（预计 11月3日）。',
    'Use the form [address] {name}.',
    'if a < b and c > d',
    'The function of this tool',
    'undefined behaviour is bad',
    'a [1, 2] list',
  ])('%o is prose', (text) => {
    expect(types(rules.noMarkup(), text)).toEqual([]);
  });
  test('many brackets take no time', () => {
    const started = performance.now();
    rules.noMarkup().evaluate(contextOf('{"'.repeat(50_000)));
    expect(performance.now() - started).toBeLessThan(1_500);
  });
});

test('an agent writes its own rule with textRule', () => {
  const rule = rules.textRule('shouts', { hard: false }, (text) => ({ issues: [], evidence: `${text.length} characters`, score: 90 }));
  expect(judge(rule, 'abc')).toEqual({ passed: true, score: 90, issues: [], evidence: '3 characters' });
  expect(judge(rules.patternCount({ pattern: /x/, what: 'x', max: 1 }), 'xx').issues).toMatchObject([{ type: 'too_many' }]);
});

test('a rule takes another text and another name', () => {
  const rule = rules.keywords({ words: ['x'], name: 'title_keywords', hard: false, weight: 3, text: ({ output }) => (output as { title: string }).title });
  expect(rule).toMatchObject({ name: 'title_keywords', hard: false, weight: 3, kind: 'rule' });
  expect(judge(rule, 'x', { title: 'y' }).passed).toBe(false);
});
