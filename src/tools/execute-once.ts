import type { Tool, ToolContext } from './define-tool.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- tools of every input and output type
type AnyTool = Tool<any, any>;

/**
 * How one execution ended. `settled`: the tool has stopped, so nothing of it can still happen behind our back.
 * `started` false: the signal had fired before it ran.
 */
export type ExecutionEnd =
  | { kind: 'returned'; output: unknown }
  | { kind: 'threw'; error: unknown }
  | { kind: 'timed_out'; settled: boolean }
  | { kind: 'aborted'; settled: boolean; started: boolean; reason: unknown };

/** After the signal fired a tool gets this long to stop or to finish, so that what is recorded is what happened, ms. */
const GRACE_MS = 200;

/**
 * Runs the tool once, for at most `timeoutMs` and the grace. A tool that ignores its signal is left behind; what it returns later is dropped.
 * Never throws.
 */
export async function executeOnce(tool: AnyTool, input: unknown, context: ToolContext, timeoutMs: number): Promise<ExecutionEnd> {
  if (context.signal.aborted) return { kind: 'aborted', settled: true, started: false, reason: context.signal.reason };
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(new DOMException(`${tool.name} took over ${timeoutMs} ms`, 'TimeoutError')), timeoutMs);
  const signal = AbortSignal.any([context.signal, timeout.signal]);
  try {
    const running = settle(tool, input, { ...context, signal });
    const first = await Promise.race([running, whenAborted(signal)]);
    if (first !== 'aborted' && !(first.kind === 'threw' && signal.aborted)) return first;
    const late = first === 'aborted' ? await Promise.race([running, after(GRACE_MS)]) : first;
    if (late !== 'waited' && late.kind === 'returned') return late;
    const settled = late !== 'waited';
    return context.signal.aborted ? { kind: 'aborted', settled, started: true, reason: context.signal.reason } : { kind: 'timed_out', settled };
  } finally {
    clearTimeout(timer);
  }
}

async function settle(tool: AnyTool, input: unknown, context: ToolContext): Promise<ExecutionEnd> {
  try {
    return { kind: 'returned', output: await tool.execute(input, context) };
  } catch (error) {
    return { kind: 'threw', error };
  }
}

function whenAborted(signal: AbortSignal): Promise<'aborted'> {
  const { promise, resolve } = Promise.withResolvers<'aborted'>();
  if (signal.aborted) resolve('aborted');
  else signal.addEventListener('abort', () => resolve('aborted'), { once: true });
  return promise;
}

function after(ms: number): Promise<'waited'> {
  const { promise, resolve } = Promise.withResolvers<'waited'>();
  setTimeout(() => resolve('waited'), ms);
  return promise;
}
