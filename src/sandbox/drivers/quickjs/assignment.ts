import type { Execution, Program } from '../../driver.ts';
import type { OutputBuffer } from './output-buffer.ts';

/** What the thread is given. */
export interface Assignment {
  wasm: WebAssembly.Module;
  program: Program;
  memoryBytes: number;
  output: OutputBuffer;
}

/** What it says at the end; everything printed is in the output buffer. */
export type Ending = Pick<Execution, 'status' | 'exitCode'>;

/** Said just before the program's first line: from here on the time is its own. */
export const STARTED = 'started';
