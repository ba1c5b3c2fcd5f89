import { defineEvaluator, type FoundIssue } from '../../../evaluation/define-evaluator.ts';
import { termsOf, wordsOf } from '../requirement-text.ts';
import type { TestCasesInput, TestCasesOutput } from '../schemas.ts';
import { soundCases } from './kept-cases.ts';

/** Of the requirement's own words, the share that the cases must use. */
const ENOUGH = 0.5;

/** 40 of the 100 points of the rules: the cases speak of what the requirement speaks of, in its words. */
export const requirementMentioned = defineEvaluator<TestCasesInput, TestCasesOutput>({
  name: 'requirement_mentioned',
  kind: 'rule',
  hard: false,
  weight: 40,
  evaluate: ({ input, output }) => {
    const terms = termsOf(input.requirement);
    const used = new Set(output.cases.flatMap(({ title, preconditions, steps, data }) => wordsOf([title, preconditions, ...steps, data].join('\n'))));
    const missing = terms.filter((term) => !used.has(term));
    const share = terms.length === 0 ? 1 : (terms.length - missing.length) / terms.length;
    const passed = share >= ENOUGH;
    const issue: FoundIssue = {
      type: 'requirement',
      subject: 'words of the requirement',
      severity: 'medium',
      message: `The cases speak of ${terms.length - missing.length} of ${terms.length} things that the requirement is about.`,
      fix: `Test what the requirement says; no case mentions: ${missing.join(', ')}.`,
    };
    return {
      passed,
      score: Math.min(100, Math.round((share / ENOUGH) * 10_000) / 100),
      issues: passed ? [] : [issue],
      keep: soundCases(output.cases),
      evidence: `words of the requirement: ${terms.map((term) => (used.has(term) ? term : `${term} (missing)`)).join(', ')}`,
    };
  },
});
