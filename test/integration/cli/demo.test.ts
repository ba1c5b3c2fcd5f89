import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { fastFolder } from '../../support/fast-folder.ts';
import { allGone, descendants, environmentFor, start } from './cli-process.ts';
import { startInProcess } from './in-process.ts';
import { query } from './query.ts';

interface DemoTask {
  taskId: string;
  agent: string;
  outcome: string;
  reason: string;
  scores: (number | null)[];
  attempts: number;
  turns: number;
  toolCalls: number;
  tokens: number;
  costMicros: number;
  durationMs: number;
  expected: { outcome: string; reason: string };
}
interface Demo {
  tasks: DemoTask[];
  stack: { temporal: string; ui: string; database: string };
}

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(fastFolder(), 'loopwright-cli-'));
});
afterAll(() => rm(home, { recursive: true, force: true }));

/** A few that show much: `.ci/run` plays them all. */
const CASES = ['refund-in-transit', 'refund-approved', 'first-draft-promises', 'review-completes', 'same-issue-twice'];

test('demo --json --keep: one JSON object, every outcome as expected, rows for psql; Ctrl-C leaves nothing', async () => {
  const demo = start(['demo', '--json', '--keep', '--case', ...CASES], environmentFor(home, { TMPDIR: fastFolder() }));
  try {
    await demo.until('Ctrl-C stops it');
    const { tasks, stack } = JSON.parse(demo.stdout()) as Demo;
    expect(demo.stdout().trim().split('\n'), 'nothing else on stdout').toHaveLength(1);
    expect(tasks.map(({ taskId }) => taskId).toSorted()).toEqual(CASES.map((name) => `support-${name}`).toSorted());
    expect(tasks.map(({ taskId, outcome, reason }) => ({ taskId, outcome, reason }))).toEqual(tasks.map(({ taskId, expected }) => ({ taskId, ...expected })));
    const corrected = tasks.find((task) => task.taskId === 'support-first-draft-promises')!;
    expect(corrected).toMatchObject({ agent: 'support', attempts: 2 });
    expect(corrected.scores).toHaveLength(2);
    expect(corrected.scores[1]!).toBeGreaterThan(corrected.scores[0]!);
    for (const task of tasks) {
      expect(task.tokens).toBeGreaterThan(0);
      expect(task.costMicros).toBeGreaterThan(0);
      expect(task.durationMs).toBeGreaterThan(0);
    }
    expect(demo.stderr()).toContain('scripted model');
    expect(demo.stderr()).toMatch(/re-plan 2/);
    expect(demo.stderr()).toMatch(/approved by demo approver/);
    expect(demo.stderr()).toMatch(/review +the writer read its draft and changed it/);
    expect(demo.stderr(), 'what was left out comes before the attempt that it belongs to').toMatch(/skipped: politeness — [^\n]*\nattempt +1 /);
    expect(demo.stderr()).toContain(`${stack.ui}/namespaces/default/workflows/support-refund-approved`);

    const [row] = await query(
      stack.database,
      'select (select count(*) from task), (select count(*) from attempt), (select count(*) from tool_call), (select count(*) from verdict), (select count(*) from approval), (select count(*) from support_refund where task_id is not null)',
    );
    expect(row!.map(Number)[0]).toBe(tasks.length);
    for (const rows of row!.map(Number)) expect(rows).toBeGreaterThan(0);
    expect(await query(stack.database, "select outcome, reason from task where task_id = 'support-refund-approved'")).toEqual([['passed', 'quality_reached']]);
    expect((await fetch(stack.ui)).status).toBe(200);
    expect(await readdir(home), 'nothing of dev is touched').toEqual([]);

    const pids = descendants(demo.child.pid!);
    expect(pids.length).toBeGreaterThan(1);
    demo.child.kill('SIGINT');
    expect((await demo.ended).code).toBe(130);
    await allGone(pids);
  } finally {
    demo.child.kill('SIGTERM');
    await demo.ended;
  }
}, 120_000);

/** Servers that the environment names: what is there already must stay as it is. */
const otherServers = () => ({ TEMPORAL_ADDRESS: inject('temporalAddress'), DATABASE_URL: inject('databaseUrl') });
const databases = async () => (await query(inject('databaseUrl'), "select datname from pg_database where datname like 'loopwright_demo_%'")).flat();

test('demo on other servers: a database of its own, gone afterwards; text for people without colour; exit code 0', async () => {
  const { code, stdout } = await startInProcess(['demo', '--case', 'status-question'], environmentFor(home, otherServers())).ended;
  expect(stdout).toContain('✓ Every outcome is the expected one (1 of 1).');
  expect(stdout).toContain('scripted model (no key configured)');
  expect(stdout).not.toContain('\u001b');
  expect(stdout, 'the password is for psql alone').not.toMatch(/postgres(ql)?:\/\//);
  expect(code).toBe(0);
  expect(await databases()).toEqual([]);
});

test('a model that refuses its key: the demo says what differs and exits 1', async () => {
  const provider = createServer((_request, response) =>
    response
      .writeHead(401, { 'content-type': 'application/json' })
      .end('{"error":{"message":"Incorrect API key provided","type":"invalid_request_error","code":"invalid_api_key"}}'),
  );
  await new Promise<void>((resolve) => {
    provider.listen(0, '127.0.0.1', resolve);
  });
  try {
    const model = { OPENAI_API_KEY: 'key-1234567890', OPENAI_BASE_URL: `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`, LOOPWRIGHT_MODEL: 'some-model' };
    const { code, stdout, stderr } = await startInProcess(['demo', '--case', 'status-question', '--json'], environmentFor(home, { ...otherServers(), ...model })).ended;
    expect((JSON.parse(stdout) as Demo).tasks).toMatchObject([{ outcome: 'failed', reason: 'model_rejected', expected: { outcome: 'passed', reason: 'quality_reached' } }]);
    expect(stderr).toContain('1 of 1 tasks did not end as expected');
    expect(stderr).toContain('outcome failed instead of passed');
    expect(stderr).toContain('judge is off');
    expect(stderr + stdout).not.toContain('key-1234567890');
    expect(code).toBe(1);
  } finally {
    provider.close();
  }
});
