import type { SandboxLimits } from './limits.ts';
import type { DriverName, Language, RunStatus } from './run.ts';

/** A run after the screen, ready for a driver. */
export interface Program {
  language: Language;
  code: string;
  stdin: string | null;
  files: Record<string, string>;
}

/** How a driver's run ended. */
export interface Execution {
  status: Exclude<RunStatus, 'refused'>;
  stdout: string;
  stderr: string;
  exitCode: number | null;
  durationMs: number;
}

/** `detail`: versions and paths, for people. `install`: commands of which one is enough. */
export type Availability = { works: true; detail: string } | { works: false; reason: string; install: string[] };

/** A way to run untrusted code that is a boundary by itself: nothing may rely on the screen before it. */
export interface Driver {
  name: DriverName;
  languages: readonly Language[];
  /** Runs a program to find out; an answer that it works is remembered for the life of the process. */
  check(language: Language): Promise<Availability>;
  /** Only after `check` said that it works. Throws `DriverError` when the sandbox itself fails; whatever the program does is an `Execution`. */
  run(program: Program, limits: SandboxLimits, signal?: AbortSignal): Promise<Execution>;
}

/** The sandbox could not be set up: says nothing about the program. Worth a retry. */
export class DriverError extends Error {
  override readonly name = 'DriverError';
}
