import { spawn } from 'node:child_process';
import type { Environment } from '../../config.ts';

export interface CommandResult {
  ok: boolean;
  stdout: string;
  /** Why it failed, in one line; empty when ok. */ problem: string;
}

/** Runs a program to its end and keeps the last 64 KB of what it prints. Never throws. */
export function runCommand(
  program: string,
  programArguments: string[],
  {
    environment,
    timeoutMs,
    cwd,
    stop,
  }: { environment: Environment; timeoutMs: number; cwd?: string; /** Asked every 250 ms; a sentence ends the program. */ stop?: () => string | null },
): Promise<CommandResult> {
  return new Promise((resolve) => {
    let stdout = '';
    let stderr = '';
    let stopped: string | null = null;
    const child = spawn(program, programArguments, { env: environment as NodeJS.ProcessEnv, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.on('data', (chunk: Buffer) => {
      stdout = (stdout + chunk).slice(-65_536);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr = (stderr + chunk).slice(-65_536);
    });

    const startedAt = Date.now();
    const timer = setInterval(() => {
      stopped ??= Date.now() - startedAt > timeoutMs ? `took longer than ${Math.round(timeoutMs / 1000)} s` : (stop?.() ?? null);
      if (stopped) child.kill('SIGKILL');
    }, 250);
    const finish = (problem: string) => {
      clearInterval(timer);
      resolve({ ok: problem === '', stdout, problem });
    };
    child.on('error', (error) => finish(error.message));
    child.on('close', (code, signal) => {
      if (stopped) finish(stopped);
      else if (code === 0) finish('');
      else finish(`${lastLine(stderr) || lastLine(stdout) || 'no message'} (${signal ?? `exit code ${code}`})`);
    });
  });
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1)?.trim().slice(0, 400) ?? '';
}
