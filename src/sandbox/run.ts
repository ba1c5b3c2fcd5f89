/** What goes into the sandbox and what comes out. Plain data: it may cross an activity's boundary as it is. */
import type { SandboxLimits } from './limits.ts';

export const LANGUAGES = ['python', 'javascript'] as const;
export type Language = (typeof LANGUAGES)[number];

/**
 * `ok`: exit code 0. `error`: the program failed. `timeout`: wall time is over. `killed`: the caller's signal, or something the limits have no word for.
 * `refused`: it never ran. `output_limit`, `memory_limit`: it was ended for that.
 */
export type RunStatus = 'ok' | 'error' | 'timeout' | 'killed' | 'refused' | 'output_limit' | 'memory_limit';

export type DriverName = 'bubblewrap' | 'quickjs' | 'docker';

export interface SandboxRun {
  language: Language;
  code: string;
  /** All that the program can read from standard input; without it, standard input is at its end. */
  stdin?: string;
  /** Name → text, beside the program. Names are relative, with `/` between folders. */
  files?: Record<string, string>;
  /** May be chosen by a model: whatever is above the sandbox's limits is lowered to them. */
  limits?: Partial<SandboxLimits>;
  /** Kills the run and everything it started. */
  signal?: AbortSignal;
}

/** One thing that the static screen objects to, for the model to act on. */
export interface ScreenFinding {
  type: 'sensitive_path' | 'environment' | 'network' | 'process' | 'native_code' | 'dynamic_import';
  /** `main`, or the name of one of the run's files. */
  file: string;
  /** From 1. */
  line: number;
  /** The line, at most 200 characters. */
  text: string;
  fix: string;
}

/** Why nothing ran. */
export interface Refusal {
  code: 'screen' | 'no_driver' | 'invalid_input';
  message: string;
  /** `no_driver`: commands, one of which makes a driver work. Nothing is installed by the sandbox itself. */
  install: string[];
}

export interface SandboxResult {
  status: RunStatus;
  /** Invalid UTF-8 is replaced by U+FFFD. Cut at the output limit; kept when the run timed out. */
  stdout: string;
  stderr: string;
  /** Null when it was ended from outside or never ran. Over 128: ended by that signal. */
  exitCode: number | null;
  durationMs: number;
  /** Null when nothing ran. */
  driver: DriverName | null;
  /** sha256 of the code, hex. */
  codeHash: string;
  /** As they were applied. */
  limits: SandboxLimits;
  screen?: ScreenFinding[];
  refusal?: Refusal;
}

/** One line of the audit; refused runs have one too. */
export interface RunAudit {
  codeHash: string;
  driver: DriverName | null;
  language: Language;
  limits: SandboxLimits;
  status: RunStatus;
  durationMs: number;
}
