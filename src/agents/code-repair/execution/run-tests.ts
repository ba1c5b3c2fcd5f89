import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { CodeResult } from '../../../contracts/sandbox.ts';
import { equalValues } from '../expectation.ts';
import type { CodeLanguage, CodeTest } from '../schemas.ts';
import type { Failure } from './report.ts';

const HARNESS: Record<CodeLanguage, string> = {
  python: readFileSync(new URL('../harness/run-tests.py', import.meta.url), 'utf8'),
  javascript: readFileSync(new URL('../harness/run-tests.js', import.meta.url), 'utf8'),
};

/** The code with calls of its function behind it. The expected results are not in it: whoever wrote the code can't print them from there. */
export function withTests(code: string, language: CodeLanguage, entryPoint: string, tests: CodeTest[]): { program: string; mark: string } {
  const mark = `result-${randomUUID()}`;
  const values: Record<string, string> = {
    __LINES__: String(linesOf(code)),
    __ARGS__: literal(JSON.stringify(tests.map(({ args }) => args))),
    __ENTRY__: entryPoint,
    __MARK__: literal(mark),
  };
  const harness = HARNESS[language].replaceAll(/__(?:LINES|ARGS|ENTRY|MARK)__/g, (name) => values[name] ?? name);
  return { program: `${code.trimEnd()}\n${harness}`, mark };
}

/** As a string of both languages. What is not ASCII is escaped within the JSON: in Python's own strings a pair of surrogates is two characters. */
function literal(json: string): string {
  return JSON.stringify(json.replaceAll(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`));
}

export function linesOf(code: string): number {
  return code.trimEnd().split('\n').length;
}

interface Said {
  value?: unknown;
  error?: string;
  message?: string;
  line?: number | null;
}

/** What each test's call brought, as far as the run came, and what was printed besides. */
export function readResults(stdout: string, mark: string): { said: Map<number, Said>; printed: string } {
  const said = new Map<number, Said>();
  const others: string[] = [];
  for (const text of stdout.split('\n')) {
    const [, index, json] = text.startsWith(mark) ? (/^\S+ (\d+) (.*)$/.exec(text) ?? []) : [];
    const value = json === undefined ? null : parsed(json);
    if (value === null || index === undefined) others.push(text);
    else if (!said.has(Number(index))) said.set(Number(index), value);
  }
  return {
    said,
    printed: others
      .join('\n')
      .replaceAll(/\n{2,}/g, '\n')
      .trim(),
  };
}

function parsed(json: string): Said | null {
  try {
    return JSON.parse(json) as Said;
  } catch {
    return null;
  }
}

/** The failed tests in order. The first without a result is where the run ended; those behind it say nothing. */
export function failuresOf(tests: CodeTest[], said: Map<number, Said>, entryPoint: string, result: Pick<CodeResult, 'status'>): Failure[] {
  const failures: Failure[] = [];
  for (const [index, test] of tests.entries()) {
    const call = `${entryPoint}(${test.args.map((argument) => JSON.stringify(argument)).join(', ')})`;
    const expected = JSON.stringify(test.expected);
    const one = said.get(index);
    if (one === undefined) {
      failures.push({ ...endOf(result.status), test: call, line: null, expected, actual: null });
      break;
    }
    if (one.error !== undefined) failures.push({ type: 'error', test: call, errorType: one.error, message: one.message ?? '', line: one.line ?? null, expected, actual: null });
    else if (!equalValues(test.expected, one.value ?? null))
      failures.push({ type: 'wrong', test: call, errorType: null, message: '', line: null, expected, actual: JSON.stringify(one.value ?? null) });
  }
  return failures;
}

function endOf(status: CodeResult['status']): Pick<Failure, 'type' | 'errorType' | 'message'> {
  switch (status) {
    case 'timeout':
      return { type: 'timeout', errorType: 'Timeout', message: 'it did not end in time' };
    case 'memory_limit':
      return { type: 'error', errorType: 'MemoryError', message: 'it used more memory than it may' };
    case 'output_limit':
      return { type: 'error', errorType: 'OutputLimit', message: 'it printed more than it may' };
    default:
      return { type: 'not_run', errorType: null, message: 'the run ended before this test' };
  }
}
