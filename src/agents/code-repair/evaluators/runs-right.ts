import { createHash } from 'node:crypto';
import type { SandboxPort } from '../../../contracts/sandbox.ts';
import { defineEvaluator, JudgeFailure, type EvaluationContext, type FoundIssue, type Judgement } from '../../../evaluation/define-evaluator.ts';
import { adviceFor } from '../execution/advice.ts';
import { describeFailure, quoteFailure } from '../execution/describe-failure.ts';
import type { Failure, RunReport } from '../execution/report.ts';
import { runCode } from '../execution/run-code.ts';
import { codeKey, isSameCode } from '../execution/same-code.ts';
import { LANGUAGE_NAMES as NAMES, type CodeLanguage, type CodeRepairInput, type CodeRepairOutput } from '../schemas.ts';

/** Failures that are told one by one. */
const MAX_SHOWN = 8;

type Context = EvaluationContext & { input: CodeRepairInput; output: CodeRepairOutput };

/** Runs the code and compares what comes out with what was expected. The only evaluator: nothing but a run says whether code is right. */
export const runsRight = defineEvaluator<CodeRepairInput, CodeRepairOutput>({
  name: 'runs_right',
  kind: 'tool',
  hard: true,
  timeoutMs: 20_000,
  evaluate: async (context) => {
    const { input, output, sandbox, signal, emit, attempt } = context;
    if (!sandbox) throw new JudgeFailure('no sandbox is here to run the code in');
    const isOther = output.language !== input.language;
    if (isOther && (await canRun(input.language, sandbox, signal))) return wrongLanguage(input, output);
    await emit('execution_start', { language: output.language, attempt, tests: input.tests?.length ?? 0, given_code: input.code !== undefined });
    const report = await runCode(input, output, sandbox, signal);
    const passed = report.status === 'right' || report.status === 'unchecked';
    await emit(passed ? 'execution_success' : 'execution_error', eventOf(report));
    const judgement: Judgement = {
      passed,
      score: scoreOf(report),
      issues: passed ? [] : issuesOf(report, context),
      evidence: `${evidenceOf(report)}${isOther ? `; ${NAMES[input.language]} cannot run safely here, so this is ${NAMES[output.language]}` : ''}`,
    };
    return input.feedback === 'withheld' && !passed ? withheld(judgement) : judgement;
  },
});

async function canRun(language: CodeLanguage, sandbox: SandboxPort, signal: AbortSignal): Promise<boolean> {
  const probe = await sandbox.run({ language, code: language === 'python' ? 'pass' : ';', signal });
  return probe.refusal?.code !== 'no_driver';
}

/** Another language than was asked for will do only where the one asked for can't run. */
function wrongLanguage(input: CodeRepairInput, output: CodeRepairOutput): Judgement {
  const message = `The code is ${output.language}; ${input.language} was asked for, and it can run here.`;
  return {
    passed: false,
    score: 0,
    evidence: message,
    issues: [{ type: 'wrong_language', severity: 'high', subject: output.language, message, fix: `Write it in ${input.language}.` }],
  };
}

function eventOf(report: RunReport): Record<string, unknown> {
  const [first] = report.failures;
  return {
    status: report.status,
    passed: report.passed,
    total: report.total,
    share: report.share,
    printed: report.printed.slice(0, 500),
    driver: report.driver,
    duration_ms: report.durationMs,
    code_hash: report.codeHash,
    ...(first ? { error_type: typeOf(first), message: describeFailure(first), line: first.line } : {}),
  };
}

/** For people and for choosing the best draft: nothing but `right` passes. */
function scoreOf({ status, share }: RunReport): number {
  switch (status) {
    case 'right':
    case 'unchecked':
      return 100;
    case 'wrong':
      return round(30 + 60 * share);
    case 'timeout':
    case 'error':
      return round(60 * share);
    case 'no_output':
      return 10;
    case 'refused':
      return 0;
  }
}
const round = (score: number): number => Math.round(score * 100) / 100;

function evidenceOf(report: RunReport): string {
  const where = report.driver === null ? 'not run' : `${report.driver}, ${Math.round(report.durationMs)} ms`;
  const tests = report.total > 1 ? `${report.passed} of ${report.total} tests passed` : report.status;
  const printed = report.printed === '' ? '' : `; it printed ${JSON.stringify(report.printed.slice(0, 400))}`;
  const first = report.failures[0] ? `; ${describeFailure(report.failures[0])}` : '';
  return `${tests} (${where})${printed}${first}`;
}

function typeOf(failure: Failure): string {
  if (failure.type === 'wrong') return 'wrong_output';
  if (failure.type === 'timeout' && failure.message.startsWith('it gave the right')) return 'right_then_timeout';
  return failure.type === 'not_run' ? 'not_run' : (failure.errorType ?? failure.type);
}

function issuesOf(report: RunReport, { output, previous }: Context): FoundIssue[] {
  // two runs that behaved alike in every test are the same issue; anything else is progress, or at least a change
  const behaviour = createHash('sha256').update(JSON.stringify(report.failures)).digest('hex').slice(0, 16);
  const shown = report.failures.slice(0, MAX_SHOWN).map((failure): FoundIssue => ({
    type: typeOf(failure),
    severity: 'high',
    subject: `${failure.test ?? 'program'} ${behaviour}`,
    message: describeFailure(failure),
    evidence: quoteFailure(failure),
    fix: failure.fix ?? adviceFor(failure.errorType ?? typeOf(failure)).fix,
  }));
  const before = previous as CodeRepairOutput | null;
  if (before === null || before.language !== output.language || !isSameCode(before.code, output.code)) return shown;
  return [sameCode(output.code), ...shown.map((issue): FoundIssue => ({ ...issue, severity: 'low' }))];
}

/** The old failures stand too, but lightly: the next attempt is to try another way, and only code that is the same once more goes to a person. */
function sameCode(code: string): FoundIssue {
  return {
    type: 'same_code',
    severity: 'high',
    subject: codeKey(code),
    message: 'This is the same code as before, so it fails in the same way.',
    fix: 'Use a different strategy: write the function anew in another way, from the expected results, instead of answering with this code again.',
  };
}

function withheld({ passed, score, evidence }: Judgement): Judgement {
  return { passed, score, evidence, issues: [{ type: 'not_right', severity: 'high', subject: '', message: 'The code is not right.' }] };
}
