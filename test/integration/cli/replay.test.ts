import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger, Worker } from '@temporalio/worker';
import { pino } from 'pino';
import { expect, inject, test } from 'vitest';
import { installRuntime } from '../../../src/worker.ts';
import { testClient, testConnection, testNativeConnection, uniqueTaskId, uniqueTaskQueue } from '../../support/temporal.ts';
import { environmentFor } from './cli-process.ts';
import { startInProcess } from './in-process.ts';

test("replay says that today's code takes another way than a history, and exits 1", async () => {
  installRuntime(pino({ level: 'silent' }));
  const [connection, native] = await Promise.all([testConnection(), testNativeConnection()]);
  const taskQueue = uniqueTaskQueue();
  const taskId = uniqueTaskId();
  const workflowBundle = await bundleWorkflowCode({
    workflowsPath: fileURLToPath(new URL('../../fixtures/other-agent-task.ts', import.meta.url)),
    logger: new DefaultLogger('ERROR'),
  });
  const worker = await Worker.create({ connection: native, namespace: inject('temporalNamespace'), taskQueue, workflowBundle });
  try {
    const done = await worker.runUntil(testClient(connection).workflow.execute('agentTask', { taskQueue, workflowId: taskId, args: [{ agent: 'support', input: {} }] }));
    expect(done).toBe('done');
    const { code, stdout, stderr } = await startInProcess(['replay', taskId], environmentFor(tmpdir(), { TEMPORAL_ADDRESS: inject('temporalAddress') })).ended;
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toMatchObject({ taskId, ok: false, runs: [{ ok: false, problem: expect.stringMatching(/^today's code takes another way: /) }] });
    expect(code).toBe(1);
  } finally {
    await native.close();
    await connection.close();
  }
});
