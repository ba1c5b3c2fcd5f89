/** The real command as a child process, as a person or a script runs it. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';
import { isAlive } from '../../../src/dev/processes.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const CLI = fileURLToPath(new URL('../../../src/cli.ts', import.meta.url));

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}
export interface Running {
  child: ChildProcess;
  stdout: () => string;
  stderr: () => string;
  ended: Promise<Ended>;
  until(text: string): Promise<void>;
}

/** What this machine's environment says about Temporal, databases and models must not matter here. */
export function environmentFor(home: string, extra: Record<string, string> = {}): Record<string, string> {
  const { PATH, HOME, XDG_CACHE_HOME, LOOPWRIGHT_CACHE, PIP_CERT, PIP_INDEX_URL } = process.env;
  const all = { PATH, HOME, XDG_CACHE_HOME, LOOPWRIGHT_CACHE, PIP_CERT, PIP_INDEX_URL, LOOPWRIGHT_HOME: home, ...extra };
  return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

export function start(words: string[], environment: Record<string, string>): Running {
  const child = spawn(process.execPath, [CLI, ...words], { cwd: ROOT, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said.stderr += text;
  });
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...said }));
  const until = async (text: string): Promise<void> => {
    await vi.waitFor(
      () => {
        if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}: ${said.stderr}`);
        if (!said.stdout.includes(text) && !said.stderr.includes(text)) throw new Error(`"${text}" was not said; stderr: ${said.stderr}`);
      },
      { timeout: 80_000, interval: 50 },
    );
  };
  return { child, stdout: () => said.stdout, stderr: () => said.stderr, ended, until };
}

/** All processes below one, as they are now. */
export function descendants(pid: number): number[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number) as [number, number]);
  const below = (parent: number): number[] => rows.filter(([, ppid]) => ppid === parent).flatMap(([child]) => [child, ...below(child)]);
  return below(pid);
}

/** @throws when one of them still runs after 10 s: the guards of the servers end a moment after them */
export async function allGone(pids: number[]): Promise<void> {
  await vi.waitFor(
    () => {
      const left = pids.filter(isAlive);
      if (left.length > 0) throw new Error(`still running: ${left.join(', ')}`);
    },
    { timeout: 10_000, interval: 50 },
  );
}
