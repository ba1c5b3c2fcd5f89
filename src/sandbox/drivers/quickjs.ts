import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { Availability, Driver, Execution, Program } from '../driver.ts';
import { DriverError } from '../driver.ts';
import type { SandboxLimits } from '../limits.ts';
import { createOutputBuffer, readOutput } from './quickjs/output-buffer.ts';
import { STARTED, type Assignment, type Ending } from './quickjs/assignment.ts';

const PACKAGES = ['quickjs-emscripten-core', '@jitl/quickjs-wasmfile-release-sync'];
const INSTALL = [`npm install ${PACKAGES.join(' ')}`];

/**
 * JavaScript in QuickJS compiled to WebAssembly, in a thread of its own that can be ended at any point. The program has the language and nothing
 * else: no timers, no modules but its own files, and of `fs` only `readFileSync` of its own files and standard input. Its memory can't grow past
 * the limit because the `WebAssembly.Memory` can't; QuickJS's own limit does not hold.
 */
export function quickjsDriver(): Driver {
  let compiled: Promise<WebAssembly.Module> | null = null;
  const wasm = () => (compiled ??= compile());

  return {
    name: 'quickjs',
    languages: ['javascript'],
    async check(language): Promise<Availability> {
      if (language !== 'javascript') return { works: false, reason: `QuickJS does not run ${language}`, install: [] };
      try {
        await wasm();
        return { works: true, detail: 'QuickJS in WebAssembly, in a thread' };
      } catch (error) {
        compiled = null;
        return { works: false, reason: `${PACKAGES.join(' and ')} can't be loaded: ${(error as Error).message.split('\n')[0]}`, install: INSTALL };
      }
    },
    async run(program, limits, signal) {
      return runInThread(await wasm(), program, limits, signal);
    },
  };
}

async function compile(): Promise<WebAssembly.Module> {
  const require = createRequire(import.meta.url);
  require.resolve('quickjs-emscripten-core');
  return WebAssembly.compile(await readFile(require.resolve('@jitl/quickjs-wasmfile-release-sync/wasm')));
}

/** Only a machine in distress takes that long. */
const START_MS = 20_000;

const NO_MEMORY_LEFT = 'ERR_WORKER_OUT_OF_MEMORY';

async function runInThread(wasm: WebAssembly.Module, program: Program, limits: SandboxLimits, signal: AbortSignal | undefined): Promise<Execution> {
  const startedAt = performance.now();
  const output = createOutputBuffer(limits.outputBytes);
  const assignment: Assignment = { wasm, output, program, memoryBytes: limits.memoryBytes };
  const worker = new Worker(new URL('./quickjs/worker.ts', import.meta.url), {
    workerData: assignment,
    env: {},
    execArgv: [],
    argv: [],
    stdin: false,
    stdout: true,
    stderr: true,
    // For the copies of code, files and output that cross the border; QuickJS's memory is outside of the JavaScript heap.
    resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
  });
  const ending = await ended(worker, limits, signal).finally(() => worker.terminate());
  return { ...ending, ...readOutput(output), durationMs: Math.round(performance.now() - startedAt) };
}

function ended(worker: Worker, limits: SandboxLimits, signal: AbortSignal | undefined): Promise<Ending> {
  return new Promise<Ending>((resolve, reject) => {
    const stop = (why: Ending['status']) => resolve({ status: why, exitCode: null });
    const fail = (reason: string) => reject(new DriverError(`The QuickJS thread ${reason}`));
    const abort = () => stop('killed');
    // Its start is not the program's time.
    let timer = setTimeout(() => fail('did not start in time'), START_MS);
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort, { once: true });
    worker.on('message', (message: Ending | typeof STARTED) => {
      if (message !== STARTED) return resolve(message);
      clearTimeout(timer);
      timer = setTimeout(() => stop('timeout'), limits.wallMs);
    });
    worker.once('error', (error: NodeJS.ErrnoException) => (error.code === NO_MEMORY_LEFT ? stop('memory_limit') : fail(`failed: ${error.message}`)));
    worker.once('exit', () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      fail('ended without a word');
    });
  });
}
