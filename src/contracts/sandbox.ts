/** Code that nobody trusts, as tools and evaluators hand it over. `src/sandbox` runs it; types only. */

export interface CodeRun {
  language: 'python' | 'javascript';
  code: string;
  /** All that the program can read from standard input. */
  stdin?: string;
  /** Name → text, beside the program. */
  files?: Record<string, string>;
  /** Wall time, ms; clamped to the sandbox's own limit. */
  wallMs?: number;
  signal?: AbortSignal;
}

export interface CodeResult {
  status: 'ok' | 'error' | 'timeout' | 'killed' | 'refused' | 'output_limit' | 'memory_limit';
  stdout: string;
  stderr: string;
  exitCode: number | null;
  durationMs: number;
  /** Which driver ran it; null when nothing ran. */
  driver: string | null;
  /** sha256 of the code, hex. */
  codeHash: string;
  /** Refused by the screen: what it found, for the model to act on. `line` counts from 1 in `file` (`main` or the name of a given file). */
  screen?: { type: string; file: string; line: number; text: string; fix: string }[];
  /** Why nothing ran. `install`: commands, one of which makes a driver work. */
  refusal?: { code: 'screen' | 'no_driver' | 'invalid_input'; message: string; install: string[] };
}

export interface SandboxPort {
  run(run: CodeRun): Promise<CodeResult>;
}
