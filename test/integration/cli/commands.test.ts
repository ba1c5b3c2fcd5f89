/** The commands that talk to tasks, each in this process, on one stack with the registered agents. */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Approval } from '../../../src/contracts/approval.ts';
import type { Outcome } from '../../../src/contracts/outcome.ts';
import type { TaskState } from '../../../src/contracts/task-state.ts';
import type { TaskView } from '../../../src/store/task-view.ts';
import { until } from '../../support/loop.ts';
import { type InProcess, startInProcess, startInProcessStack } from './in-process.ts';
import { query } from './query.ts';

type Waiting = Approval & { taskId: string };

let cli: InProcess;
beforeAll(async () => {
  cli = await startInProcessStack();
});
afterAll(() => cli?.stop());

/** Starts a task that asks for an approval, waits until it is asked, and returns it as `approvals` shows it. */
async function taskThatWaits(id: string, message: string, ...more: string[]): Promise<Waiting> {
  await cli.ask(['run', 'support', message, '--no-watch', '--id', id, ...more]);
  await until('an approval', async () => (await cli.loop.database.store.approvals.listByTask(id)).some(({ status }) => status === 'pending'));
  return (await cli.ask<Waiting[]>(['approvals'])).find((approval) => approval.taskId === id)!;
}

const endOf = (taskId: string): Promise<Outcome> => cli.ask<Outcome>(['watch', taskId, '--json']);
const cancel = (taskId: string): Promise<unknown> => cli.ask(['cancel', taskId, '--reason', 'enough']);

test('a task from start to end: approvals, decide with the hash that was shown, show, list, state, replay, psql', async () => {
  const waiting = await taskThatWaits('refund', 'A002 还没发货吧？不想要了，请帮我退款');
  expect(waiting).toMatchObject({ kind: 'tool_call', tool: 'submit_refund_request', risk: 'dangerous' });
  expect(JSON.parse(waiting.payload)).toMatchObject({ orderId: 'A002', amountMinor: 15_900 });
  expect(await cli.ask<TaskState>(['state', 'refund'])).toMatchObject({ phase: 'waiting_for_person', stale: false });

  const wrong = await cli.run(['decide', 'refund', waiting.id, 'approve', '--hash', '0'.repeat(64)]);
  expect(wrong).toMatchObject({ code: 1, stdout: '' });
  expect(wrong.stderr).toContain('The hash is not that of approval');
  expect(await cli.ask(['decide', 'refund', waiting.id, 'approve', '--by', 'ann', '--reason', 'not shipped'])).toMatchObject({
    status: 'approved',
    repeated: false,
    needs: 0,
    decision: { by: 'ann', via: 'update', reason: 'not shipped', token: { keyId: expect.stringMatching(/^cli-/) } },
  });

  expect(await endOf('refund')).toMatchObject({ outcome: 'passed', reason: 'quality_reached' });
  expect((await cli.run(['decide', 'refund', waiting.id, 'reject', '--by', 'bob'])).code, 'late').toBe(1);
  const view = await cli.ask<TaskView & { ui: string }>(['show', 'refund']);
  expect(view.attempts[0]!.toolCalls.map((call) => [call.tool, call.status])).toEqual([
    ['get_order_status', 'success'],
    ['submit_refund_request', 'success'],
  ]);
  expect(view.attempts[0]!.toolCalls[0]).toMatchObject({ result: expect.stringContaining('waiting_to_ship') });
  expect(view.ui).toContain('/namespaces/default/workflows/refund');
  expect(await cli.ask(['list', '--agent', 'support', '--outcome', 'passed', '--limit', '5'])).toMatchObject([{ taskId: 'refund', reason: 'quality_reached' }]);
  expect(await cli.ask<TaskState>(['state', 'refund'])).toMatchObject({ phase: 'closed', outcome: { outcome: 'passed' } });
  expect(await cli.ask(['replay', 'refund'])).toMatchObject({ ok: true, runs: [{ ok: true, problem: null }] });

  const counted = await query(
    cli.loop.database.url,
    `select (select count(*) from task where task_id = 'refund'), (select count(*) from attempt where task_id = 'refund'), (select count(*) from tool_call where task_id = 'refund'),
    (select count(*) from verdict where task_id = 'refund'), (select count(*) from approval where task_id = 'refund' and decided_by = 'ann'), (select count(*) from support_refund where task_id = 'refund')`,
  );
  const [tasks, attempts, calls, verdicts, approvals, refunds] = counted[0]!.map(Number);
  expect([tasks, attempts, calls, approvals, refunds]).toEqual([1, 1, 2, 1, 1]);
  expect(verdicts).toBeGreaterThan(5);
});

