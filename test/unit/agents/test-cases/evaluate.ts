import { testCasesInputSchema, type TestCase, type TestCasesInput, type TestCasesOutput } from '../../../../src/agents/test-cases/schemas.ts';
import type { Correction } from '../../../../src/contracts/verdict.ts';
import type { EvaluationContext, Evaluator, Judgement } from '../../../../src/evaluation/define-evaluator.ts';
import { renderTestCasesOutput } from '../../../../src/agents/test-cases/render.ts';

export const REQUIREMENT =
  'A member names a folder. A folder name must have at most 12 characters. Only roles with permission may rename a folder. Two folders must not share a name.';

let serial = 0;
/** A case that is right in every way; its data is like no other's. */
export function testCase(more: Partial<TestCase> = {}): TestCase {
  serial += 1;
  return {
    id: 'TC-001',
    title: `rename a folder ${serial}`,
    preconditions: '',
    steps: ['rename the folder'],
    data: JSON.stringify({ name: `folder ${'abcdefghijklmnopqrstuvwxyz'[serial % 26]}`, nth: 1 }),
    expected: 'renamed',
    covers: [],
    ...more,
  };
}

export function output(...cases: Partial<TestCase>[]): TestCasesOutput {
  return { subject: 'folders', format: 'markdown', cases: cases.map((each, index) => testCase({ id: `TC-${String(index + 1).padStart(3, '0')}`, ...each })) };
}

export async function judge(
  evaluator: Evaluator,
  given: TestCasesOutput,
  more: { input?: Partial<TestCasesInput>; previous?: TestCasesOutput; correction?: Partial<Correction>; judge?: EvaluationContext['judge'] } = {},
): Promise<Judgement> {
  const input = testCasesInputSchema.parse({ requirement: REQUIREMENT, ...more.input });
  const correction = more.correction ? { change: [], keep: [], best: null, strategy: null, reflection: null, ...more.correction } : null;
  const context = {
    taskId: 't',
    agent: 'test-cases',
    attempt: 2,
    input,
    output: given,
    text: renderTestCasesOutput(given),
    perception: null,
    calls: [],
    previous: more.previous ?? null,
    correction,
    sandbox: null,
    emit: async () => {},
    signal: new AbortController().signal,
    judge: more.judge ?? (async () => ({ ok: false as const, error: 'no judge', raw: '' })),
  };
  return evaluator.evaluate(context);
}
