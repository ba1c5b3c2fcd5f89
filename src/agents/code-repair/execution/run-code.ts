import type { CodeResult, SandboxPort } from '../../../contracts/sandbox.ts';
import { matchesOutput } from '../expectation.ts';
import type { CodeRepairInput, CodeRepairOutput } from '../schemas.ts';
import { lastFunction } from './entry-point.ts';
import { readError } from './read-error.ts';
import type { Failure, RunReport } from './report.ts';
import { failuresOf, linesOf, readResults, withTests } from './run-tests.ts';

/** Wall time of a run, ms, unless the input says otherwise. */
const WALL_MS = 5_000;
const RIGHT_BUT_ENDLESS = 'it gave the right result and then did not end in time';

/** Runs the code in the sandbox, once: its function on every test, or the program on its data. */
export async function runCode(
  input: CodeRepairInput,
  { code, language }: Pick<CodeRepairOutput, 'code' | 'language'>,
  sandbox: SandboxPort,
  signal: AbortSignal,
): Promise<RunReport> {
  const wallMs = input.timeoutMs ?? WALL_MS;
  if (input.tests === undefined) {
    const result = await sandbox.run({ language, code, wallMs, signal, ...(input.data === undefined ? {} : { stdin: JSON.stringify(input.data) }) });
    return programReport(input, result, code, language);
  }
  const entryPoint = input.entryPoint ?? lastFunction(code, language);
  if (entryPoint === null) {
    return {
      ...unrun(
        'error',
        { type: 'error', test: null, errorType: 'NameError', message: 'the code defines no function that the tests could call', line: null, expected: null, actual: null },
        input.tests.length,
      ),
      driver: null,
      durationMs: 0,
      codeHash: '',
    };
  }
  const { program, mark } = withTests(code, language, entryPoint, input.tests);
  const result = await sandbox.run({ language, code: program, wallMs, signal });
  return testsReport(input.tests, entryPoint, result, mark, code, language);
}

function testsReport(
  tests: NonNullable<CodeRepairInput['tests']>,
  entryPoint: string,
  result: CodeResult,
  mark: string,
  code: string,
  language: CodeRepairOutput['language'],
): RunReport {
  const facts = factsOf(result);
  if (result.status === 'refused') return { ...unrun('refused', refusalOf(result), tests.length), ...facts };
  const { said, printed } = readResults(result.stdout, mark);
  if (said.size === 0 && result.status === 'error') {
    return {
      ...unrun('error', { type: 'error', test: null, ...readError(result.stderr, language, linesOf(code)), expected: null, actual: null }, tests.length),
      printed,
      ...facts,
    };
  }
  const failures = failuresOf(tests, said, entryPoint, result);
  if (failures.length === 0 && result.status === 'timeout')
    failures.push({ type: 'timeout', test: null, errorType: 'Timeout', message: RIGHT_BUT_ENDLESS, line: null, expected: null, actual: null });
  const unsaid = said.size < tests.length ? 1 : 0;
  const passed = Math.max(0, said.size - (failures.length - unsaid));
  const share = passed / tests.length;
  const status = result.status === 'timeout' ? 'timeout' : failures.length === 0 ? 'right' : failures.some(({ type }) => type === 'wrong') ? 'wrong' : 'error';
  return { status, share, failures, passed, total: tests.length, printed, ...facts };
}

function programReport(input: CodeRepairInput, result: CodeResult, code: string, language: CodeRepairOutput['language']): RunReport {
  const facts = factsOf(result);
  if (result.status === 'refused') return { ...unrun('refused', refusalOf(result), 1), ...facts };
  const printed = result.stdout.trim();
  const isExpected = input.expectedOutput !== undefined && matchesOutput(input.expectedOutput, printed);
  const expected = input.expectedOutput === undefined ? null : JSON.stringify(input.expectedOutput);
  const report = (status: RunReport['status'], failure: Pick<Failure, 'type' | 'errorType' | 'message' | 'line'> | null): RunReport => ({
    status,
    share: isExpected ? 1 : 0,
    passed: isExpected ? 1 : 0,
    total: 1,
    printed,
    ...facts,
    failures: failure === null ? [] : [{ test: null, expected, actual: printed === '' ? null : JSON.stringify(printed), ...failure }],
  });
  const failed = (type: 'error' | 'timeout', errorType: string, message: string) => report(type, { type, errorType, message, line: null });
  switch (result.status) {
    case 'timeout':
      return failed('timeout', 'Timeout', isExpected ? RIGHT_BUT_ENDLESS : 'it did not end in time');
    case 'memory_limit':
      return failed('error', 'MemoryError', 'it used more memory than it may');
    case 'output_limit':
      return failed('error', 'OutputLimit', 'it printed more than it may');
    case 'error':
    case 'killed':
      return report('error', { type: 'error', ...readError(result.stderr, language, linesOf(code)) });
    default:
  }
  if (printed === '') return report('no_output', { type: 'no_output', errorType: null, message: 'it printed nothing', line: null });
  if (input.expectedOutput === undefined) return report('unchecked', null);
  return isExpected ? report('right', null) : report('wrong', { type: 'wrong', errorType: null, message: '', line: null });
}

function factsOf({ driver, durationMs, codeHash }: CodeResult): Pick<RunReport, 'driver' | 'durationMs' | 'codeHash'> {
  return { driver, durationMs, codeHash };
}

function unrun(status: 'error' | 'refused', failure: Failure, total: number): Omit<RunReport, 'driver' | 'durationMs' | 'codeHash'> {
  return { status, share: 0, failures: [failure], passed: 0, total, printed: '' };
}

function refusalOf({ refusal, ...result }: CodeResult): Failure {
  const findings = (result as { screen?: { type: string; line: number; text: string; fix: string }[] }).screen ?? [];
  const [first] = findings;
  const base = { test: null, expected: null, actual: null };
  if (refusal?.code === 'no_driver') {
    return {
      ...base,
      type: 'no_driver',
      errorType: 'NoSandbox',
      message: refusal.message,
      line: null,
      fix: refusal.install.length > 0 ? `To install one: ${refusal.install.join(' or ')}` : undefined,
    } as Failure;
  }
  return {
    ...base,
    type: 'refused',
    errorType: first ? `Refused_${first.type}` : 'Refused',
    message: `${refusal?.message ?? 'It was not run.'}${first ? ` Line ${first.line}: ${first.text}` : ''}`,
    line: first?.line ?? null,
    ...(first ? { fix: first.fix } : {}),
  };
}
