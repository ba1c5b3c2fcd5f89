/** True processes: a stack that stays, what stops under a watcher, signals, exit codes. What commands say is tested in-process (commands.test.ts). */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { fastFolder } from '../../support/fast-folder.ts';
import { allGone, descendants, environmentFor, type Running, start } from './cli-process.ts';
import { startInProcess } from './in-process.ts';

const PATIENCE = { timeout: 30_000, interval: 100 };
let home: string;
let environment: Record<string, string>;
let dev: Running;
beforeAll(async () => {
  home = await mkdtemp(join(fastFolder(), 'loopwright-cli-'));
  environment = environmentFor(home);
  dev = start(['dev'], environment);
  await dev.until('Ready.');
});
afterAll(async () => {
  dev.child.kill('SIGTERM');
  await dev.ended;
  await rm(home, { recursive: true, force: true });
});

test('dev says where everything is, that the model is scripted and that unsigned decisions count; a second one says the same and ends', async () => {
  const { databaseUrl } = JSON.parse(await readFile(join(home, 'stack.json'), 'utf8')) as { databaseUrl: string };
  for (const text of ['Temporal UI  http://127.0.0.1:', `psql ${databaseUrl}`, 'scripted model (no key configured)', 'run support', 'UNSIGNED'])
    expect(dev.stdout()).toContain(text);
  const second = await startInProcess(['dev'], environment).ended;
  expect(second).toMatchObject({ code: 0 });
  expect(second.stdout).toContain(`running already in ${home}`);
  expect(second.stdout).toContain(`psql ${databaseUrl}`);
  expect(second.stdout).toMatch(/Sign in {6}http:.*\/sign-in#[\w-]{43}$/m);
});

test('the printed link signs whoever sits here in; a refund of the support agent is started and approved with that, within a minute', async () => {
  const [, url, token] = /Sign in {6}(http:\/\/127\.0\.0\.1:\d+)\/sign-in#([\w-]{43})$/m.exec(dev.stdout())!;
  expect(dev.stdout()).toMatch(new RegExp(`Console {6}${url}$`, 'm'));
  const headers: Record<string, string> = { 'content-type': 'application/json', origin: url! };
  const post = (path: string, body: object) => fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const get = async (path: string): Promise<any> => (await fetch(`${url}${path}`, { headers })).json();
  const signedIn = await post('/sign-in', { token });
  expect(signedIn.status).toBe(200);
  headers.cookie = signedIn.headers.get('set-cookie')!.split(';')[0]!;
  expect((await post('/sign-in', { token })).status).toBe(401);
  expect((await fetch(url!)).headers.get('content-type')).toContain('text/html');

  const { taskId } = (await (await post('/v1/tasks', { agent: 'support', input: { message: 'A002 还没发货吧？不想要了，请帮我退款' } })).json()) as any;
  const approval = await vi.waitFor(async () => {
    const [found] = (await get(`/v1/approvals?taskId=${taskId}`)).items;
    expect(found).toMatchObject({ kind: 'tool_call', risk: 'dangerous', canDecide: true });
    return found;
  }, PATIENCE);
  expect((await post(`/v1/approvals/${taskId}/${approval.id}`, { decision: 'approve', hash: approval.hash, reason: 'within the policy' })).status).toBe(200);
  await vi.waitFor(async () => expect(await get(`/v1/tasks/${taskId}`)).toMatchObject({ outcome: 'passed' }), PATIENCE);
});

test('a worker alone joins the stack, for servers that the environment names as for those of the home, and drains on SIGTERM', async () => {
  const { databaseUrl } = JSON.parse(await readFile(join(home, 'stack.json'), 'utf8')) as { databaseUrl: string };
  const joined = start(['worker'], environment);
  const elsewhere = start(
    ['worker'],
    environmentFor(join(home, 'none'), { TEMPORAL_ADDRESS: inject('temporalAddress'), DATABASE_URL: databaseUrl, LOOPWRIGHT_TASK_QUEUE: 'cli-worker' }),
  );
  await Promise.all([joined, elsewhere].map((worker) => worker.until('Worker ready')));
  for (const worker of [joined, elsewhere]) worker.child.kill('SIGTERM');
  for (const worker of [joined, elsewhere]) expect(await worker.ended).toMatchObject({ code: 143, stdout: '' });
});

test('Ctrl-C stops everything; whoever watches is told in one line, and the next command what to start', async () => {
  const watching = start(['run', 'support', 'Please refund order A012.', '--id', 'watched'], environment);
  await watching.until('must decide');
  const pids = descendants(dev.child.pid!);
  expect(pids.length).toBeGreaterThan(1);
  dev.child.kill('SIGINT');
  const { code, stdout, stderr } = await watching.ended;
  expect(stderr.trim().split('\n').at(-1)).toBe(`error: The stack in ${home} was stopped. Its tasks go on at the next \`npm run dev\`.`);
  expect(stderr).not.toMatch(/\n\s+at |Channel has been shut down/);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect((await dev.ended).code).toBe(130);
  await allGone(pids);
  expect(await startInProcess(['list'], environment).ended).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^error: No stack runs in .*\. Start one with `npm run dev`, or set TEMPORAL_ADDRESS and DATABASE_URL\.\n$/),
  });
});
