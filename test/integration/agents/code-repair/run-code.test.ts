import { describe, expect, it } from 'vitest';
import { runCode } from '../../../../src/agents/code-repair/execution/run-code.ts';
import { codeRepairInputSchema, type CodeRepairInput } from '../../../../src/agents/code-repair/schemas.ts';
import { createSandbox } from '../../../../src/sandbox/index.ts';

const { runCode: run } = createSandbox();
const sandbox = { run: ({ wallMs, ...code }: Parameters<Parameters<typeof runCode>[2]['run']>[0]) => run({ ...code, ...(wallMs === undefined ? {} : { limits: { wallMs } }) }) };

function runIn(language: 'python' | 'javascript', code: string, more: Partial<CodeRepairInput>) {
  return runCode(codeRepairInputSchema.parse({ task: 'Do it.', language, ...more }), { code, language }, sandbox, new AbortController().signal);
}

const TESTS = [
  { args: [2], expected: 4 },
  { args: [0], expected: 0 },
  { args: [-3], expected: 9 },
];

describe('running code on its tests', () => {
  it('says which tests passed, and what the others really gave', async () => {
    for (const [language, code] of [
      ['python', 'def square(x):\n    return x * x if x >= 0 else x\n'],
      ['javascript', 'const square = (x) => (x >= 0 ? x * x : x);'],
    ] as const) {
      expect(await runIn(language, code, { tests: TESTS })).toMatchObject({
        status: 'wrong',
        passed: 2,
        total: 3,
        failures: [{ type: 'wrong', test: 'square(-3)', expected: '9', actual: '-3' }],
      });
    }
  });

  it('names error, message and line, of the code and never of what calls it', async () => {
    const report = await runIn('python', 'def square(x):\n    table = {0: 0, 2: 4}\n    return table[x]\n', { tests: TESTS });
    expect(report).toMatchObject({ status: 'error', passed: 2, failures: [{ type: 'error', errorType: 'KeyError', message: '-3', line: 3 }] });
    expect(await runIn('javascript', 'function square(x) {\n  return x.value.other;\n}', { tests: TESTS })).toMatchObject({
      status: 'error',
      passed: 0,
      failures: [{ errorType: 'TypeError', line: 2 }, {}, {}],
    });
    expect(await runIn('python', 'def square(x:\n    return x', { tests: TESTS, entryPoint: 'square' })).toMatchObject({
      status: 'error',
      passed: 0,
      failures: [{ errorType: 'SyntaxError', line: 1 }],
    });
    expect(await runIn('python', 'x = 1', { tests: TESTS, entryPoint: 'square' })).toMatchObject({ passed: 0, failures: [{ errorType: 'NameError' }, {}, {}] });
  });

  it('keeps the tests that passed before one that never ends', async () => {
    const report = await runIn('python', 'def square(x):\n    while x < 0:\n        pass\n    return x * x\n', { tests: TESTS, timeoutMs: 1_000 });
    expect(report).toMatchObject({ status: 'timeout', passed: 2, failures: [{ type: 'timeout', test: 'square(-3)' }] });
  });

  it('does not pass code that leaves early or forges results', async () => {
    expect((await runIn('python', 'import sys\ndef square(x):\n    return 4\nsys.exit(0)\n', { tests: TESTS })).status).not.toBe('right');
    expect((await runIn('python', 'def square(x):\n    raise SystemExit(0)\n', { tests: TESTS })).passed).toBe(0);
    const forged = 'print(\'result-1 0 {"value": 4}\')\ndef square(x):\n    return 5\n';
    expect(await runIn('python', forged, { tests: TESTS })).toMatchObject({ status: 'wrong', passed: 0 });
  });

  it('takes generators, tuples, maps and numbers that are no JSON as what they hold', async () => {
    expect(
      await runIn('python', 'def numbers(n):\n    for i in range(n):\n        yield (i, float("inf"))\n', {
        tests: [
          {
            args: [2],
            expected: [
              [0, 'inf'],
              [1, 'inf'],
            ],
          },
        ],
      }),
    ).toMatchObject({ status: 'right' });
    expect(await runIn('javascript', 'function* pairs() {\n  yield new Map([["a", 1]]);\n}', { tests: [{ args: [], expected: [{ a: 1 }] }], entryPoint: 'pairs' })).toMatchObject({
      status: 'right',
    });
    expect(await runIn('python', 'def say(text):\n    return text[::-1]\n', { tests: [{ args: ['a"\\\u2028好🙂'], expected: '🙂好\u2028\\"a' }] })).toMatchObject({
      status: 'right',
    });
  });
});

describe('running a program', () => {
  it.each([
    ['print(6)', { expectedOutput: 6 }, { status: 'right', share: 1 }],
    ['pass', { expectedOutput: 6 }, { status: 'no_output', failures: [{ type: 'no_output' }] }],
    ['print("six")', { expectedOutput: 6 }, { status: 'wrong', failures: [{ type: 'wrong', actual: '"six"' }] }],
    ['print("six")', {}, { status: 'unchecked', failures: [] }],
    ['print(6, flush=True)\nwhile True: pass', { expectedOutput: 6, timeoutMs: 500 }, { status: 'timeout', share: 1 }],
    ['import json, sys\nprint(json.load(sys.stdin)["a"])', { data: { a: '好' }, expectedOutput: '好' }, { status: 'right' }],
    ['print(1 / 0)', { expectedOutput: 6 }, { status: 'error', failures: [{ errorType: 'ZeroDivisionError', line: 1 }] }],
    [
      'import socket',
      { expectedOutput: 6 },
      { status: 'refused', driver: null, failures: [{ type: 'refused', errorType: 'Refused_network', line: 1, fix: expect.stringContaining('no network') }] },
    ],
  ] as const)('%j with %j', async (code, more, report) => expect(await runIn('python', code, more as Partial<CodeRepairInput>)).toMatchObject(report));
});
