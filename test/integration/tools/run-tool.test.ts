import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Store } from '../../../src/store/store.ts';
import { canonicalJson, hashText } from '../../../src/tools/canonical-json.ts';
import { defineTool, type ToolContext, type ToolDefinition } from '../../../src/tools/define-tool.ts';
import type { CallRecord, LedgerPort } from '../../../src/tools/ledger.ts';
import { runTool } from '../../../src/tools/run-tool.ts';
import { testDatabase, type TestDatabase } from '../../support/database.ts';
import { startRefundService } from './refund-service.ts';

// Tools over real HTTP, the ledger in a real Postgres: what the service did is compared with what the ledger says.
let database: TestDatabase;
let store: Store;
let service: Awaited<ReturnType<typeof startRefundService>>;
let callId: string;
let calls = 0;

beforeAll(async () => {
  [database, service] = await Promise.all([testDatabase(), startRefundService()]);
  store = database.store;
  await store.tasks.start({ taskId: 'task', agent: 'support', channel: 'live', startedBy: 'test', phase: 'starting' });
});
afterAll(() => Promise.all([service.stop(), database.drop()]));
beforeEach(() => {
  callId = `a1.t1.c${(calls += 1)}`;
  service.refunds.length = 0;
  service.behaviours.length = 0;
  service.honourKeys(false);
});

const argumentsText = canonicalJson({ orderId: 'A002' });
const input = z.strictObject({ orderId: z.string() });
const output = z.strictObject({ refundId: z.string() });

async function send(body: unknown, context: ToolContext): Promise<unknown> {
  const response = await fetch(service.url, { method: 'POST', body: JSON.stringify(body), headers: { 'idempotency-key': context.idempotencyKey }, signal: context.signal });
  return response.ok ? response.json() : response;
}
/** Asks the service what it did for this key. */
async function reconcile(_: unknown, context: ToolContext) {
  const found = (await (await fetch(service.url, { headers: { 'idempotency-key': context.idempotencyKey }, signal: context.signal })).json()) as { key: string } | null;
  return found ? { happened: true as const, output: { refundId: `found ${found.key}` } } : { happened: false as const };
}
const tool = (change: Partial<ToolDefinition<typeof input, typeof output>> = {}) =>
  defineTool({
    name: 'submit_refund',
    version: '1.0.0',
    releasedAt: '2026-01-31',
    description: 'Refunds.',
    input,
    output,
    risk: 'dangerous',
    timeoutMs: 150,
    execute: (body, context) => send(body, context) as Promise<{ refundId: string }>,
    ...change,
  });

const ledger = (failFinish = false): LedgerPort => ({
  begin: async (call) => {
    const { state, row } = await store.toolCalls.begin({
      taskId: call.taskId,
      callId: call.callId,
      attempt: 1,
      turn: 1,
      tool: call.tool,
      toolVersion: call.toolVersion,
      risk: 'dangerous',
      argumentsHash: call.argumentsHash,
      arguments: argumentsText,
      idempotencyKey: call.idempotencyKey,
    });
    if (state === 'new') return { state };
    if (state === 'started') return { state, executions: row.executions };
    return {
      state,
      record: {
        status: row.status as CallRecord['status'],
        text: row.resultHash && (await store.blobs.get(row.resultHash)),
        code: row.code as CallRecord['code'],
        reason: row.reason,
        retryable: row.retryable,
        stage: row.failureStage,
        executions: row.executions,
      },
    };
  },
  countExecution: (call) => store.toolCalls.countExecution(call.taskId, call.callId),
  finish: async (call, record) => {
    if (failFinish) throw new Error('connection lost');
    const resultHash = record.text === null ? null : await store.blobs.put(record.text);
    await store.toolCalls.finish(call.taskId, call.callId, {
      status: record.status,
      resultHash,
      code: record.code,
      reason: record.reason,
      retryable: record.retryable,
      failureStage: record.stage,
      executions: record.executions,
    });
  },
});
const run = (each: ReturnType<typeof tool>, failFinish = false, signal = new AbortController().signal) =>
  runTool({
    tool: each,
    canonicalArguments: argumentsText,
    ledger: ledger(failFinish),
    context: {
      taskId: 'task',
      callId,
      idempotencyKey: `task/${callId}`,
      signal,
      database: null as never,
      input: null,
      sandbox: { run: () => Promise.reject(new Error('no sandbox here')) },
      emit: async () => {},
    },
  });
const row = () => store.toolCalls.get('task', callId);

