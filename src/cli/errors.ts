import { CommanderError } from 'commander';
import { processTerminal, type Terminal } from './terminal.ts';
import { lines } from './text/safe.ts';

/** The command was called wrongly: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The command ran and found that something is not as it should be; it has said what. Exit code 1, nothing more is printed. */
export class Reported extends Error {
  override readonly name = 'Reported';
}

/** One clear message on stderr; the stack only for whoever debugs. @returns the exit code. */
export function reportError(error: unknown, { stderr, environment }: Pick<Terminal, 'stderr' | 'environment'> = processTerminal): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2; // commander has printed its message
  if (error instanceof Reported) return 1;
  const debug = environment['LOOPWRIGHT_LOG_LEVEL'] === 'debug' || environment['LOOPWRIGHT_LOG_LEVEL'] === 'trace';
  const text = debug && error instanceof Error ? debugText(error) : `error: ${messageOf(error)}`;
  for (const line of lines(text)) stderr.write(`${line.text}\n`);
  return error instanceof UsageError ? 2 : 1;
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof AggregateError && error.message === '') return error.errors.map(messageOf).join('; ');
  const code = (error as NodeJS.ErrnoException).code;
  return error.message || code || error.name;
}

function debugText(error: Error): string {
  const cause = error.cause instanceof Error ? `\ncaused by ${debugText(error.cause)}` : '';
  return `${error.stack ?? error.message}${cause}`;
}
