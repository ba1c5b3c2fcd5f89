import { defineEvaluator, JudgeFailure, type FoundIssue } from '../../../evaluation/define-evaluator.ts';
import { oracleFor } from '../oracles/index.ts';
import { OracleUnavailable, runPairs, type PairVerdict } from '../oracles/run-pairs.ts';
import type { TestCasesInput, TestCasesOutput } from '../schemas.ts';

/** The task signal: where the requirement can be computed, each case's data is run and its expected result compared. */
export const oracleConfirms = defineEvaluator<TestCasesInput, TestCasesOutput>({
  name: 'oracle_confirms',
  kind: 'tool',
  hard: false,
  weight: 50,
  timeoutMs: 20_000,
  when: ({ requirement }) => oracleFor(requirement) !== null,
  evaluate: async ({ input, output, sandbox, signal }) => {
    const oracle = oracleFor(input.requirement);
    if (!oracle) throw new JudgeFailure('the requirement has no reference implementation');
    if (!sandbox) throw new JudgeFailure('no safe sandbox is here to run the reference implementation in');
    const verdicts = await runPairs(oracle, output.cases, sandbox, signal).catch((error: unknown) => {
      throw error instanceof OracleUnavailable ? new JudgeFailure(error.message) : error;
    });
    const confirmed = verdicts.filter(({ status }) => status === 'confirmed').length;
    return {
      passed: confirmed === verdicts.length,
      score: Math.round((confirmed / verdicts.length) * 10_000) / 100,
      issues: verdicts.filter(({ status }) => status !== 'confirmed').map((verdict) => issueOf(verdict, output)),
      evidence: `the reference for ${oracle.name} confirms ${confirmed} of ${verdicts.length} pairs`,
    };
  },
});

function issueOf({ id, status, actual }: PairVerdict, { cases }: TestCasesOutput): FoundIssue {
  const { data = '', expected = '' } = cases.find((each) => each.id === id) ?? {};
  if (status === 'unreadable')
    return {
      type: 'oracle',
      subject: id,
      severity: 'high',
      message: `${id} can't be run: its data or expected result is no JSON.`,
      fix: `Write data and expected of ${id} as the interface says.`,
      evidence: data,
    };
  return {
    type: 'oracle',
    subject: id,
    severity: 'high',
    message: `${id} expects ${cut(expected)}; for ${cut(data)} the requirement gives ${cut(actual ?? 'null')}.`,
    fix: `Correct the expected result of ${id}, or its data if the case means something else.`,
    evidence: `expected ${cut(expected)}, actual ${cut(actual ?? 'null')}`,
  };
}

const cut = (text: string): string => (text.length <= 160 ? text : `${text.slice(0, 160)}…`);
