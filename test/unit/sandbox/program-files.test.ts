import { describe, expect, it } from 'vitest';
import { inputProblem } from '../../../src/sandbox/program-files.ts';
import type { SandboxRun } from '../../../src/sandbox/run.ts';

const problem = (files: Record<string, string>, more: Partial<SandboxRun> = {}) => inputProblem({ language: 'python', code: 'print(1)', files, ...more });

describe('names of files', () => {
  it.each(['data.json', 'a/b/c.txt', 'lib_1.py', '0', 'a..b'])('%s is allowed', (name) => expect(problem({ [name]: '' })).toBeNull());

  it.each(['../x', '/etc/passwd', 'a/../b', './x', 'a//b', '', 'a/', '.hidden', '-rf', 'a b', 'a\0b', 'a\nb', 'a\\b', '~', '$HOME', 'ü'])('%j is not', (name) => {
    expect(problem({ [name]: '' })).toContain('not allowed');
  });

  it("the program's own name is taken, in its own language only", () => {
    expect(problem({ 'main.py': '' })).toContain("the program's own");
    expect(problem({ 'main.js': '' })).toBeNull();
  });

  it("a file can't be a folder too", () => expect(problem({ a: '', 'a/b': '' })).toContain('folder'));
});

describe('code', () => {
  it('with a NUL is refused: one interpreter would stop reading there', () => expect(problem({}, { code: 'print(1)\0' })).toContain('NUL'));
});

describe('size', () => {
  it('too many files and too many bytes are refused', () => {
    expect(problem(Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`f${index}`, ''])))).toContain('at most 50');
    expect(problem({}, { stdin: 'x'.repeat(4 * 1024 * 1024) })).toContain('bytes');
  });
});