test('--print-signal: the printed line, run by a shell, decides the approval', async () => {
  const waiting = await taskThatWaits('signal', 'A013 还没发货，请帮我退款，it\'s "urgent"');
  const reason = `it's fine; $(echo no) "yes" \`ok\``;
  const { payload, command } = await cli.ask<{ payload: { hash: string; token: { keyId: string } }; command: string }>([
    'decide',
    'signal',
    waiting.id,
    'approve',
    '--print-signal',
    '--by',
    'ann',
    '--reason',
    reason,
  ]);
  expect(payload).toMatchObject({ approvalId: waiting.id, decision: 'approve', by: 'ann', reason, hash: waiting.hash, token: { keyId: expect.stringMatching(/^cli-/) } });
  expect((await cli.loop.database.store.approvals.get('signal', waiting.id))?.status, 'printing decides nothing').toBe('pending');
  // not synchronously: the worker is in this process
  const inShell = async (line: string): Promise<string> =>
    (await promisify(execFile)('sh', ['-c', line.replace(/^temporal /, `${inject('temporalBinary')} `)], { env: { PATH: process.env['PATH'] } })).stdout;
  await inShell(command);
  expect(await endOf('signal')).toMatchObject({ outcome: 'passed' });
  const view = await cli.ask<TaskView>(['show', 'signal']);
  expect(view.approvals).toMatchObject([{ status: 'approved', decision: { by: 'ann', via: 'signal', reason } }]);
  const stateCommand = `${command.split(' workflow signal ')[0]!} workflow query ${/--address \S+ --namespace \S+/.exec(command)![0]} --workflow-id signal --type state --output json`;
  expect(await inShell(stateCommand)).toContain('"passed"');
});

test('run watches to the end: progress on stderr, the outcome as JSON on stdout', async () => {
  const file = join(cli.home, 'input.json');
  await writeFile(file, JSON.stringify({ message: 'Could you check the status of A007 for me?', customerId: 'C200' }));
  const { code, stdout, stderr } = await cli.run(['run', 'support', '--file', file]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ outcome: 'passed', ui: expect.stringContaining('http://') });
  expect(stderr).toMatch(/calls get_order_status/);
  expect(stderr).toMatch(/review +the writer read its draft and left it as it was/);
  expect(stderr).toMatch(/attempt 1 /);
});

test('message, tune and cancel steer a running task; a limit can be set at its start; show and watch tell of the message', async () => {
  await taskThatWaits('steer', 'Please refund order A012, I found it cheaper elsewhere.', '--approvers', 'ann', '--limit', 'maxAttempts=2', 'passScore=70');
  expect(await cli.ask(['message', 'steer', 'please', 'hurry'])).toEqual({ received: 1 });
  expect(await cli.ask(['tune', 'steer', 'maxAttempts=4', 'temperature=0.1', '--by', 'ann'])).toEqual({ changes: 2 });
  const refused = await cli.run(['tune', 'steer', 'maxAttempts=400']);
  expect(refused).toMatchObject({ code: 1, stderr: 'error: "maxAttempts" is 400; it must be a whole number from 1 to 50 (attempts).\n' });
  const state = await cli.ask<TaskState>(['state', 'steer']);
  expect(state).toMatchObject({
    limits: { maxAttempts: 4, passScore: 70 },
    approvals: [{ approvers: { people: ['ann'] } }],
    messages: { received: 1 },
    changes: [{ field: 'maxAttempts', from: 2, to: 4, by: 'ann' }, { field: 'temperature' }],
  });
  expect((await cli.run(['show', 'steer'], { terminal: true })).stdout, 'while it waits').toMatch(/message +a person says please hurry \(the model reads it at its next turn\)/);
  const watching = cli.start(['watch', 'steer'], { terminal: true });
  await watching.until(/message +a person says please hurry/);
  await cli.ask(['decide', 'steer', 'a1.t2.c1', 'reject', '--reason', 'too late', '--by', 'ann']);
  await watching.ended;
  expect((await cli.run(['show', 'steer'], { terminal: true })).stdout, 'when it was read').toMatch(/message +a person says please hurry\n/);
});

test('a task is cancelled with a reason', async () => {
  await taskThatWaits('cancelled', 'Please refund order A012.');
  expect(await cli.ask(['cancel', 'cancelled', '--reason', 'no longer needed', '--by', 'ann'])).toEqual({ cancelled: true });
  expect(await endOf('cancelled')).toMatchObject({ outcome: 'cancelled', explanation: expect.stringContaining('no longer needed') });
});

