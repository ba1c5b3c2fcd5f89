import { spawn } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { TaskHandle } from '../../../src/client.ts';
import { isAlive } from '../../../src/store/embedded/processes.ts';
import { defineTool } from '../../../src/tools/define-tool.ts';
import { answerWith, callTool } from '../../support/agents.ts';
import { until } from '../../support/loop.ts';
import { pendingApproval, startReports, waitingActivity, type Reports } from './probes.ts';

const tool = { version: '1.0.0', releasedAt: '2026-01-01', timeoutMs: 60_000, input: z.strictObject({}), output: z.object({}) };

/** Programs that run programs, as a sandbox does: the whole group has to go. The sandbox itself comes with issue B. */
function sleepTool(name: string, risk: 'read' | 'write', pids: number[]) {
  return defineTool({
    ...tool,
    name,
    risk,
    description: 'Sleeps.',
    execute: (_input, { signal }) =>
      new Promise((resolve, reject) => {
        const child = spawn('sh', ['-c', 'echo $$; sleep 100 & echo $!; sleep 100 & echo $!; wait'], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
        child.stdout.on('data', (text: Buffer) => pids.push(...text.toString().trim().split('\n').map(Number)));
        signal.addEventListener('abort', () => process.kill(-child.pid!, 'SIGKILL'), { once: true });
        child.once('exit', (code) => (code === 0 ? resolve({}) : reject(new Error('killed'))));
      }),
  });
}

type Way = 'cancel message' | 'cancel signal' | 'Temporal cancellation';
const ways: Way[] = ['cancel message', 'cancel signal', 'Temporal cancellation'];

describe.concurrent('durability: cancellation', () => {
  let plain: Reports;
  let streamed: Reports;
  beforeAll(async () => {
    [plain, streamed] = await Promise.all([startReports(), startReports({ stream: true })]);
  });
  afterAll(() => Promise.all([plain.loop.stop(), streamed.loop.stop()]));

  async function cancel({ loop }: Reports, task: TaskHandle, way: Way): Promise<void> {
    const workflow = loop.temporal.workflow.getHandle(task.taskId);
    if (way === 'cancel message') await task.cancel({ reason: 'no longer needed', by: 'carol' });
    else if (way === 'cancel signal') await workflow.signal('cancel', 'no longer needed');
    else await workflow.cancel();
  }

  it.each(ways)('DUR-09 a stream and a program that run are ended within seconds, and what was spent is recorded (%s)', async (way) => {
    const pids: number[] = [];
    const trickling = streamed.probe(`dur09 stream ${way}`, { limits: { modelTimeoutMs: 120_000 } }, () => answerWith('good '.repeat(300)));
    trickling.fail({ chunkDelayMs: 1_000 });
    const sleeping = streamed.probe(`dur09 tool ${way}`, { tools: [sleepTool('nap', 'read', pids), sleepTool('nap_too', 'write', pids)] }, () => ({
      toolCalls: [...callTool('nap', {}).toolCalls, ...callTool('nap_too', {}).toolCalls],
    }));
    const [stream, nap] = await Promise.all([trickling.start(), sleeping.start()]);
    const request = await until('the stream', () => trickling.requests()[0]);
    await until('two programs and their own', () => pids.length === 6 && pids.every(isAlive));
    await until('a few chunks', () => Date.now() - request.at > 2_500);
    const at = Date.now();
    await Promise.all([cancel(streamed, stream, way), cancel(streamed, nap, way)]);
    const [streamOutcome, napOutcome] = await Promise.all([stream.result(), nap.result()]);
    expect(Date.now() - at).toBeLessThan(5_000);
    expect(request.closedAt! - at).toBeLessThan(5_000);
    await until('the programs to be gone', () => !pids.some(isAlive), at + 5_000 - Date.now());
    expect(streamOutcome).toMatchObject({ outcome: 'cancelled', reason: 'cancelled', usage: { calls: 1, estimated: true } });
    expect(streamOutcome.usage.inputTokens).toBeGreaterThan(50);
    expect(streamOutcome.usage.outputTokens).toBeGreaterThan(0);
    expect(streamOutcome.usage.costMicros).toBeGreaterThan(0);
    expect(streamOutcome.text).not.toBe('');
    expect(napOutcome).toMatchObject({ outcome: 'cancelled', usage: { calls: 1, estimated: false } });
    if (way !== 'Temporal cancellation') expect(napOutcome.explanation).toContain('no longer needed');
    const facts = await streamed.view(nap.taskId);
    expect(facts.task).toMatchObject({ outcome: 'cancelled', phase: 'closed' });
    // the program was killed, so its effect can be ruled out for a read only
    expect(facts.attempts[0]!.toolCalls.map((call) => [call.tool, call.status, call.code])).toEqual([
      ['nap', 'failure', 'cancelled'],
      ['nap_too', 'indeterminate', 'indeterminate'],
    ]);
    const [call] = (await streamed.view(stream.taskId)).modelCalls;
    expect(call).toMatchObject({ status: 'aborted', estimated: true, inputTokens: streamOutcome.usage.inputTokens, costMicros: streamOutcome.usage.costMicros });
  });

  it('DUR-09 a model that never answers and a tool that never listens hold nobody up', async () => {
    const silent = plain.probe('dur09 silent', { limits: { modelTimeoutMs: 120_000 } }, () => answerWith('good'));
    silent.fail({ hang: 'headers' });
    const deafTool = defineTool({ ...tool, name: 'deaf', risk: 'read', description: 'Never listens.', execute: () => new Promise<Record<string, never>>(() => undefined) });
    const deaf = plain.probe('dur09 deaf', { tools: [deafTool] }, () => callTool('deaf', {}));
    const tasks = await Promise.all([silent.start(), deaf.start()]);
    await until('the model call', () => silent.requests()[0]);
    await until('the tool', async () => (await plain.view(tasks[1].taskId).catch(() => null))?.attempts[0]?.toolCalls[0]);
    const at = Date.now();
    await Promise.all(tasks.map((task) => cancel(plain, task, 'cancel message')));
    for (const task of tasks) expect(await task.result()).toMatchObject({ outcome: 'cancelled' });
    expect(Date.now() - at).toBeLessThan(5_000);
    expect(silent.requests()[0]!.closedAt! - at).toBeLessThan(5_000);
  });

  it('DUR-09 a wait for a rate limit or for a person ends too, with what was spent before', async () => {
    const limited = plain.probe('dur09 limited', {}, () => answerWith('good'));
    limited.fail({ cutAfterChunks: 1 }, { status: 429, headers: { 'retry-after': '500' } });
    const asking = plain.probe('dur09 asking', { approvals: { read: 'one', write: 'one', dangerous: 'one' } }, () => callTool('read_note', { name: 'a' }));
    const tasks = await Promise.all([limited.start(), asking.start()]);
    await until('the second wait', async () => (await waitingActivity(tasks[0])).attempt === 3);
    const approval = await pendingApproval(tasks[1]);
    const at = Date.now();
    await Promise.all(tasks.map((task) => cancel(plain, task, 'cancel message')));
    const outcomes = await Promise.all(tasks.map((task) => task.result()));
    expect(Date.now() - at).toBeLessThan(5_000);
    expect(outcomes[0]).toMatchObject({ outcome: 'cancelled', usage: { calls: 1, estimated: true } });
    expect(outcomes[0]!.usage.costMicros).toBeGreaterThan(0);
    expect(outcomes[1]).toMatchObject({ outcome: 'cancelled', toolCalls: 0 });
    expect((await plain.view(tasks[1].taskId)).approvals).toMatchObject([{ id: approval.id, status: 'withdrawn' }]);
    await expect(tasks[1].decide({ approvalId: approval.id, decision: 'approve', hash: approval.hash, by: 'carol' })).rejects.toMatchObject({ name: 'RefusedError' });
  });
});
