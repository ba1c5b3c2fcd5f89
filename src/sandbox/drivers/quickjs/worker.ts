/** The thread: one program in one QuickJS, then one message. The parent ends it at any time; nothing here needs to be undone. */
import { parentPort, workerData } from 'node:worker_threads';
import releaseVariant from '@jitl/quickjs-wasmfile-release-sync';
import { newQuickJSWASMModuleFromVariant, newVariant, type QuickJSContext, type QuickJSHandle, type QuickJSSyncVariant } from 'quickjs-emscripten-core';
import { MAIN_FILE } from '../../program-files.ts';
import { STARTED, type Assignment, type Ending } from './assignment.ts';
import { findModule } from './modules.ts';
import { outputWriter } from './output-buffer.ts';
import { installSurface } from './surface.ts';

/** Its types describe the CommonJS half of the package; Node loads the other one. */
const variant = releaseVariant as unknown as QuickJSSyncVariant;

const PAGE_BYTES = 65_536;
/** The module's own minimum. */
const INITIAL_PAGES = 256;
/** WebAssembly's stack is fixed when the module is built: above this QuickJS would overrun it before it notices. */
const STACK_BYTES = 256 * 1024;

/** Only a module may hold these at the start of a line; `await` only outside of functions, so not indented. */
const MODULE_SYNTAX = /^[ \t]*import\s*[\w{*"']|^[ \t]*export\s*(?:[{*]|(?:default|const|let|var|function|class|async)\b)|^(?:(?:const|let|var)\s[^=;\n]{1,200}=\s*)?await\b/m;

const { wasm, program, memoryBytes, output } = workerData as Assignment;

/** The linter takes a thread's port for a window. */
// oxlint-disable-next-line unicorn/require-post-message-target-origin
const say = (message: Ending | typeof STARTED) => parentPort?.postMessage(message);

const write = outputWriter(output, () => {
  say({ status: 'output_limit', exitCode: null });
  // An exception could be caught by the program: it stands still until the parent ends the thread.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});

try {
  say(await run());
} catch (error) {
  say(endingOf(error));
}

async function run(): Promise<Ending> {
  const quickjs = await newQuickJSWASMModuleFromVariant(
    newVariant(variant, {
      wasmModule: wasm,
      wasmMemory: new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum: Math.max(INITIAL_PAGES, Math.floor(memoryBytes / PAGE_BYTES)) }),
    }),
  );
  const runtime = quickjs.newRuntime();
  runtime.setMaxStackSize(STACK_BYTES);
  runtime.setModuleLoader((name) => findModule(name, program));
  const context = runtime.newContext();
  installSurface(context, program, write);

  say(STARTED);
  const type = isModule(program.code) ? 'module' : 'global';
  const result = context.evalCode(program.code, MAIN_FILE.javascript, { type });
  if (result.error) return failed(context, result.error);
  const jobs = runtime.executePendingJobs();
  if (jobs.error) return failed(jobs.error.context ?? context, jobs.error);
  const state = context.getPromiseState(result.value);
  if (state.type === 'rejected') return failed(context, state.error);
  if (state.type === 'pending' && type === 'module') {
    write(1, 'The program waits for something that never happens.\n');
    return { status: 'error', exitCode: 13 };
  }
  return { status: 'ok', exitCode: 0 };
}

function isModule(code: string): boolean {
  return MODULE_SYNTAX.test(code);
}

function failed(context: QuickJSContext, error: QuickJSHandle): Ending {
  const text = describe(context, error);
  write(1, `${text}\n`);
  return { status: text.startsWith('InternalError: out of memory') ? 'memory_limit' : 'error', exitCode: 1 };
}

/** Strings only: an object of the program's is never rebuilt on this side. */
function describe(context: QuickJSContext, error: QuickJSHandle): string {
  const property = (name: string) => {
    const value = context.getProp(error, name);
    return context.typeof(value) === 'string' ? context.getString(value) : '';
  };
  const kind = context.typeof(error);
  if (kind !== 'object') return kind === 'string' ? `Uncaught ${context.getString(error)}` : `Uncaught ${kind}`;
  const title = [property('name'), property('message')].filter(Boolean).join(': ') || 'Uncaught object';
  return [title, property('stack').trimEnd()].filter(Boolean).join('\n');
}

/** WebAssembly stopped: out of its memory or its stack, or the program's own error handling failed as well. */
function endingOf(error: unknown): Ending {
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  write(1, `${message}\n`);
  return { status: /out of memory|memory access out of bounds|Cannot enlarge memory|OOM/i.test(message) ? 'memory_limit' : 'error', exitCode: 1 };
}
