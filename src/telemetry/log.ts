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
      // Errors stay whole until `formatters.log` takes the secrets out of them too.
      serializers: { err: (error: unknown) => error },
      formatters: {
        level: (label) => ({ level: label }),
        bindings: (bindings) => redactor.value(bindings) as Record<string, unknown>,
        log: (fields) => redactor.value(fields) as Record<string, unknown>,
      },
      hooks: {
        logMethod(inputs, method) {
          method.apply(this, inputs.map((input) => (typeof input === 'string' ? redactor.text(input) : input)) as Parameters<typeof method>);
        },
      },
    },
    destination ?? pino.destination({ dest: 2, sync: true }),
  );
}
