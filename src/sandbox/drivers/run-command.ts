import { execFile } from 'node:child_process';

export interface CommandResult {
  ok: boolean;
  stdout: string;
  stderr: string;
}

/** A trusted command of this machine, without a shell; never the untrusted code. Never throws: a command that is missing or too slow is not ok. */
export function runCommand(file: string, parameters: string[], timeoutMs = 5_000): Promise<CommandResult> {
  return new Promise((resolve) => {
    execFile(file, parameters, { timeout: timeoutMs, killSignal: 'SIGKILL', encoding: 'utf8' }, (error, stdout, stderr) => {
      resolve({ ok: error === null, stdout, stderr: stderr || (error?.message ?? '') });
    });
  });
}
