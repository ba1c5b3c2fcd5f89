/** The whole way through `runCode`, in every driver that works here. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createSandbox, DEFAULT_LIMITS, type RunAudit, type SandboxOptions } from '../../../src/sandbox/index.ts';

/** What can't work here is skipped by name; CI takes a skipped test for a failure. */
const working = new Set((await createSandbox().describeDrivers()).filter(({ works }) => works).map(({ driver, language }) => `${driver} ${language}`));
const works = (...wanted: string[]) => wanted.every((name) => working.has(name));

function sandboxWithAudit(options: SandboxOptions = {}) {
  const entries: RunAudit[] = [];
  return {
    entries,
    sandbox: createSandbox({
      ...options,
      audit: (entry) => {
        entries.push(entry);
      },
    }),
  };
}

describe('choice of a driver', () => {
  it('is automatic, by language', async () => {
    const descriptions = await createSandbox().describeDrivers();
    expect(descriptions.map(({ driver, language }) => `${language} ${driver}`)).toEqual([
      'python bubblewrap',
      'python docker',
      'javascript bubblewrap',
      'javascript quickjs',
      'javascript docker',
    ]);
    for (const { works, detail, install, driver } of descriptions) {
      expect(detail).not.toBe('');
      if (works) expect(install).toEqual([]);
      else expect(install.length, driver).toBeGreaterThan(0);
    }
    for (const language of ['python', 'javascript']) {
      const ofLanguage = descriptions.filter((description) => description.language === language);
      expect(ofLanguage.filter(({ chosen }) => chosen)).toEqual(ofLanguage.filter(({ works }) => works).slice(0, 1));
    }
  });

  it("refuses when the allowed one can't run the language, and runs nothing", async () => {
    const { sandbox, entries } = sandboxWithAudit({ driver: 'quickjs' });
    const result = await sandbox.runCode({ language: 'python', code: 'print(1)' });
    expect(result).toMatchObject({ status: 'refused', driver: null, exitCode: null, stdout: '', refusal: { code: 'no_driver', install: [expect.stringContaining('bubblewrap')] } });
    expect(result.refusal?.message).toContain('quickjs');
    expect(entries).toEqual([
      { codeHash: createHash('sha256').update('print(1)').digest('hex'), driver: null, language: 'python', limits: DEFAULT_LIMITS, status: 'refused', durationMs: 0 },
    ]);
  });
});

const PAIRS = [
  ['bubblewrap', 'python'],
  ['bubblewrap', 'javascript'],
  ['quickjs', 'javascript'],
] as const;

