/** JSON log lines on stderr, free of secrets; stdout belongs to what a command prints. */
import { pino, type DestinationStream, type Logger } from 'pino';
import type { LogLevel } from '../config.ts';
import { createRedactor } from './redaction.ts';

export type Log = Logger;

export interface LogOptions {
  level: LogLevel;
  /** Which part speaks: `worker`, `stack`, `cli`. */
  name?: string;
  /** Taken out wherever they stand, besides what looks like a secret. */
  secrets?: readonly (string | null | undefined)[];
  /** Default: stderr. */
  destination?: DestinationStream;
}

export function createLog({ level, name, secrets, destination }: LogOptions): Log {
  const redactor = createRedactor(secrets);
  return pino(
    {
      level,
      ...(name ? { name } : {}),
      base: name ? { pid: process.pid } : null,
      timestamp: pino.stdTimeFunctions.isoTime,
      // Errors stay whole until the formatter below writes them out without secrets.
      serializers: { err: (error: unknown) => error },
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => redactor.value(fields) as Record<string, unknown>,
      },
      // Last look at the whole line: messages, and bindings of child loggers, reach it without passing the formatter.
      hooks: { streamWrite: (line) => redactor.text(line) },
    },
    destination ?? pino.destination({ dest: 2, sync: true }),
  );
}
