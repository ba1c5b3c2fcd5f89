/** Machines where bubblewrap is missing or forbidden, made with bubblewrap itself: the choice falls on another driver or on nothing, never on a plain process. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seccompProgram } from '../../../src/sandbox/drivers/bubblewrap/seccomp.ts';
import { createSandbox, type DriverDescription, type SandboxResult } from '../../../src/sandbox/index.ts';

const canMakeMachines = (await createSandbox({ driver: 'bubblewrap' }).describeDrivers()).some(({ driver, works }) => driver === 'bubblewrap' && works);
const entry = new URL('../../../src/sandbox/index.ts', import.meta.url).href;
const PROBE = `
import { createSandbox } from ${JSON.stringify(entry)};
import { existsSync } from 'node:fs';
const sandbox = createSandbox();
const touch = ${JSON.stringify('open("TOUCHED", "w").write("x")\nprint(1)')}.replace('TOUCHED', process.argv[2]);
console.log(JSON.stringify({
  drivers: await sandbox.describeDrivers(),
  python: await sandbox.runCode({ language: 'python', code: touch }),
  javascript: await sandbox.runCode({ language: 'javascript', code: 'console.log(6 * 7)' }),
  touched: existsSync(process.argv[2]),
}));`;

interface Answer {
  drivers: DriverDescription[];
  python: SandboxResult;
  javascript: SandboxResult;
  touched: boolean;
}

const folder = mkdtempSync(join(tmpdir(), 'no-driver-'));
const probe = join(folder, 'probe.mts');
beforeAll(() => writeFileSync(probe, PROBE));
afterAll(() => rmSync(folder, { recursive: true }));

function askOn(machine: string[], filter?: Buffer): Promise<Answer> {
  const child = spawn('bwrap', ['--dev-bind', '/', '/', '--die-with-parent', ...machine, process.execPath, probe, join(folder, 'touched')], {
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
  });
  (child.stdio[3] as Writable).end(filter ?? '');
  let text = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  return new Promise((resolve, reject) => child.once('close', (code) => (code === 0 ? resolve(JSON.parse(text) as Answer) : reject(new Error(`ended with ${code}`)))));
}

const bubblewrapOf = ({ drivers }: Answer) => drivers.filter(({ driver }) => driver === 'bubblewrap');

describe.skipIf(!canMakeMachines)('without bubblewrap', () => {
  it('Python is refused with how to install it, JavaScript runs in QuickJS', async () => {
    const answer = await askOn(['--ro-bind', '/dev/null', '/usr/bin/bwrap']);
    for (const description of bubblewrapOf(answer))
      expect(description).toMatchObject({ works: false, chosen: false, detail: 'not installed: bwrap', install: expect.arrayContaining(['apt-get install -y bubblewrap']) });
    expect(answer.python).toMatchObject({
      status: 'refused',
      driver: null,
      refusal: { code: 'no_driver', message: expect.stringContaining('bubblewrap: not installed'), install: expect.arrayContaining(['apt-get install -y bubblewrap']) },
    });
    expect(answer.touched).toBe(false);
    expect(answer.javascript).toMatchObject({ status: 'ok', driver: 'quickjs', stdout: '42\n' });
  });
});

describe.skipIf(!canMakeMachines)('where namespaces are forbidden', () => {
  it('bubblewrap is known not to work although it is installed', async () => {
    const answer = await askOn(['--seccomp', '3'], seccompProgram(process.arch as 'x64' | 'arm64'));
    for (const description of bubblewrapOf(answer)) {
      expect(description).toMatchObject({ works: false, chosen: false });
      expect(description.detail).toMatch(/did not start/);
      expect(description.install.length).toBeGreaterThan(0);
    }
    expect(answer.python).toMatchObject({ status: 'refused', refusal: { code: 'no_driver' } });
    expect(answer.touched).toBe(false);
    expect(answer.javascript.driver).toBe('quickjs');
  });
});
