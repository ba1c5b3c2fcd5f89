import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import type { Approval } from '../../../src/contracts/approval.ts';
import type { Outcome } from '../../../src/contracts/outcome.ts';
import type { TaskState } from '../../../src/contracts/task-state.ts';
import type { TaskView } from '../../../src/store/task-view.ts';
import { allGone, ask, descendants, environmentFor, run, type Running, start } from './cli-process.ts';
import { query } from './query.ts';

type Waiting = Approval & { taskId: string };

let home: string;
let environment: Record<string, string>;
let dev: Running;
let databaseUrl: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'loopwright-cli-'));
  environment = environmentFor(home);
  dev = start(['dev'], environment);
  await dev.until('Ready.');
  databaseUrl = (JSON.parse(await readFile(join(home, 'stack.json'), 'utf8')) as { databaseUrl: string }).databaseUrl;
});
afterAll(async () => {
  dev.child.kill('SIGTERM');
  await dev.ended;
  await rm(home, { recursive: true, force: true });
});

/** Starts a task that asks for an approval, waits until it is asked, and returns it as `approvals` shows it. */
async function taskThatWaits(id: string, message: string, ...more: string[]): Promise<Waiting> {
  await ask(['run', 'support', message, '--no-watch', '--id', id, ...more], environment);
  await vi.waitFor(async () => expect(await query(databaseUrl, `select status from approval where task_id = '${id}'`)).toEqual([['pending']]), { timeout: 50_000, interval: 100 });
  return (await ask<Waiting[]>(['approvals'], environment)).find((approval) => approval.taskId === id)!;
}

async function endOf(taskId: string): Promise<Outcome> {
  return ask<Outcome>(['watch', taskId, '--json'], environment);
}

test('dev says where everything is and that the model is scripted; a second one says the same and ends', async () => {
  for (const text of ['Temporal UI  http://127.0.0.1:', `psql ${databaseUrl}`, 'scripted model (no key configured)', 'run support']) expect(dev.stdout()).toContain(text);
  const second = await run(['dev'], environment);
  expect(second).toMatchObject({ code: 0 });
  expect(second.stdout).toContain(`running already in ${home}`);
  expect(second.stdout).toContain(`psql ${databaseUrl}`);
});

test('a task from another process: approvals, decide with the hash that was shown, show, list, state, replay, psql', async () => {
  const waiting = await taskThatWaits('refund', 'A002 还没发货吧？不想要了，请帮我退款');
  expect(waiting).toMatchObject({ kind: 'tool_call', tool: 'submit_refund_request', risk: 'dangerous' });
  expect(JSON.parse(waiting.payload)).toMatchObject({ orderId: 'A002', amountMinor: 15_900 });
  expect(await ask<TaskState>(['state', 'refund'], environment)).toMatchObject({ phase: 'waiting_for_person', stale: false });

  const wrong = await run(['decide', 'refund', waiting.id, 'approve', '--hash', '0'.repeat(64)], environment);
  expect(wrong).toMatchObject({ code: 1, stdout: '' });
  expect(wrong.stderr).toContain('The hash is not that of approval');
  expect(await ask(['decide', 'refund', waiting.id, 'approve', '--by', 'ann', '--reason', 'not shipped'], environment)).toMatchObject({
    status: 'approved',
    repeated: false,
    decision: { by: 'ann', via: 'update', reason: 'not shipped' },
  });

  expect(await endOf('refund')).toMatchObject({ outcome: 'passed', reason: 'quality_reached' });
  const late = await run(['decide', 'refund', waiting.id, 'reject', '--by', 'bob'], environment);
  expect(late.code).toBe(1);
  const view = await ask<TaskView & { ui: string }>(['show', 'refund'], environment);
  expect(view.attempts[0]!.toolCalls.map((call) => [call.tool, call.status])).toEqual([
    ['get_order_status', 'success'],
    ['submit_refund_request', 'success'],
  ]);
  expect(view.attempts[0]!.toolCalls[0]).toMatchObject({ result: expect.stringContaining('waiting_to_ship') });
  expect(view.ui).toContain('/namespaces/default/workflows/refund');
  expect(await ask(['list', '--agent', 'support', '--outcome', 'passed', '--limit', '5'], environment)).toMatchObject([{ taskId: 'refund', reason: 'quality_reached' }]);
  expect(await ask<TaskState>(['state', 'refund'], environment)).toMatchObject({ phase: 'closed', outcome: { outcome: 'passed' } });
  expect(await ask(['replay', 'refund'], environment)).toMatchObject({ ok: true, runs: [{ ok: true, problem: null }] });

  const counted = await query(
    databaseUrl,
    `select (select count(*) from task where task_id = 'refund'), (select count(*) from attempt where task_id = 'refund'), (select count(*) from tool_call where task_id = 'refund'),
    (select count(*) from verdict where task_id = 'refund'), (select count(*) from approval where task_id = 'refund' and decided_by = 'ann'), (select count(*) from support_refund where task_id = 'refund')`,
  );
  const [tasks, attempts, calls, verdicts, approvals, refunds] = counted[0]!.map(Number);
  expect([tasks, attempts, calls, approvals, refunds]).toEqual([1, 1, 2, 1, 1]);
  expect(verdicts).toBeGreaterThan(5);
}, 120_000);

