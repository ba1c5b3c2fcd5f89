import type { RunEnd } from '../reward.ts';

/** One thing that a run got wrong, with what really came out. */
export interface Failure {
  type: 'error' | 'wrong' | 'timeout' | 'not_run' | 'no_output' | 'refused' | 'no_driver' | 'same_code';
  /** The call, `gcd(17, 0)`; null for a whole program. */
  test: string | null;
  /** `KeyError`, `TypeError` …; null where there was no error. */
  errorType: string | null;
  message: string;
  /** In the code, from 1. */
  line: number | null;
  /** As JSON text. */
  expected: string | null;
  actual: string | null;
  /** What to do about it, where the run itself says (the screen's findings). */
  fix?: string;
}

/** What one run of the code showed. */
export interface RunReport extends Omit<RunEnd, 'gaveUp'> {
  failures: Failure[];
  /** Tests passed and in all; a whole program counts as one. */
  passed: number;
  total: number;
  /** What the code printed. */
  printed: string;
  driver: string | null;
  durationMs: number;
  codeHash: string;
}
