import { defineEvaluator, type FoundIssue } from '../../../evaluation/define-evaluator.ts';
import { duplicatesOf, idAt } from '../case-identity.ts';
import { oracleFor } from '../oracles/index.ts';
import { testCasesOutputSchema, type TestCase, type TestCasesInput, type TestCasesOutput } from '../schemas.ts';
import { changedKeptCases } from './kept-cases.ts';

/** 30 of the 100 points of the rules, all or none: readable, numbered, nothing twice, and what was to be kept is as it was. */
export const caseFormat = defineEvaluator<TestCasesInput, TestCasesOutput>({
  name: 'case_format',
  kind: 'rule',
  hard: true,
  weight: 30,
  evaluate: ({ input, output, previous, correction }) => {
    const issues = [
      ...schemaIssues(input, output),
      ...numberingIssues(output.cases),
      ...contentIssues(input, output.cases),
      ...duplicateIssues(output.cases),
      ...changedKeptCases(output, previous, correction),
    ];
    return {
      passed: issues.length === 0,
      score: issues.length === 0 ? 100 : 0,
      issues,
      evidence:
        issues.length === 0
          ? `${output.cases.length} cases, ${output.cases[0]!.id} to ${output.cases.at(-1)!.id}, no two alike`
          : issues
              .map(({ message }) => message)
              .join(' ')
              .slice(0, 1_000),
    };
  },
});

function schemaIssues(input: TestCasesInput, output: TestCasesOutput): FoundIssue[] {
  const parsed = testCasesOutputSchema.safeParse(output);
  const issues = parsed.success
    ? []
    : parsed.error.issues.slice(0, 5).map((problem): FoundIssue => ({
        type: 'format',
        subject: problem.path.join('.'),
        severity: 'high',
        message: `${problem.path.join('.') || 'The output'}: ${problem.message}`,
        fix: 'Return the required fields and nothing else.',
      }));
  if (output.format === input.format) return issues;
  return [
    ...issues,
    { type: 'format', subject: 'format', severity: 'high', message: `format is "${output.format}", asked for was "${input.format}".`, fix: `Set format to "${input.format}".` },
  ];
}

function numberingIssues(cases: readonly TestCase[]): FoundIssue[] {
  const wrong = cases.findIndex(({ id }, index) => id !== idAt(index));
  if (wrong < 0) return [];
  return [
    {
      type: 'format',
      subject: 'numbering',
      severity: 'high',
      message: `Case ${wrong + 1} has the id "${cases[wrong]!.id}", not ${idAt(wrong)}.`,
      fix: 'Number the cases TC-001, TC-002, … in order, without a gap.',
      evidence: cases[wrong]!.id,
    },
  ];
}

/** A case that can't be carried out, or whose pair can't be read where a reference is to run it. */
function contentIssues({ requirement }: TestCasesInput, cases: readonly TestCase[]): FoundIssue[] {
  const needsJson = oracleFor(requirement) !== null;
  return cases.flatMap(({ id, steps, data, expected }): FoundIssue[] => {
    const issue = (what: string, fix: string): FoundIssue => ({ type: 'format', subject: id, severity: 'high', message: `${id} ${what}.`, fix });
    if (steps.length === 0) return [issue('has no steps', `Say in ${id} what is done.`)];
    if (expected.trim() === '') return [issue('has no expected result', `Say in ${id} what must come out.`)];
    if (needsJson && !(isJson(data) && isJson(expected)))
      return [issue('has data or an expected result that is no JSON', `Write data and expected of ${id} as the interface says, each as one JSON value.`)];
    return [];
  });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Two cases are one when they have the same title, or the same data under the same conditions. */
function duplicateIssues(cases: readonly TestCase[]): FoundIssue[] {
  return [...duplicatesOf(cases)].map(([copy, original]): FoundIssue => ({
    type: 'duplicate',
    subject: copy,
    severity: 'high',
    message: `${copy} is the same case as ${original}.`,
    fix: `Remove ${copy} or give it other data, and let ${original} cover both points.`,
  }));
}