test('--print-signal: the printed line, run by a shell, decides the approval', async () => {
  const waiting = await taskThatWaits('signal', 'A013 还没发货，请帮我退款，it\'s "urgent"');
  const reason = `it's fine; $(echo no) "yes" \`ok\``;
  const { payload, command } = await ask<{ payload: { hash: string }; command: string }>(
    ['decide', 'signal', waiting.id, 'approve', '--print-signal', '--by', 'ann', '--reason', reason],
    environment,
  );
  expect(payload).toEqual({ approvalId: waiting.id, decision: 'approve', by: 'ann', reason, hash: waiting.hash });
  expect(await query(databaseUrl, "select status from approval where task_id = 'signal'"), 'printing decides nothing').toEqual([['pending']]);
  execFileSync('sh', ['-c', command], { env: environment, stdio: 'pipe' });
  expect(await endOf('signal')).toMatchObject({ outcome: 'passed' });
  const view = await ask<TaskView>(['show', 'signal'], environment);
  expect(view.approvals).toMatchObject([{ status: 'approved', decision: { by: 'ann', via: 'signal', reason } }]);

  const stateCommand = `${command.split(' workflow signal ')[0]!} workflow query ${/--address \S+ --namespace \S+/.exec(command)![0]} --workflow-id signal --type state --output json`;
  expect(execFileSync('sh', ['-c', stateCommand], { env: environment, encoding: 'utf8' })).toContain('"passed"');
});

test('run watches to the end: progress on stderr, the outcome as JSON on stdout', async () => {
  const file = join(home, 'input.json');
  await writeFile(file, JSON.stringify({ message: 'Could you check the status of A007 for me?', customerId: 'C200' }));
  const { code, stdout, stderr } = await run(['run', 'support', '--file', file], environment);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ outcome: 'passed', ui: expect.stringContaining('http://') });
  expect(stderr).toMatch(/calls get_order_status/);
  expect(stderr).toMatch(/attempt 1 /);
});

test('message, tune and cancel steer a running task; a limit can be set at its start', async () => {
  await taskThatWaits('steer', 'Please refund order A012, I found it cheaper elsewhere.', '--limit', 'maxAttempts=2', 'passScore=70');
  expect(await ask(['message', 'steer', 'please', 'hurry'], environment)).toEqual({ received: 1 });
  expect(await ask(['tune', 'steer', 'maxAttempts=4', 'temperature=0.1', '--by', 'ann'], environment)).toEqual({ changes: 2 });
  const refused = await run(['tune', 'steer', 'maxAttempts=400'], environment);
  expect(refused).toMatchObject({ code: 1, stderr: 'error: "maxAttempts" is 400; it must be a whole number from 1 to 50 (attempts).\n' });
  const state = await ask<TaskState>(['state', 'steer'], environment);
  expect(state).toMatchObject({
    limits: { maxAttempts: 4, passScore: 70 },
    messages: { received: 1 },
    changes: [{ field: 'maxAttempts', from: 2, to: 4, by: 'ann' }, { field: 'temperature' }],
  });
  expect(await ask(['cancel', 'steer', '--reason', 'no longer needed', '--by', 'ann'], environment)).toEqual({ cancelled: true });
  expect(await endOf('steer')).toMatchObject({ outcome: 'cancelled', explanation: expect.stringContaining('no longer needed') });
});

