import type { Environment } from '../config.ts';

/** Where a command runs: what it reads, where it speaks, and which settings it sees. The process's own, or those of whoever runs it in-process. */
export interface Terminal {
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
  environment: Environment;
}

export const processTerminal: Terminal = { stdin: process.stdin, stdout: process.stdout, stderr: process.stderr, environment: process.env };

/** Whether a person sits there who can be asked. */
export function isInteractive({ stdin, stdout, environment }: Terminal): boolean {
  return Boolean(stdin.isTTY && stdout.isTTY) && environment['TERM'] !== 'dumb' && !environment['CI'];
}
