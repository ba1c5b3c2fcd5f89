import { describe, expect, test } from 'vitest';
import type { Evaluator, Judgement } from '../../../../src/evaluation/define-evaluator.ts';
import * as rules from '../../../../src/evaluation/rules/index.ts';
import { hasCases, readCases } from '../../../support/cases.ts';
import { contextOf } from '../context.ts';

interface Case {
  instruction_id: string;
  kwargs: Record<string, unknown>;
  description: string;
  text: string;
  verdict: boolean;
}
const { cases = [] } = JSON.parse(readCases('rule-verdicts.json')) as { cases?: Case[] };

const range = (relation: unknown, count: unknown): rules.Range => (relation === 'less than' ? { max: Number(count) - 1 } : { min: Number(count) });

/** Each instruction as our rules with its parameters; an output passes when all of them pass. */
const RULES: Record<string, (kwargs: Record<string, any>) => Evaluator[]> = {
  'change_case:capital_word_frequency': ({ capital_frequency, capital_relation }) => [rules.capitalWords(range(capital_relation, capital_frequency))],
  'change_case:english_capital': () => [rules.letterCase({ letters: 'upper' }), rules.language({ language: 'en' })],
  'change_case:english_lowercase': () => [rules.letterCase({ letters: 'lower' }), rules.language({ language: 'en' })],
  'combination:repeat_prompt': ({ prompt_to_repeat }) => [rules.startsWith({ phrase: prompt_to_repeat })],
  'combination:two_responses': () => [rules.dividedParts({ divider: '******', min: 2, max: 2 })],
  'detectable_content:number_placeholders': ({ num_placeholders }) => [rules.placeholders({ min: num_placeholders })],
  'detectable_content:postscript': ({ postscript_marker }) => [rules.present({ pattern: postscript_marker === 'P.P.S' ? /p\.\s?p\.\s?s/i : /p\.\s?s\./i, what: 'postscript' })],
  'detectable_format:constrained_response': () => [rules.keywords({ words: ['My answer is yes.', 'My answer is no.', 'My answer is maybe.'], mode: 'any' })],
  'detectable_format:json_format': () => [rules.jsonText()],
  'detectable_format:multiple_sections': ({ section_spliter, num_sections }) => [rules.sections({ word: section_spliter, min: num_sections })],
  'detectable_format:number_bullet_lists': ({ num_bullets }) => [rules.bulletPoints({ min: num_bullets, max: num_bullets })],
  'detectable_format:number_highlighted_sections': ({ num_highlights }) => [rules.highlights({ min: num_highlights })],
  'detectable_format:title': () => [rules.angleTitle()],
  'keywords:existence': ({ keywords }) => [rules.keywords({ words: keywords })],
  'keywords:forbidden_words': ({ forbidden_words }) => [rules.forbiddenWords({ words: forbidden_words })],
  'keywords:frequency': ({ keyword, relation, frequency }) => [rules.keywordCount({ word: keyword, ...range(relation, frequency) })],
  'keywords:letter_frequency': ({ letter, let_relation, let_frequency }) => [rules.letterCount({ letter, ...range(let_relation, let_frequency) })],
  'language:response_language': ({ language }) => [rules.language({ language })],
  'length_constraints:number_paragraphs': ({ num_paragraphs }) => [rules.dividedParts({ min: num_paragraphs, max: num_paragraphs })],
  'length_constraints:number_sentences': ({ relation, num_sentences }) => [rules.length({ unit: 'sentences', ...range(relation, num_sentences) })],
  'length_constraints:number_words': ({ relation, num_words }) => [rules.length({ unit: 'words', ...range(relation, num_words) })],
  'punctuation:no_comma': () => [rules.noCommas()],
  'startend:end_checker': ({ end_phrase }) => [rules.endsWith({ phrase: end_phrase })],
  'startend:quotation': () => [rules.inQuotationMarks()],
};

const judge = (evaluator: Evaluator, text: string) => evaluator.evaluate(contextOf(text)) as Judgement;

describe.skipIf(!hasCases)("the IFEval checkers' verdicts", () => {
  test('there are cases, and every kind of them is covered', () => {
    expect(cases.length).toBeGreaterThan(40);
    expect(cases.filter(({ instruction_id }) => !RULES[instruction_id])).toEqual([]);
  });
  test.each(cases.map((item, index) => [index, item.instruction_id, item] as const))('%i %s', (_, id, { kwargs, text, verdict, description }) => {
    const judgements = RULES[id]!(kwargs).map((evaluator) => judge(evaluator, text));
    expect({ description, passed: judgements.every(({ passed }) => passed) }).toEqual({ description, passed: verdict });
    for (const { evidence, issues, passed } of judgements) {
      expect(evidence).not.toBe('');
      expect(passed).toBe(issues.length === 0);
      for (const { message, fix } of issues) expect([message, fix]).not.toContain('');
    }
  });
});