test('who waits for a person is told how to decide', async () => {
  const waiting = await taskThatWaits('how', 'Please refund order A012.');
  const watching = cli.start(['watch', 'how'], { terminal: true });
  await watching.until(`npm run loopwright -- decide how ${waiting.id} approve`);
  await cancel('how');
  const { stdout, code } = await watching.ended;
  expect(code).toBe(0);
  expect(stdout).toContain('cancelled (cancelled)');
});

test('UI-06: hidden and bidirectional characters cannot steer a terminal, and are the same after parsing', async () => {
  const message = 'Please refund order A012. \u001b]0;owned\u0007 \u001b[2K\rsafe \u202eedoc\u202c pay\u200bpal.com مرحبا שלום';
  await taskThatWaits('hidden', message);
  const [json, text, shown, state] = await Promise.all([
    cli.run(['approvals']),
    cli.run(['approvals', '--list'], { terminal: true }),
    cli.run(['show', 'hidden'], { terminal: true }),
    cli.run(['state', 'hidden'], { terminal: true }),
  ]);
  for (const { stdout } of [json, text, shown, state]) for (const character of ['\u001b', '\u0007', '\u202e', '\u202c', '\u200b', '\r']) expect(stdout).not.toContain(character);
  expect(JSON.stringify(JSON.parse(json.stdout))).toContain('\u202eedoc');
  expect(shown.stdout).toContain('⟨U+202E⟩edoc⟨U+202C⟩ pay⟨U+200B⟩pal.com');
  expect(shown.stdout, 'text that is written from right to left stays readable').toContain('مرحبا שלום');
  await cancel('hidden');
});

describe('errors are one clear line, without a stack trace', () => {
  test.each<[string, string[], number, RegExp]>([
    ['an unknown task', ['show', 'nobody'], 1, /^error: There is no task nobody\.$/m],
    ['an unknown task, watched', ['watch', 'nobody'], 1, /^error: There is no task nobody\.$/m],
    ['an unknown task, live', ['state', 'nobody'], 1, /There is no task nobody/],
    ['an unknown approval', ['decide', 'refund', 'a9.t9.c9', 'approve'], 1, /^error: Task refund has no approval a9\.t9\.c9\. None is waiting\.$/m],
    ['an unknown agent', ['run', 'nobody', 'hello'], 2, /^error: There is no agent "nobody"\. Agents: support/m],
    ['an unknown agent, listed', ['list', '--agent', 'nobody'], 2, /^error: There is no agent "nobody"\. Agents: support/m],
    ['settings of an unknown agent', ['settings', 'nobody', 'passScore=1'], 2, /There is no agent "nobody"/],
    ['JSON that breaks', ['run', 'support', '--input', '{"message":'], 2, /^error: --input is not JSON/m],
    ['an input that does not fit', ['run', 'support', '--input', '{"text":"hi"}'], 2, /^error: The input does not fit agent "support": message:/m],
    ['an edit without a value', ['decide', 'refund', 'a1.t2.c1', 'edit'], 2, /"edit" needs --value/],
    ['an unknown command', ['lisst'], 2, /Did you mean list\?/],
    ['a task id that belongs to another input', ['run', 'support', 'something else', '--no-watch', '--id', 'refund'], 1, /Task refund exists with another agent or input/],
    ['an unknown sample', ['demo', '--case', 'nothing'], 2, /^error: There is no sample task "nothing"\. Sample tasks: refund-/],
    ['a range', ['settings', 'test-cases', 'temperature=1.9'], 2, /"temperature" is 1\.9; it must be from 0\.2 to 0\.7/],
  ])('%s', async (_name, words, code, says) => {
    const ended = await cli.run(words);
    expect(ended.stderr).toMatch(says);
    expect(ended.stderr.trim().split('\n').length).toBeLessThanOrEqual(2); // commander's suggestion is a second
    expect(ended).toMatchObject({ code, stdout: '' });
  });

  test('a worker that has nowhere to keep its facts', async () => {
    const ended = await startInProcess(['worker'], { LOOPWRIGHT_HOME: join(cli.home, 'elsewhere'), TEMPORAL_ADDRESS: inject('temporalAddress') }).ended;
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('set DATABASE_URL') });
  });
});

test('settings are stored without a deployment, within the ranges, and the next task has them', async () => {
  expect(await cli.ask(['settings', 'support', 'maxTurns=9', '--by', 'ann'])).toMatchObject([{ field: 'maxTurns', value: 9, by: 'ann' }]);
  await taskThatWaits('cli-settings', 'Please refund order A012.');
  expect(await cli.ask<TaskState>(['state', 'cli-settings'])).toMatchObject({ limits: { maxTurns: 9 } });
  await cancel('cli-settings');
});

test('--version', async () => {
  const { version } = JSON.parse(await readFile(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string };
  expect(await cli.run(['--version'])).toMatchObject({ code: 0, stdout: `${version}\n` });
});