describe('a side effect over HTTP', () => {
  test('success is recorded with its result; a second delivery of the activity repeats nothing', async () => {
    expect(await run(tool())).toMatchObject({ status: 'success', value: { refundId: 'RF-1' }, executions: 1 });
    expect(await run(tool())).toMatchObject({ status: 'success', value: { refundId: 'RF-1' }, stored: true });
    expect(service.refunds).toHaveLength(1);
    expect(await row()).toMatchObject({ status: 'success', executions: 1, argumentsHash: hashText(argumentsText) });
  });
  test.each(['cut_after_effect', 'hang_after_effect', 'status_500_after_effect'] as const)('%s: nobody knows, so a person decides', async (behaviour) => {
    service.behaviours.push(behaviour);
    expect(await run(tool())).toMatchObject({ status: 'indeterminate', retryable: false });
    expect(service.refunds).toHaveLength(1);
    expect(await row()).toMatchObject({ status: 'indeterminate', code: 'indeterminate' });
  });
  test.each(['cut_after_effect', 'hang_after_effect', 'status_500_after_effect'] as const)('%s with reconcile: it is found', async (behaviour) => {
    service.behaviours.push(behaviour);
    expect(await run(tool({ reconcile }))).toMatchObject({ status: 'success', value: { refundId: `found task/${callId}` } });
    expect(service.refunds).toHaveLength(1);
  });
  test.each(['cut_after_effect', 'hang_after_effect', 'status_500_after_effect'] as const)(
    '%s of an idempotent tool: run again with the same key, done once',
    async (behaviour) => {
      service.honourKeys(true);
      service.behaviours.push(behaviour);
      expect(await run(tool({ idempotent: true }))).toMatchObject({ status: 'success', executions: 2 });
      expect(service.refunds).toEqual([{ orderId: 'A002', key: `task/${callId}` }]);
      expect(await row()).toMatchObject({ status: 'success', executions: 2 });
    },
  );
  test('a hang before the effect, and reconcile says so: timeout that may be tried again', async () => {
    service.behaviours.push('hang_before_effect');
    expect(await run(tool({ reconcile }))).toMatchObject({ status: 'timeout', retryable: true });
    expect(service.refunds).toEqual([]);
  });
  test("a refusal of the service is a plain failure; a gateway's error page is not", async () => {
    service.behaviours.push('status_409');
    expect(await run(tool())).toMatchObject({ status: 'failure', code: 'http', retryable: false, reason: expect.stringContaining('409') });
    callId += '.html';
    service.behaviours.push('html_502');
    expect(await run(tool())).toMatchObject({ status: 'indeterminate' });
  });
  test('the process dies after the effect and before the record: reconcile, idempotency, or a person', async () => {
    await expect(run(tool({ reconcile }), true)).rejects.toThrow('connection lost');
    expect(await run(tool({ reconcile }))).toMatchObject({ status: 'success', executions: 1 });
    expect(service.refunds).toHaveLength(1);
    callId += '.again';
    await expect(run(tool(), true)).rejects.toThrow('connection lost');
    expect(await run(tool())).toMatchObject({ status: 'indeterminate', executions: 1 });
    expect(service.refunds).toHaveLength(2);
  });
  test('cancelled in the middle: the request is aborted at once and the ledger says what is known', async () => {
    const controller = new AbortController();
    service.behaviours.push('hang_before_effect');
    const started = performance.now();
    const running = run(tool({ reconcile, timeoutMs: 10_000 }), false, controller.signal);
    setTimeout(() => controller.abort(new Error('CANCELLED')), 50);
    await expect(running).rejects.toThrow('CANCELLED');
    expect(performance.now() - started).toBeLessThan(1_000);
    expect(await row()).toMatchObject({ status: 'failure', code: 'cancelled' });
  });
  test('I18N-02 a NUL in arguments and result survives Postgres', async () => {
    const echo = tool({ risk: 'read', execute: async () => ({ refundId: 'a\u0000b\ud800' }) });
    expect((await run(echo)).value).toEqual({ refundId: 'a\u0000b\ud800' });
    expect(await run(echo)).toMatchObject({ stored: true, status: 'success' });
  });
  test('a result of 2 MB is kept whole and read back', async () => {
    const large = tool({ risk: 'read', timeoutMs: 10_000, execute: async () => ({ refundId: '汉'.repeat(700_000) }) });
    const first = await run(large);
    expect((await run(large)).text).toBe(first.text);
  });
});
