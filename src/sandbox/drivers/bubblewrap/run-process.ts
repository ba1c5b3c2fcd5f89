import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { CapturedOutput } from '../../captured-output.ts';
import { DriverError, type Execution } from '../../driver.ts';
import type { SandboxLimits } from '../../limits.ts';
import { saysOutOfMemory } from '../out-of-memory.ts';
import { FILTER_DESCRIPTOR, STATUS_DESCRIPTOR, type SandboxCommand } from './arguments.ts';
import { inheritableDescriptors } from './host.ts';
import { watchSandbox, type Excess } from './watch.ts';

/** Why the parent ended a run; the first one counts. */
type Ended = 'timeout' | 'killed' | 'output_limit' | Excess;

/** Runs bwrap to its end. Kills the whole sandbox on timeout, on the signal, and when a limit is passed. */
export async function runProcess(command: SandboxCommand, stdin: string | null, filter: Buffer, limits: SandboxLimits, signal: AbortSignal | undefined): Promise<Execution> {
  const startedAt = performance.now();
  const output = new CapturedOutput(limits.outputBytes);
  const child = start(command, stdin);
  let ended: Ended | null = null;
  const end = (why: Ended) => {
    if (ended !== null) return;
    ended = why;
    killSandbox(child);
  };
  const abort = () => end('killed');
  signal?.addEventListener('abort', abort, { once: true });
  const timer = setTimeout(() => end('timeout'), limits.wallMs);
  const stopWatching = child.pid === undefined ? () => {} : watchSandbox(child.pid, limits, end);

  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.on('data', (chunk: Buffer) => {
      if (!output.add(stream, chunk)) end('output_limit');
    });
  }
  let report = '';
  (child.stdio[STATUS_DESCRIPTOR] as Readable).on('data', (chunk: Buffer) => {
    report += chunk.toString('utf8');
  });
  feed(child, FILTER_DESCRIPTOR, filter);
  command.feeds.forEach(({ text }, index) => feed(child, FILTER_DESCRIPTOR + 1 + index, text));
  if (stdin !== null) write(child.stdin, stdin);

  try {
    await closed(child);
  } finally {
    clearTimeout(timer);
    stopWatching();
    signal?.removeEventListener('abort', abort);
  }
  const exitCode = ended === null ? exitCodeOf(report) : null;
  if (ended === null && exitCode === null)
    throw new DriverError(`The sandbox did not start: ${output.text('stderr').trim() || `bwrap ended with ${child.exitCode ?? child.signalCode}`}`);
  return verdict(ended, exitCode, output, performance.now() - startedAt);
}

function start(command: SandboxCommand, stdin: string | null): ChildProcess {
  const standard = [stdin === null ? 'ignore' : 'pipe', 'pipe', 'pipe'] as const;
  const own = ['pipe', 'pipe', ...command.feeds.map(() => 'pipe' as const)] as const;
  const stdio: ('pipe' | 'ignore' | number)[] = [...standard, ...own];
  const nothing = openSync('/dev/null', 'r');
  try {
    for (const descriptor of inheritableDescriptors()) {
      while (stdio.length <= descriptor) stdio.push('ignore');
      if (descriptor >= standard.length + own.length) stdio[descriptor] = nothing;
    }
    // A group of its own, so that neither a signal to the program's group reaches this process nor the other way round.
    return spawn(command.file, command.parameters, { stdio, env: {}, cwd: '/', detached: true });
  } finally {
    closeSync(nothing);
  }
}

/** With process 1 of its namespace gone, the kernel ends every process in it; that one dies with its parent, bwrap. */
function killSandbox(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL');
  }
}

function feed(child: ChildProcess, descriptor: number, content: string | Buffer): void {
  write(child.stdio[descriptor] as Writable, content);
}

function write(stream: Writable | null, content: string | Buffer): void {
  // The reader may be gone before it has read everything: its own business.
  stream?.on('error', () => {});
  stream?.end(content);
}

function closed(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new DriverError(`The sandbox did not start: ${error.message}`)));
    child.once('close', () => resolve());
  });
}

/** bwrap reports `{"exit-code": n}` only for the program: without it, the failure is the sandbox's own. */
function exitCodeOf(report: string): number | null {
  const code = /"exit-code":\s*(\d+)/.exec(report)?.[1];
  return code === undefined ? null : Number(code);
}

const KILLED_BY_CPU_LIMIT = [128 + 24, 128 + 9];

function verdict(ended: Ended | null, exitCode: number | null, output: CapturedOutput, durationMs: number): Execution {
  const execution = { stdout: output.text('stdout'), stderr: output.text('stderr'), exitCode, durationMs: Math.round(durationMs) };
  const saying = (line: string) => ({ ...execution, stderr: `${execution.stderr}${execution.stderr.endsWith('\n') || !execution.stderr ? '' : '\n'}${line}\n` });
  switch (ended) {
    case 'memory':
      return { ...saying('Ended by the sandbox: more memory than allowed.'), status: 'memory_limit' };
    case 'processes':
      return { ...saying('Ended by the sandbox: more processes than allowed.'), status: 'killed' };
    case 'files':
      return { ...saying('Ended by the sandbox: more files than allowed.'), status: 'killed' };
    case null:
      break;
    default:
      return { ...execution, status: ended };
  }
  if (exitCode === 0) return { ...execution, status: 'ok' };
  if (saysOutOfMemory(execution.stderr)) return { ...execution, status: 'memory_limit' };
  return { ...execution, status: KILLED_BY_CPU_LIMIT.includes(exitCode ?? 0) ? 'killed' : 'error' };
}
