import { beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { defineTool, ToolFailure, type ToolContext, type ToolDefinition } from '../../../src/tools/define-tool.ts';
import { runTool, type RunToolInput } from '../../../src/tools/run-tool.ts';
import { MemoryLedger } from './memory-ledger.ts';

const input = z.strictObject({ id: z.string() });
const output = z.object({ ok: z.string() });
type Definition = ToolDefinition<typeof input, z.ZodType<any>>;

const build = (change: Partial<Definition> = {}) =>
  defineTool({
    name: 'act',
    version: '1.0.0',
    releasedAt: '2026-01-31',
    description: 'Acts.',
    input,
    output,
    risk: 'read',
    timeoutMs: 50,
    execute: async () => ({ ok: 'yes' }),
    ...change,
  });

let ledger: MemoryLedger;
let cancellation: AbortController;
/** Things that happened in the world. */
let effects: string[];

const run = (tool: ReturnType<typeof build>, change: Partial<RunToolInput> = {}) =>
  runTool({
    tool,
    canonicalArguments: '{"id":"A001"}',
    ledger,
    ...change,
    context: {
      taskId: 't',
      callId: 'c1',
      idempotencyKey: 'key-1',
      signal: cancellation.signal,
      database: null as never,
      input: null,
      sandbox: { run: () => Promise.reject(new Error('no sandbox here')) },
      emit: async () => {},
    },
  });
/** Never ends by itself and ignores its signal. */
const hang = () => new Promise<never>(() => {});
/** Ends when its signal says so, as fetch does. */
const waitForSignal = (context: ToolContext) => new Promise<never>((_, reject) => context.signal.addEventListener('abort', () => reject(context.signal.reason as Error)));

beforeEach(() => {
  ledger = new MemoryLedger();
  cancellation = new AbortController();
  effects = [];
});

/** The world after the effect was committed and before its result was recorded. */
async function crash(tool: ReturnType<typeof build>): Promise<void> {
  ledger.failFinish = true;
  await expect(run(tool)).rejects.toThrow('ledger unreachable');
  ledger.failFinish = false;
}
const write = (change: Partial<Definition>) =>
  build({
    risk: 'write',
    execute: async (_, context) => {
      effects.push(context.idempotencyKey);
      return { ok: 'done' };
    },
    ...change,
  });

describe('a call that ends', () => {
  test('success: JSON text, value, verdict, and a record', async () => {
    const result = await run(build(), { fieldPaths: ['ok'] });
    expect(result).toMatchObject({
      status: 'success',
      text: '{"ok":"yes"}',
      value: { ok: 'yes' },
      code: null,
      executions: 1,
      stored: false,
      verdict: { passed: true, score: 100 },
    });
    expect(ledger.record()).toMatchObject({ status: 'success', text: '{"ok":"yes"}' });
  });
  test('a finished call is answered by the ledger and not run', async () => {
    const execute = vi.fn<() => Promise<{ ok: string }>>(async () => ({ ok: 'once' }));
    await run(build({ execute }));
    expect(await run(build({ execute }))).toMatchObject({ status: 'success', value: { ok: 'once' }, stored: true, executions: 1 });
    expect(execute).toHaveBeenCalledTimes(1);
  });
  test('a failure that the tool understands keeps its words', async () => {
    const tool = build({
      risk: 'write',
      execute: async () => {
        throw new ToolFailure('order_locked', 'the order is locked', { retryable: true });
      },
    });
    expect(await run(tool)).toMatchObject({
      status: 'failure',
      code: 'error',
      reason: 'order_locked: the order is locked',
      retryable: true,
      text: null,
      verdict: { passed: false, score: 0 },
    });
  });
  test.each([
    ['http', 'failure', 'http'],
    ['timeout', 'timeout', 'timeout'],
    ['indeterminate', 'indeterminate', 'indeterminate'],
  ])('ToolFailure code %s is status %s', async (code, status, mapped) => {
    const tool = build({
      execute: async () => {
        throw new ToolFailure(code, 'because');
      },
    });
    expect(await run(tool)).toMatchObject({ status, code: mapped, reason: 'because' });
  });
  test('partial says what did happen', async () => {
    const tool = build({
      risk: 'write',
      execute: async () => {
        throw new ToolFailure('half', 'two of three rows were written', { partial: true });
      },
    });
    expect(await run(tool)).toMatchObject({ status: 'partial', code: 'error', reason: 'half: two of three rows were written', verdict: { score: 50 } });
  });
  test.each([
    [new Error('boom'), 'boom'],
    ['text', '"text"'],
    [null, 'null'],
    [undefined, 'undefined'],
    [
      {
        toString() {
          throw new Error('x');
        },
      },
      '{}',
    ],
    [10n, 'BigInt'],
  ])('a read that throws %o is a failure', async (thrown, words) => {
    const tool = build({
      execute: async () => {
        throw thrown;
      },
    });
    const result = await run(tool);
    expect(result).toMatchObject({ status: 'failure', code: 'error', retryable: true, stage: 'tool_call' });
    expect(result.reason).toContain(words);
  });
  test('a synchronous throw is no different', async () => {
    expect(
      await run(
        build({
          execute: (() => {
            throw new Error('at once');
          }) as Definition['execute'],
        }),
      ),
    ).toMatchObject({ status: 'failure', reason: 'act failed: at once' });
  });
});

describe('a result that breaks the contract', () => {
  const cycle: Record<string, unknown> = { ok: 'yes' };
  cycle.self = cycle;
  const loose = z.any();
  test.each([
    ['wrong type', { ok: 1 }, output, 'ok: '],
    ['missing', {}, output, 'ok: '],
    ['undefined', undefined, output, '(result): '],
    ['null', null, output, '(result): '],
    ['undefined by a loose schema', undefined, loose, '(result): undefined'],
    ['a bigint', { n: 1n }, loose, 'n: bigint'],
    ['a function', { run: () => 1 }, loose, 'run: function'],
    ['a cycle', cycle, loose, 'self: cycle'],
    ['NaN', { n: [Number.NaN] }, loose, 'n[0]: not_finite'],
    ['a date', { at: new Date(0) }, loose, 'at: not_plain'],
    [
      'a throwing getter',
      {
        get ok() {
          throw new Error('no');
        },
      },
      output,
      'no',
    ],
  ])('%s is contract_drift, with the place', async (_, value, schema, words) => {
    const result = await run(build({ output: schema, execute: async () => value }));
    expect(result).toMatchObject({ status: 'failure', code: 'contract_drift', stage: 'external_change', retryable: false, text: null });
    expect(result.reason).toContain(words);
  });
  test('an undefined property is an absent one', async () => {
    expect(await run(build({ output: z.object({ ok: z.string(), note: z.string().optional() }), execute: async () => ({ ok: 'yes', note: undefined }) }))).toMatchObject({
      status: 'success',
      text: '{"ok":"yes"}',
    });
  });
  test('of a write it says that the effect may have happened, and does not run again', async () => {
    const execute = vi.fn<() => Promise<{ ok: number }>>(async () => ({ ok: 1 }));
    const result = await run(build({ risk: 'write', idempotent: true, execute }));
    expect(result).toMatchObject({ status: 'failure', code: 'contract_drift', retryable: false });
    expect(result.reason).toContain('its effect may have happened');
    expect(execute).toHaveBeenCalledTimes(1);
  });
  test.each([
    ['a response that is not ok', { ok: false, status: 503, statusText: 'Service Unavailable' }, true],
    ['a real Response', new Response('no', { status: 404, statusText: 'Not Found' }), false],
    ['an error body with a status', { status: 429, message: 'slow down' }, true],
    ['a problem document', { type: 'about:blank', title: 'Forbidden', status: 403 }, false],
    ['a bare error', { error: { message: 'no such order', code: 404 } }, false],
    ['an HTML page', '<!DOCTYPE html><html><body>502</body></html>', false],
  ])('%s is a failure of code http', async (_, value, retryable) => {
    expect(await run(build({ output: z.any(), execute: async () => value }))).toMatchObject({ status: 'failure', code: 'http', retryable });
  });
  test('what the schema declares is no HTTP error', async () => {
    const declared = z.object({ status: z.number(), message: z.string(), error: z.string() });
    expect(await run(build({ output: declared, execute: async () => ({ status: 404, message: 'the page you asked to check', error: 'none' }) }))).toMatchObject({
      status: 'success',
    });
  });
  test('a result over 16 MB is refused once, with its size, and its effect is not repeated', async () => {
    const execute = vi.fn<() => Promise<{ ok: string }>>(async () => ({ ok: 'x'.repeat(17 * 1024 * 1024) }));
    const tool = build({ risk: 'write', idempotent: true, timeoutMs: 10_000, execute });
    const result = await run(tool);
    expect(result).toMatchObject({ status: 'failure', code: 'result_too_large', retryable: false });
    expect(result.reason).toMatch(/act returned 1782\d{4} bytes/);
    expect(await run(tool)).toMatchObject({ code: 'result_too_large', stored: true });
    expect(execute).toHaveBeenCalledTimes(1);
  });
  test('a result of 2 MB is kept whole', async () => {
    const result = await run(build({ timeoutMs: 10_000, execute: async () => ({ ok: '汉'.repeat(700_000) }) }));
    expect(result.text?.length).toBe(700_009);
  });
});

describe('timeouts', () => {
  test('a read that ignores its signal still ends, as timeout', async () => {
    expect(await run(build({ execute: hang }))).toMatchObject({ status: 'timeout', code: 'timeout', retryable: true, executions: 1 });
  });
  test('a read that honours its signal ends as timeout too', async () => {
    expect(await run(build({ execute: (_, context) => waitForSignal(context) }))).toMatchObject({ status: 'timeout' });
  });
  test('a result within the grace is what happened', async () => {
    const tool = build({ risk: 'write', execute: (_, context) => new Promise((resolve) => context.signal.addEventListener('abort', () => resolve({ ok: 'late' }))) });
    expect(await run(tool)).toMatchObject({ status: 'success', value: { ok: 'late' } });
  });
  test('a write whose outcome nobody knows is indeterminate', async () => {
    const result = await run(build({ risk: 'write', execute: hang }));
    expect(result).toMatchObject({ status: 'indeterminate', code: 'indeterminate', retryable: false });
    expect(result.reason).toContain('did not answer in time');
  });
  test('an idempotent write is run once more with the same key', async () => {
    const keys: string[] = [];
    const execute = async (_: unknown, context: ToolContext) => {
      keys.push(context.idempotencyKey);
      return keys.length === 1 ? waitForSignal(context) : { ok: 'second' };
    };
    expect(await run(build({ risk: 'write', idempotent: true, execute }))).toMatchObject({ status: 'success', value: { ok: 'second' }, executions: 2 });
    expect(keys).toEqual(['key-1', 'key-1']);
    expect(ledger.entries.get('c1')?.executions).toBe(2);
  });
  test('an idempotent write that never answers is run twice, then a person is told', async () => {
    const execute = vi.fn<() => Promise<never>>(hang);
    expect(await run(build({ risk: 'write', idempotent: true, execute }))).toMatchObject({ status: 'indeterminate', executions: 2 });
    expect(execute).toHaveBeenCalledTimes(2);
  });
  test('reconcile: it happened → success with its output', async () => {
    const tool = build({ risk: 'write', execute: hang, reconcile: async () => ({ happened: true, output: { ok: 'found' } }) });
    expect(await run(tool)).toMatchObject({ status: 'success', value: { ok: 'found' }, executions: 1 });
  });
  test('reconcile: it did not happen and has stopped → timeout that may be retried', async () => {
    const tool = build({ risk: 'write', execute: (_, context) => waitForSignal(context), reconcile: async () => ({ happened: false }) });
    expect(await run(tool)).toMatchObject({ status: 'timeout', retryable: true });
  });
  test('reconcile: not yet, but it may still be running → indeterminate', async () => {
    const tool = build({ risk: 'write', execute: hang, reconcile: async () => ({ happened: false }) });
    expect(await run(tool)).toMatchObject({ status: 'indeterminate' });
  });
  test.each([
    [
      'throws',
      async () => {
        throw new Error('down');
      },
    ],
    ['hangs', hang],
    ['says nothing', async () => null],
    ['answers something else', async () => ({ happened: 'yes' })],
  ])('reconcile that %s → indeterminate', async (_, reconcile) => {
    expect(await run(build({ risk: 'write', execute: hang, reconcile: reconcile as unknown as Definition['reconcile'] }))).toMatchObject({ status: 'indeterminate' });
  });
});

test('reconcile with a result that breaks the contract: it happened, and is not to be repeated', async () => {
  const tool = build({ risk: 'write', execute: hang, reconcile: async () => ({ happened: true, output: { ok: 7 } }) });
  expect(await run(tool)).toMatchObject({ status: 'failure', code: 'contract_drift', retryable: false });
});

describe('a write that fails in a way nobody understands', () => {
  test('is indeterminate, not a failure that invites a second try', async () => {
    const tool = build({
      risk: 'write',
      execute: async () => {
        effects.push('sent');
        throw new Error('socket hang up');
      },
    });
    expect(await run(tool)).toMatchObject({ status: 'indeterminate' });
    expect(effects).toEqual(['sent']);
  });
  test('a server error body is the same; a client error is a plain failure', async () => {
    expect(await run(build({ risk: 'write', output: z.any(), execute: async () => ({ ok: false, status: 502 }) }))).toMatchObject({ status: 'indeterminate' });
    ledger = new MemoryLedger();
    expect(await run(build({ risk: 'write', output: z.any(), execute: async () => ({ ok: false, status: 409 }) }))).toMatchObject({ status: 'failure', code: 'http' });
  });
});

describe('after a crash (started, never finished)', () => {
  test('idempotent: runs again with the same key', async () => {
    const tool = write({ idempotent: true });
    await crash(tool);
    expect(await run(tool)).toMatchObject({ status: 'success', executions: 2 });
    expect(effects).toEqual(['key-1', 'key-1']);
  });
  test('reconcile says it happened: success, nothing runs', async () => {
    const tool = write({ reconcile: async () => ({ happened: true, output: { ok: 'done before' } }) });
    await crash(tool);
    expect(await run(tool)).toMatchObject({ status: 'success', value: { ok: 'done before' }, executions: 1 });
    expect(effects).toHaveLength(1);
  });
  test('reconcile says it did not happen: runs', async () => {
    const tool = write({ reconcile: async () => ({ happened: false }) });
    await crash(tool);
    expect(await run(tool)).toMatchObject({ status: 'success', executions: 2 });
  });
  test('neither: indeterminate, nothing runs, and it stays so', async () => {
    const tool = write({});
    await crash(tool);
    expect(await run(tool)).toMatchObject({ status: 'indeterminate', executions: 1 });
    expect(await run(tool)).toMatchObject({ status: 'indeterminate', stored: true });
    expect(effects).toHaveLength(1);
  });
  test("a ledger that can't be reached before: nothing runs", async () => {
    ledger.failBegin = true;
    await expect(run(write({}))).rejects.toThrow('ledger unreachable');
    expect(effects).toEqual([]);
  });
  test('a tool whose schema changed since does not run what nobody approved', async () => {
    expect(await run(build({ input: z.strictObject({ id: z.string(), all: z.boolean().default(true) }) as never }))).toMatchObject({
      status: 'failure',
      code: 'invalid_arguments',
    });
    ledger = new MemoryLedger();
    await crash(write({}));
    expect(await run(write({ idempotent: true, input: z.strictObject({ id: z.int() }) as never }))).toMatchObject({ status: 'indeterminate' });
  });
});

describe('cancellation', () => {
  const cancelled = new Error('CANCELLED');
  const cancelSoon = (reason: unknown = cancelled) => setTimeout(() => cancellation.abort(reason), 10);

  test('of a read: goes on, and the ledger says cancelled', async () => {
    cancelSoon();
    await expect(run(build({ timeoutMs: 5_000, execute: hang }))).rejects.toBe(cancelled);
    expect(ledger.record()).toMatchObject({ status: 'failure', code: 'cancelled' });
  });
  test('of a write that nobody can ask about: indeterminate', async () => {
    cancelSoon('cancelled');
    await expect(run(build({ risk: 'write', timeoutMs: 5_000, execute: hang }))).rejects.toBe('cancelled');
    expect(ledger.record()).toMatchObject({ status: 'indeterminate' });
  });
  test('of a write that can be asked: what it says', async () => {
    cancelSoon();
    const tool = build({
      risk: 'write',
      timeoutMs: 5_000,
      execute: (_, context) => waitForSignal(context),
      reconcile: async (_, context) => {
        expect(context.signal.aborted).toBe(false);
        return { happened: true, output: { ok: 'it did' } };
      },
    });
    await expect(run(tool)).rejects.toBe(cancelled);
    expect(ledger.record()).toMatchObject({ status: 'success', text: '{"ok":"it did"}' });
  });
  test('before it began: nothing runs and nothing is written', async () => {
    cancellation.abort(cancelled);
    await expect(run(build())).rejects.toBe(cancelled);
    expect(ledger.entries.size).toBe(0);
  });
  test('a worker that shuts down leaves the call open, and the next run goes on as after a crash', async () => {
    cancelSoon(new Error('WORKER_SHUTDOWN'));
    await expect(run(build({ timeoutMs: 5_000, execute: hang }))).rejects.toThrow('WORKER_SHUTDOWN');
    expect(ledger.record()).toBeNull();
  });
});
