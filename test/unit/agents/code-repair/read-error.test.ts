import { describe, expect, it } from 'vitest';
import { lastFunction } from '../../../../src/agents/code-repair/execution/entry-point.ts';
import { readError } from '../../../../src/agents/code-repair/execution/read-error.ts';
import { isSameCode } from '../../../../src/agents/code-repair/execution/same-code.ts';

const PYTHON =
  'Traceback (most recent call last):\n  File "/scratch/main.py", line 4, in <module>\n    main()\n  File "/scratch/main.py", line 2, in main\n    print(data["x"])\nKeyError: \'x\'\n';
const NODE =
  "/scratch/main.js:2\nx.foo;\n  ^\n\nTypeError: Cannot read properties of null (reading 'foo')\n    at Object.<anonymous> (/scratch/main.js:2:3)\n    at node:internal/main/run_main_module:33:47\n";
const QUICKJS = "SyntaxError: unexpected token in expression: ';'\n    at main.js:1:11\n";

describe('what an interpreter said', () => {
  it.each([
    ['python', PYTHON, { errorType: 'KeyError', message: "'x'", line: 2 }],
    ['python', '  File "/scratch/main.py", line 1\n    x = = 1\n        ^\nSyntaxError: invalid syntax\n', { errorType: 'SyntaxError', message: 'invalid syntax', line: 1 }],
    ['python', 'Traceback (most recent call last):\n  File "/scratch/main.py", line 3, in <module>\nAssertionError\n', { errorType: 'AssertionError', message: '', line: 3 }],
    ['javascript', NODE, { errorType: 'TypeError', message: "Cannot read properties of null (reading 'foo')", line: 2 }],
    ['javascript', QUICKJS, { errorType: 'SyntaxError', message: "unexpected token in expression: ';'", line: 1 }],
    ['python', 'something else\n', { errorType: 'Error', message: 'something else', line: null }],
    ['python', '', { errorType: 'Error', message: 'it ended with an error and said nothing', line: null }],
  ] as const)('%s %j', (language, stderr, read) => expect(readError(stderr, language, 10)).toEqual(read));

  it('names no line that is not in the code', () => {
    expect(readError(PYTHON, 'python', 1).line).toBe(null);
  });
});

describe('the function that tests call', () => {
  it.each([
    ['python', 'def helper(x):\n    def inner(y):\n        pass\n\nasync def solve(x):\n    return helper(x)\n', 'solve'],
    ['javascript', 'const helper = (x) => x;\nfunction solve(x) {\n  const inner = () => x;\n  return inner();\n}\n', 'solve'],
    ['javascript', 'function a() {}\nconst solve = async (x) => x;', 'solve'],
    ['python', 'print(1)', null],
  ] as const)('%s: %j', (language, code, name) => expect(lastFunction(code, language)).toBe(name));
});

describe('the same code', () => {
  it('is the same whatever its blank lines, and not when its indentation differs', () => {
    expect(isSameCode('a = 1\n\nb = 2  \n', 'a = 1\r\nb = 2')).toBe(true);
    expect(isSameCode('if a:\n    b()\n', 'if a:\n  b()\n')).toBe(false);
  });
});