test('what a customer wrote cannot steer a terminal, and is the same after parsing', async () => {
  const message = 'Please refund order A012.\u001b]0;owned\u0007 \u202eedoc\u202c';
  await taskThatWaits('hidden', message);
  const { stdout } = await run(['approvals'], environment);
  for (const character of ['\u001b', '\u0007', '\u202e', '\u202c']) expect(stdout).not.toContain(character);
  expect(JSON.stringify(JSON.parse(stdout))).toContain('\u202eedoc');
});

describe('errors are one clear line, without a stack trace', () => {
  test.each<[string, string[], number, RegExp]>([
    ['an unknown task', ['show', 'nobody'], 1, /^error: There is no task nobody\.$/m],
    ['an unknown task, live', ['state', 'nobody'], 1, /There is no task nobody/],
    ['an unknown approval', ['decide', 'refund', 'a9.t9.c9', 'approve'], 1, /^error: Task refund has no approval a9\.t9\.c9\. None is waiting\.$/m],
    ['an unknown agent', ['run', 'nobody', 'hello'], 2, /^error: There is no agent "nobody"\. Agents: support/m],
    ['JSON that breaks', ['run', 'support', '--input', '{"message":'], 2, /^error: --input is not JSON/m],
    ['an input that does not fit', ['run', 'support', '--input', '{"text":"hi"}'], 2, /^error: The input does not fit agent "support": message:/m],
    ['an edit without a value', ['decide', 'refund', 'a1.t2.c1', 'edit'], 2, /"edit" needs --value/],
    ['an unknown command', ['lisst'], 2, /Did you mean list\?/],
  ])('%s', async (_name, words, code, says) => {
    const ended = await run(words, environment);
    expect(ended.stderr).toMatch(says);
    expect(ended.stderr.trim().split('\n').length).toBeLessThanOrEqual(2); // commander's suggestion is a second
    expect(ended).toMatchObject({ code, stdout: '' });
  });

  test('a task id that belongs to another input', async () => {
    const { code, stderr } = await run(['run', 'support', 'something else', '--no-watch', '--id', 'refund'], environment);
    expect(code).toBe(1);
    expect(stderr).toContain('Task refund exists with another agent or input');
  });
});

test('a worker alone joins the stack and drains on SIGTERM', async () => {
  const worker = start(['worker'], environment);
  await worker.until('Worker ready');
  worker.child.kill('SIGTERM');
  expect(await worker.ended).toMatchObject({ code: 143, stdout: '' });
});

test('a worker for servers that the environment names needs no stack', async () => {
  const elsewhere = await mkdtemp(join(tmpdir(), 'loopwright-cli-'));
  const worker = start(['worker'], environmentFor(elsewhere, { TEMPORAL_ADDRESS: inject('temporalAddress'), DATABASE_URL: databaseUrl, LOOPWRIGHT_TASK_QUEUE: 'cli-worker' }));
  await worker.until('Worker ready');
  worker.child.kill('SIGTERM');
  expect((await worker.ended).code).toBe(143);
  const without = await run(['worker'], environmentFor(elsewhere, { TEMPORAL_ADDRESS: inject('temporalAddress') }));
  expect(without).toMatchObject({ code: 1, stderr: expect.stringContaining('set DATABASE_URL') });
  await rm(elsewhere, { recursive: true, force: true });
});

test('settings are stored without a deployment, within the ranges, and the next task has them', async () => {
  const refused = await run(['settings', 'test-cases', 'temperature=1.9'], environment);
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain('"temperature" is 1.9; it must be from 0.2 to 0.7');
  expect((await run(['settings', 'nobody', 'passScore=1'], environment)).stderr).toContain('There is no agent "nobody"');
  expect(await ask(['settings', 'support', 'maxTurns=9', '--by', 'ann'], environment)).toMatchObject([{ field: 'maxTurns', value: 9, by: 'ann' }]);
  await taskThatWaits('cli-settings', 'Please refund order A012.');
  expect(await ask<TaskState>(['state', 'cli-settings'], environment)).toMatchObject({ limits: { maxTurns: 9 } });
  await run(['cancel', 'cli-settings', '--reason', 'enough'], environment);
});

test('Ctrl-C stops everything, and then a command says what to start', async () => {
  const pids = descendants(dev.child.pid!);
  expect(pids.length).toBeGreaterThan(1);
  dev.child.kill('SIGINT');
  expect((await dev.ended).code).toBe(130);
  await allGone(pids);
  const { code, stderr } = await run(['list'], environment);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^error: No stack runs in .*\. Start one with `npm run dev`, or set TEMPORAL_ADDRESS and DATABASE_URL\.\n$/);
});