for (const [driver, language] of PAIRS)
  describe.skipIf(!works(`${driver} ${language}`))(`${driver}, ${language}`, () => {
    const isPython = language === 'python';
    const { sandbox, entries } = sandboxWithAudit({ driver });
    const run = (python: string, javascript: string, more: object = {}) => sandbox.runCode({ language, code: isPython ? python : javascript, ...more });

    it('runs, and audits the run', async () => {
      const result = await run('print(6 * 7)', 'console.log(6 * 7)');
      expect(result).toMatchObject({ status: 'ok', stdout: '42\n', stderr: '', exitCode: 0, driver, limits: DEFAULT_LIMITS });
      expect(entries.at(-1)).toEqual({ codeHash: result.codeHash, driver, language, limits: DEFAULT_LIMITS, status: 'ok', durationMs: result.durationMs });
    });

    it('reads standard input and files', async () => {
      const result = await run(
        'import json\nfrom lib import double\nprint(double(int(input())), json.load(open("data/n.json"))["n"])',
        "import { double } from './lib.js';\nimport fs from 'fs';\nconsole.log(double(Number(fs.readFileSync(0, 'utf8'))), JSON.parse(fs.readFileSync('data/n.json', 'utf8')).n);",
        { stdin: '21\n', files: { 'lib.py': 'def double(n): return n * 2', 'lib.js': 'export const double = (n) => n * 2;', 'data/n.json': '{"n": 7}' } },
      );
      expect(result).toMatchObject({ status: 'ok', stdout: '42 7\n' });
    });

    it('prints text of every kind', async () => {
      const result = await run('print("周报 ✓ \\x00 \\U0001f600")', 'console.log("周报 ✓ \\0 \\u{1f600}")');
      expect(result.stdout).toBe('周报 ✓ \0 😀\n');
    });

    it('says how a program failed', async () => {
      const result = await run('print("before")\n{}["key"]', 'console.log("before");\nnull.key;');
      expect(result).toMatchObject({ status: 'error', stdout: 'before\n', exitCode: 1 });
      expect(result.stderr).toMatch(isPython ? /line 2[^]*KeyError: 'key'/ : /main\.js:2[^]*TypeError|TypeError[^]*main\.js:2/);
    });

    it("says what a program that can't be read is missing", async () => {
      expect(await run('def f(:', 'function (')).toMatchObject({ status: 'error', stderr: expect.stringContaining('SyntaxError') });
    });

    it('keeps what was printed before a timeout', async () => {
      const result = await run('print("right")\nwhile True: pass', 'console.log("right"); for (;;);', { limits: { wallMs: 1_500 } });
      expect(result).toMatchObject({ status: 'timeout', stdout: 'right\n', exitCode: null });
      expect(result.durationMs).toBeLessThan(5_000);
    });

    it('ends at once when it is aborted, before and during the run', async () => {
      const before = await run('print(1)', 'console.log(1)', { signal: AbortSignal.abort() });
      expect(before).toMatchObject({ status: 'killed', stdout: '' });
      const during = await run('while True: pass', 'for (;;);', { signal: AbortSignal.timeout(300) });
      expect(during.status).toBe('killed');
      expect(during.durationMs).toBeLessThan(4_000);
    });

    it('clamps a timeout that is asked for', async () => {
      expect((await run('print(1)', 'console.log(1)', { limits: { wallMs: 1e9, memoryBytes: 1e12 } })).limits).toEqual(DEFAULT_LIMITS);
    });

    it('refuses what the screen finds, before it runs', async () => {
      const result = await run('import socket', 'require("net")');
      expect(result).toMatchObject({ status: 'refused', driver: null, refusal: { code: 'screen' }, screen: [{ type: 'network', line: 1 }] });
      expect(entries.at(-1)).toMatchObject({ status: 'refused', codeHash: result.codeHash });
    });

    it('refuses a file name that would leave scratch', async () => {
      expect(await run('print(1)', 'console.log(1)', { files: { '../x': '' } })).toMatchObject({ status: 'refused', refusal: { code: 'invalid_input' } });
    });

    it('runs several at the same time apart from each other', async () => {
      const results = await Promise.all([1, 2, 3].map((n) => run(`open("f", "w").write("${n}")\nprint(open("f").read())`, `globalThis.n = ${n}; console.log(globalThis.n)`)));
      expect(results.map(({ stdout }) => stdout)).toEqual(['1\n', '2\n', '3\n']);
    });
  });

describe.skipIf(!works('bubblewrap python', 'bubblewrap javascript', 'quickjs javascript'))('the sum of numbers and strings', () => {
  const javascript = 'console.log(["a", 1, 2, 3].reduce((sum, item) => sum + item, 0));';
  it('is an error in Python and a wrong string in JavaScript, in either driver', async () => {
    const sandbox = createSandbox();
    expect(await sandbox.runCode({ language: 'python', code: 'print(sum(["a", 1, 2, 3]))' })).toMatchObject({ status: 'error', stderr: expect.stringContaining('TypeError') });
    expect(await createSandbox({ driver: 'bubblewrap' }).runCode({ language: 'javascript', code: javascript })).toMatchObject({ status: 'ok', stdout: '0a123\n' });
    expect(await createSandbox({ driver: 'quickjs' }).runCode({ language: 'javascript', code: javascript })).toMatchObject({ status: 'ok', stdout: '0a123\n' });
  });
});

describe.skipIf(!works('bubblewrap javascript', 'quickjs javascript'))('console.log', () => {
  const code = `console.log(1, 'a', [1, 'b', { c: [true, null] }], undefined, -0, 10n, new Map([['k', 1]]), new Set([1]), {}, [], Symbol('s'));
console.log([['x']], { 'a-b': "it's" }, [undefined]);`;
  it('shows values in QuickJS as node does', async () => {
    const [node, quickjs] = await Promise.all((['bubblewrap', 'quickjs'] as const).map((driver) => createSandbox({ driver }).runCode({ language: 'javascript', code })));
    expect(quickjs?.stdout).toBe(node?.stdout);
  });
});

describe.skipIf(!works('bubblewrap python'))('time', () => {
  it('a run of bubblewrap is short', async () => {
    const sandbox = createSandbox({ driver: 'bubblewrap' });
    const durations: number[] = [];
    for (let run = 0; run < 9; run += 1) durations.push((await sandbox.runCode({ language: 'python', code: 'print(1)' })).durationMs);
    const median = durations.toSorted((a, b) => a - b)[4] ?? 0;
    console.log(`bubblewrap, python: ${durations.join(', ')} ms, median ${median} ms`);
    // 25 ms on an idle machine; the rest is room for one that is not.
    expect(median).toBeLessThan(1_000);
  });
});
